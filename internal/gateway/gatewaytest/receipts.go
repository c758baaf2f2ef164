package gatewaytest

import (
	"io"
	"net/http"
	"testing"
	"time"

	"smsd/internal/gateway"
)

// ReceiptHarness makes what [RunReceipts] tests.
type ReceiptHarness struct {
	// Open returns the reader, as it is for one account.
	Open func(t *testing.T) gateway.ReceiptReader
	// Call returns the carrier's call about the n-th message (and more, if it tells of several at once), made at that time, and what it
	// says. Each n is another message, and the call for an n and a time is always the same.
	Call func(t *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt)
	// Stranger returns the call as another account gets it: with another key, or to another secret in the path.
	Stranger func(t *testing.T, n int, at time.Time) gateway.Post
	// Bare returns a call that is the carrier's beyond doubt, with that body, whatever it is; nil: what is signed is a form or the like,
	// which can't hold just anything. Then such a body comes with the signature of another.
	Bare func(t *testing.T, body []byte, at time.Time) gateway.Post
	// Signed are the parts of a call that nobody can change unseen.
	Signed Signed
	// MaxAge is how old a call may be when it comes; 0: the carrier's calls have no time, and stay good.
	MaxAge time.Duration
	// Secrets are credentials that the reader holds; no error may hold one.
	Secrets []string
}

// Signed are parts of a call.
type Signed struct {
	Body, URL bool
	Secret    bool     // the one in the path
	Headers   []string // canonical names
}

// RunReceipts proves that the readers of h keep the contract of [gateway.ReceiptReader].
func RunReceipts(t *testing.T, h ReceiptHarness) {
	for _, tr := range receiptTrials {
		t.Run(tr.name, func(t *testing.T) {
			for _, fault := range tr.check(receiptBench{t, h, h.Open(t)}) {
				t.Error(fault)
			}
		})
	}
}

// A receiptTrial is one thing that must hold. check returns what is wrong.
type receiptTrial struct {
	name  string
	check func(receiptBench) []string
}

var receiptTrials = []receiptTrial{
	{"a genuine call is read", readsGenuine},
	{"the same call twice", readsTwice},
	{"a call that was changed", refusesChanged},
	{"a call without what proves it", refusesBare},
	{"a call to another account", refusesStranger},
	{"an old call", refusesStale},
	{"what is no receipt", survivesGarbage},
	{"many at once", readsManyAtOnce},
}

// receiptBench is where a trial takes place.
type receiptBench struct {
	t       *testing.T
	harness ReceiptHarness
	reader  gateway.ReceiptReader
}

// arrival is when calls of the suite come, unless a trial is about that.
var arrival = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

// PostOf returns r as it comes to a reader, with secret the last element of its path, or "".
func PostOf(t *testing.T, r *http.Request, secret string, now time.Time) gateway.Post {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return gateway.Post{URL: r.URL.String(), Secret: secret, Header: r.Header, Body: body, Now: now}
}

// CheckReceipts sees what must hold of any call at all, for a fuzz test: it is refused with an error that tells nothing of it, or what
// is read are receipts.
func CheckReceipts(t *testing.T, r gateway.ReceiptReader, p gateway.Post) {
	t.Helper()
	_, found, _ := receiptBench{t: t, reader: r}.read(p)
	for _, fault := range found {
		t.Error(fault)
	}
}
