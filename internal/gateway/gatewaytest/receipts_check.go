package gatewaytest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"sync"
	"time"

	"smsd/internal/gateway"
)

// read reads p, and returns beside what came of it what is wrong with that whatever p is.
func (b receiptBench) read(p gateway.Post) (receipts []gateway.Receipt, found []string, err error) {
	defer func() {
		if v := recover(); v != nil {
			found = append(found, fmt.Sprintf("Receipts panicked with a %T", v))
		}
	}()
	receipts, err = b.reader.Receipts(b.t.Context(), p)
	if err != nil {
		return receipts, b.wrongError(receipts, err, p), err
	}
	for _, r := range receipts {
		found = append(found, wrongReceipt(r)...)
	}
	return receipts, found, nil
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
	got, found, err := b.read(p)
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
	_, found, err := b.read(p)
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
