package gatewaytest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// A fake carrier and a driver for it: what a new gateway and its test can start from.

const vendorKey = "key-f81d4fae"

type request struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

type answer struct {
	Code string `json:"code"`
	ID   string `json:"id,omitempty"`
	// Detail echoes what was sent, as carriers like to.
	Detail string `json:"detail,omitempty"`
}

// refusals are what the fake says by scenario; codes are the carrier's own.
var refusals = map[Scenario]string{
	BadNumber:     "INVALID_TO",
	Throttled:     "BUSINESS_LIMIT",
	Configuration: "BAD_SIGNATURE",
	Content:       "BAD_TEXT",
	Unavailable:   "TRY_LATER",
}

func fakeCarrier(v *Vendor) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var asked request
		_ = json.Unmarshal(body, &asked)
		n := v.Reached()
		echo := fmt.Sprintf("to=%s text=%s key=%s", asked.To, asked.Text, r.Header.Get("Authorization"))
		switch v.Scenario {
		case Accepted:
			_ = json.NewEncoder(w).Encode(answer{Code: "OK", ID: fmt.Sprint("id-", n)})
		case LostBefore, LostAfter:
			panic(http.ErrAbortHandler)
		case Malformed:
			fmt.Fprintf(w, "<html>%s", echo)
		case Silent:
			select {
			case <-r.Context().Done():
			case <-v.Over():
			}
		default:
			_ = json.NewEncoder(w).Encode(answer{Code: refusals[v.Scenario], Detail: echo})
		}
	})
}

// driver is the driver. The flags put in the faults that the suite must find.
type driver struct {
	url    string
	key    secret.Text
	client *http.Client

	retries, echoes, wraps, optimist, pessimist, deaf, timid, oneID bool
}

// reasons reads the carrier's codes. A code that is not here is one that nobody understands.
var reasons = map[string]gateway.Reason{
	"INVALID_TO":     gateway.BadNumber,
	"BUSINESS_LIMIT": gateway.Throttled,
	"BAD_SIGNATURE":  gateway.Configuration,
	"BAD_TEXT":       gateway.Content,
	"TRY_LATER":      gateway.Temporary,
}

func (d *driver) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	if d.deaf {
		ctx = context.WithoutCancel(ctx)
	}
	if err := ctx.Err(); err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: err}
	}
	accepted, err := d.send(ctx, m)
	if d.retries && err != nil {
		accepted, err = d.send(ctx, m)
	}
	if d.wraps && err != nil {
		err = fmt.Errorf("acme: %w", err)
	}
	return accepted, err
}

func (d *driver) send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	body, err := json.Marshal(request{To: m.Phone.E164(), Text: m.Text.Reveal()})
	if err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: err}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+"?to="+m.Phone.E164()[1:], bytes.NewReader(body))
	if err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the URL is none")}
	}
	r.Header.Set("Authorization", "Bearer "+d.key.Reveal())
	response, err := d.client.Do(r)
	if err != nil {
		return gateway.Accepted{}, d.lost(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return gateway.Accepted{}, d.lost(err)
	}
	return d.read(raw)
}

// lost is an answer that did not come. Where no connection was made, nothing was sent. A url.Error prints
// the URL, so only what is inside it goes on.
func (d *driver) lost(err error) error {
	if inner := errors.Unwrap(err); inner != nil && !d.echoes {
		err = inner
	}
	var network *net.OpError
	dialed := !errors.As(err, &network) || network.Op != "dial"
	if d.optimist || !dialed && !d.timid {
		return &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: err}
	}
	return &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: err}
}

func (d *driver) read(raw []byte) (gateway.Accepted, error) {
	var a answer
	err := json.Unmarshal(raw, &a)
	reason, known := reasons[a.Code]
	switch {
	case a.Code == "OK" && d.oneID:
		return gateway.Accepted{ProviderID: "id"}, nil
	case a.Code == "OK" || d.pessimist:
		return gateway.Accepted{ProviderID: a.ID}, nil
	case err != nil || !known:
		cause := errors.New("the answer can't be understood")
		if d.echoes {
			cause = fmt.Errorf("answer %q", raw)
		}
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: cause}
	}
	cause := errors.New("the carrier says " + a.Code)
	if d.echoes {
		cause = errors.Join(cause, errors.New(a.Detail))
	}
	return gateway.Accepted{}, &gateway.Error{Reason: reason, Sent: gateway.NotSent, Err: cause}
}

// harness opens drivers like d.
func harness(d driver) Harness {
	return Harness{
		Open: func(t *testing.T, v *Vendor) gateway.Driver {
			server := httptest.NewServer(fakeCarrier(v))
			t.Cleanup(server.Close)
			if v.Scenario == Unreachable {
				server.Close()
			}
			opened := d
			opened.url, opened.key, opened.client = server.URL, secret.New(vendorKey), server.Client()
			return &opened
		},
		Secrets: []string{vendorKey},
	}
}
