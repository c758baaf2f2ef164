package gatewaytest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// A fake carrier and a driver for it: what a new gateway and its test can start from.

const vendorKey = "key-f81d4fae"

type request struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

type said struct {
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

// fakeCarrier answers in the carrier's own words.
func fakeCarrier(s Scenario) http.Handler {
	var taken atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked request
		_ = json.NewDecoder(r.Body).Decode(&asked)
		echo := fmt.Sprintf("to=%s text=%s key=%s", asked.To, asked.Text, r.Header.Get("Authorization"))
		switch {
		case r.Header.Get("Authorization") != "Bearer "+vendorKey:
			_ = json.NewEncoder(w).Encode(said{Code: "BAD_KEY", Detail: echo})
		case s == Accepted:
			_ = json.NewEncoder(w).Encode(said{Code: "OK", ID: fmt.Sprint("id-", taken.Add(1))})
		default:
			_ = json.NewEncoder(w).Encode(said{Code: refusals[s], Detail: echo})
		}
	})
}

// driver is the driver. The flags put in the faults that the suite must find.
type driver struct {
	url    string
	key    secret.Text
	client *http.Client

	retries, echoes, wraps, optimist, pessimist, deaf, timid, oneID bool
	follows, unbounded, half, byStatus, tells                       bool

	hasty time.Duration // how long it waits for an answer; 0: as long as its context lasts
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
	limit := int64(64 << 10)
	if d.unbounded {
		limit = math.MaxInt64
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, limit))
	switch {
	case err != nil && !d.half:
		return gateway.Accepted{}, d.lost(err)
	case d.byStatus && response.StatusCode/100 == 2:
		return gateway.Accepted{}, nil
	case d.byStatus && response.StatusCode/100 == 5:
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent}
	}
	return d.read(raw)
}

// lost is an answer that did not come. Where no connection was made, nothing was sent. The errors of net/http print the URL,
// and whatever came that is not HTTP.
func (d *driver) lost(err error) error {
	var network *net.OpError
	dialed := !errors.As(err, &network) || network.Op != "dial"
	if !d.echoes {
		err = d.says("no answer")
	}
	if d.optimist || !dialed && !d.timid {
		return &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: err}
	}
	return &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: err}
}

func (d *driver) says(what string) error {
	if d.tells {
		what += " to " + d.key.Reveal()
	}
	return errors.New(what)
}

func (d *driver) read(raw []byte) (gateway.Accepted, error) {
	var a said
	err := json.Unmarshal(raw, &a)
	reason, known := reasons[a.Code]
	switch {
	case a.Code == "OK" && d.oneID:
		return gateway.Accepted{ProviderID: "id"}, nil
	case a.Code == "OK" || d.pessimist:
		return gateway.Accepted{ProviderID: a.ID}, nil
	case err != nil || !known:
		cause := d.says("the answer can't be understood")
		if d.echoes {
			cause = fmt.Errorf("answer %q", raw)
		}
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: cause}
	}
	cause := d.says("the carrier says " + a.Code)
	if d.echoes {
		cause = errors.Join(cause, errors.New(a.Detail))
	}
	return gateway.Accepted{}, &gateway.Error{Reason: reason, Sent: gateway.NotSent, Err: cause}
}

// harness opens drivers like d.
func harness(d driver) HTTPHarness {
	return HTTPHarness{
		Open: func(t *testing.T, url string) gateway.Driver {
			opened := d
			opened.url, opened.key, opened.client = url, secret.New(vendorKey), &http.Client{Transport: &http.Transport{}, Timeout: d.hasty}
			t.Cleanup(opened.client.CloseIdleConnections)
			if !d.follows {
				opened.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			}
			return &opened
		},
		Carrier: func(_ *testing.T, s Scenario) http.Handler { return fakeCarrier(s) },
		Secrets: []string{vendorKey},
	}
}
