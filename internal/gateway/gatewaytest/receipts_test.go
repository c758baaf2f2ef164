package gatewaytest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
)

// reader reads the receipts of a small carrier, which signs a time and the body: what a new one can start from. The flags put in the
// faults that the suite must find.
type reader struct {
	gullible, partial, verbose, eager, forgetful, brittle, careless bool
}

const (
	receiptKey = "receipt-key-1"
	goodFor    = 5 * time.Minute
)

// told is the carrier's word on one message.
type told struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

var statesTold = map[string]gateway.ReceiptState{"sent": gateway.UnderWay, "there": gateway.Delivered}

func (r reader) Receipts(_ context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	if err := r.authentic(p); err != nil && !r.gullible {
		return nil, err
	}
	var one told
	err := json.Unmarshal(p.Body, &one)
	switch {
	case err != nil && r.brittle:
		panic(err)
	case r.careless:
		return []gateway.Receipt{{MessageID: one.ID, State: statesTold[one.State]}}, nil
	case err != nil || statesTold[one.State] == "" || one.ID == "":
		return nil, gateway.ErrUnreadable
	}
	return []gateway.Receipt{{MessageID: one.ID, State: statesTold[one.State]}}, nil
}

func (r reader) authentic(p gateway.Post) error {
	at, mac, _ := strings.Cut(firstOf(p.Header["Signature"]), " ")
	body := p.Body
	if r.partial {
		body = nil
	}
	seconds, _ := strconv.ParseInt(at, 10, 64)
	age := p.Now.Sub(time.Unix(seconds, 0))
	switch {
	case r.eager && len(mac) < 64 && strings.HasPrefix(signReceipt(receiptKey, at, body), mac):
		return nil
	case !hmac.Equal([]byte(mac), []byte(signReceipt(receiptKey, at, body))) && r.verbose:
		return fmt.Errorf("%w: %s", gateway.ErrForged, p.Body)
	case !hmac.Equal([]byte(mac), []byte(signReceipt(receiptKey, at, body))):
		return gateway.ErrForged
	case age.Abs() > goodFor && !r.forgetful:
		return gateway.ErrForged
	}
	return nil
}

func firstOf(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

func signReceipt(key, at string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(mac, "%s.%s", at, body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (r reader) post(key string, body []byte, at time.Time) gateway.Post {
	seconds, signed := strconv.FormatInt(at.Unix(), 10), body
	if r.partial {
		signed = nil
	}
	return gateway.Post{Header: map[string][]string{"Signature": {seconds + " " + signReceipt(key, seconds, signed)}}, Body: body, Now: at}
}

func receiptHarness(r reader) ReceiptHarness {
	body := func(n int) []byte { return fmt.Appendf(nil, `{"id":"message20261130n%d","state":"there"}`, n) }
	return ReceiptHarness{
		Open: func(*testing.T) gateway.ReceiptReader { return r },
		Call: func(_ *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
			return r.post(receiptKey, body(n), at), []gateway.Receipt{{MessageID: fmt.Sprintf("message20261130n%d", n), State: gateway.Delivered}}
		},
		Stranger: func(_ *testing.T, n int, at time.Time) gateway.Post { return r.post("another", body(n), at) },
		Bare:     func(_ *testing.T, body []byte, at time.Time) gateway.Post { return r.post(receiptKey, body, at) },
		Signed:   Signed{Body: true, Headers: []string{"Signature"}},
		MaxAge:   goodFor,
		Secrets:  []string{receiptKey},
	}
}

func TestReader(t *testing.T) { RunReceipts(t, receiptHarness(reader{})) }

// A suite that a bad reader passes is worth nothing: each of these has one fault, and each is found.
func TestBadReadersAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		reader reader
		trials []string // that must find something, of all
		says   string
	}{
		"believes anybody": {reader{gullible: true}, []string{
			"a call that was changed", "a call without what proves it", "a call to another account", "an old call", "many at once",
		}, "means something else"},
		"signs without the body":     {reader{partial: true}, []string{"a call that was changed"}, "means something else"},
		"says what it was told":      {reader{verbose: true}, []string{"a call that was changed", "a call without what proves it", "a call to another account", "many at once"}, "holds a part of the call"},
		"takes half a signature":     {reader{eager: true}, []string{"a call without what proves it"}, "is not ErrForged"},
		"knows no time":              {reader{forgetful: true}, []string{"an old call"}, "ago is not ErrForged"},
		"breaks":                     {reader{brittle: true}, []string{"what is no receipt"}, "panicked"},
		"reads receipts in anything": {reader{careless: true}, []string{"what is no receipt"}, "has no id"},
	} {
		t.Run(name, func(t *testing.T) {
			var found []string
			for _, tr := range receiptTrials {
				faults := tr.check(receiptBench{t, receiptHarness(c.reader), c.reader})
				if len(faults) == 0 {
					continue
				}
				found = append(found, tr.name)
				if tr.name == c.trials[0] && !strings.Contains(strings.Join(faults, "\n"), c.says) {
					t.Errorf("%s: %q says nothing of %q", tr.name, faults, c.says)
				}
			}
			if !slices.Equal(found, c.trials) {
				t.Errorf("found in %q\nwant     %q", found, c.trials)
			}
		})
	}
}
