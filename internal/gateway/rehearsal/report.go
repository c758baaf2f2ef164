package rehearsal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// receiptsURL is where the vendor is told to report. Nobody is there (RFC 2606, section 2): its calls are handed to the driver.
const receiptsURL = "https://rehearsal.invalid/receipts"

// call makes the one by which a vendor reports on a message that it took. said has an At, and the reason of what did not arrive is one that
// the vendor has a word for.
type call func(said gateway.Receipt) *http.Request

// reporter has the vendor make calls about m, which its driver then has to believe and to read. Where nobody can play its calls, it is
// told as the mock gateway tells it.
func (v vendor) reporter(m gateway.Message, later call) mock.Reporter {
	if later == nil {
		return mock.OwnReporter(m.ID)
	}
	return func(ctx context.Context, said gateway.Receipt) ([]gateway.Receipt, error) {
		said.At = cmp.Or(said.At, time.Now())
		p, err := post(later(said))
		if err != nil {
			return nil, err
		}
		reader, err := v.open("http://127.0.0.1") // which it does not call
		if err != nil {
			return nil, err
		}
		receipts, err := reader.Receipts(ctx, p)
		if err != nil { // not %w: it is no call of anybody else, and a fault of ours
			return nil, fmt.Errorf("rehearsal: the driver refuses the vendor's receipt: %v", err)
		}
		return receipts, nil
	}
}

// post is a call as it comes.
func post(r *http.Request) (gateway.Post, error) {
	body, err := io.ReadAll(r.Body) // made here, and small
	_, behind, _ := strings.Cut(r.URL.Path, "/receipts/")
	return gateway.Post{URL: r.URL.String(), Secret: behind, Header: r.Header, Body: body, Now: time.Now()}, err
}

// word returns the code for why a message did not arrive; "": it did. Where the vendor has none for the reason, it is that of
// [gateway.Ambiguous].
func word(codes map[gateway.Reason]string, said gateway.Receipt) string {
	if said.State != gateway.Undelivered {
		return ""
	}
	return cmp.Or(codes[said.Reason], codes[gateway.Ambiguous])
}
