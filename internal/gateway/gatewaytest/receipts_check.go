package gatewaytest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"smsd/internal/gateway"
)

// read reads p, and returns beside what came of it what is wrong with that whatever p is.
func (b receiptBench) read(p gateway.Post) (receipts []gateway.Receipt, err error, found []string) {
	defer func() {
		if v := recover(); v != nil {
			found = append(found, fmt.Sprintf("Receipts panicked with a %T", v))
		}
	}()
	receipts, err = b.reader.Receipts(b.t.Context(), p)
	if err != nil {
		return receipts, err, b.wrongError(receipts, err, p)
	}
	for _, r := range receipts {
		found = append(found, wrongReceipt(r)...)
	}
	return receipts, nil, found
}

// wrongError returns what is wrong with an error.
func (b receiptBench) wrongError(receipts []gateway.Receipt, err error, p gateway.Post) []string {
	var found []string
	if len(receipts) != 0 {
		found = append(found, "Receipts returned receipts beside an error")
	}
	if !errors.Is(err, gateway.ErrForged) && !errors.Is(err, gateway.ErrUnreadable) {
		found = append(found, fmt.Sprintf("Receipts returned a %T that is neither ErrForged nor ErrUnreadable", err))
	}
	for _, e := range chain(err) {
		if repeatsPost(fmt.Sprintf("%v %+v %#v", e, e, e), p, b.harness.Secrets) {
			found = append(found, fmt.Sprintf("an error of type %T holds a part of the call or a credential", e))
		}
	}
	return found
}

// repeatsPost reports whether text has a word of p, of those that could tell anything, or a secret.
func repeatsPost(text string, p gateway.Post, secrets []string) bool {
	told := []string{string(p.Body), p.URL, p.Secret}
	for _, values := range p.Header {
		told = append(told, values...)
	}
	for _, word := range strings.FieldsFunc(strings.Join(told, " "), func(r rune) bool { return !isWord(r) }) {
		if strings.ContainsAny(word, "0123456789") && len(word) >= 6 && strings.Contains(text, word) {
			return true
		}
	}
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(text, s) })
}

func isWord(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// wrongReceipt returns what no receipt may be.
func wrongReceipt(r gateway.Receipt) []string {
	var found []string
	undelivered := r.State == gateway.Undelivered
	for fault, is := range map[string]bool{
		"a receipt has no id":                                        r.MessageID == "" && r.ProviderID == "",
		"a receipt's state is none":                                  !undelivered && r.State != gateway.Delivered && r.State != gateway.UnderWay,
		"a receipt has a reason and is not undelivered":              r.Reason != "" && !undelivered,
		"a receipt's reason is not of the list":                      r.Reason != "" && !slices.Contains(gateway.Reasons(), r.Reason),
		"a receipt's code has more than 64 characters":               len(r.Code) > 64,
		"a receipt's parts are less than none":                       r.Segments < 0,
		"a receipt costs less than nothing":                          r.CostMicros < 0,
		"a receipt has a cost without a currency":                    r.CostMicros != 0 && len(r.Currency) != 3,
		"a receipt's time is not UTC":                                r.At.Location() != time.UTC,
		"a receipt's id has more than 256 characters":                len(r.MessageID) > 256 || len(r.ProviderID) > 256,
		"a receipt's currency is there, and is no three-letter code": r.Currency != "" && len(r.Currency) != 3,
	} {
		if is {
			found = append(found, fault)
		}
	}
	return found
}

// readsGenuine: what the carrier says is what is read.
func readsGenuine(b receiptBench) []string {
	p, want := b.harness.Call(b.t, 0, arrival)
	if len(want) == 0 {
		return []string{"the harness's call says nothing"}
	}
	return b.reads(p, want)
}

// reads says if p is not read as want.
func (b receiptBench) reads(p gateway.Post, want []gateway.Receipt) []string {
	got, err, found := b.read(p)
	if err != nil {
		return append(found, "a genuine call is refused: "+err.Error())
	}
	if !reflect.DeepEqual(got, want) {
		found = append(found, fmt.Sprintf("read\n%+v, want\n%+v", got, want))
	}
	return found
}

// readsTwice: carriers repeat themselves, and to tell is not the reader's work.
func readsTwice(b receiptBench) []string {
	p, want := b.harness.Call(b.t, 0, arrival)
	return append(b.reads(p, want), b.reads(p, want)...)
}

// refuses says if p is not refused as forged.
func (b receiptBench) refuses(p gateway.Post, what string) []string {
	_, err, found := b.read(p)
	if !errors.Is(err, gateway.ErrForged) {
		found = append(found, what+" is not ErrForged")
	}
	return found
}

// refusesBare: neither header nor secret, nor empty ones.
func refusesBare(b receiptBench) []string {
	p, _ := b.harness.Call(b.t, 0, arrival)
	without := p
	without.Header, without.Secret = nil, ""
	empty := without
	empty.Header = maps.Clone(p.Header)
	for _, name := range b.harness.Signed.Headers {
		empty.Header[name] = []string{""}
	}
	return append(b.refuses(without, "a call without header and secret"), b.refuses(empty, "a call with empty headers")...)
}

func refusesStranger(b receiptBench) []string {
	return b.refuses(b.harness.Stranger(b.t, 0, arrival), "a call for another account")
}

// refusesStale: a call that was recorded is good for a while only, where the carrier's calls have a time.
func refusesStale(b receiptBench) []string {
	if b.harness.MaxAge == 0 {
		b.t.Skip("the carrier's calls have no time")
	}
	var found []string
	for age, good := range map[time.Duration]bool{
		0: true, b.harness.MaxAge - time.Second: true, b.harness.MaxAge + 2*time.Second: false, 365 * 24 * time.Hour: false, -24 * time.Hour: false,
	} {
		p, want := b.harness.Call(b.t, 0, arrival.Add(-age))
		if p.Now = arrival; good {
			found = append(found, b.reads(p, want)...)
		} else {
			found = append(found, b.refuses(p, "a call of "+age.String()+" ago")...)
		}
	}
	return found
}

// readsManyAtOnce: 8 callers, each with messages of its own, genuine and not.
func readsManyAtOnce(b receiptBench) []string {
	const callers, each = 8, 8
	faults := make(chan string, callers*each*8)
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				p, want := b.harness.Call(b.t, c*each+i, arrival)
				for _, fault := range append(b.reads(p, want), b.refuses(b.harness.Stranger(b.t, c*each+i, arrival), "a stranger's call")...) {
					faults <- fault
				}
			}
		})
	}
	all.Wait()
	close(faults)
	var found []string
	for fault := range faults {
		found = append(found, fault)
	}
	return found
}
