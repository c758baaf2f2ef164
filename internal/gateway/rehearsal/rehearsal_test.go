package rehearsal

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// faultOf says by which fault each scenario is played.
var faultOf = map[gatewaytest.Scenario]string{
	gatewaytest.Accepted:    "",
	gatewaytest.BadNumber:   mock.Reject,
	gatewaytest.Throttled:   mock.Throttle,
	gatewaytest.Unavailable: mock.Unavailable,
	gatewaytest.LostBefore:  mock.TimeoutBeforeAccept,
	gatewaytest.LostAfter:   mock.TimeoutAfterAccept,
	gatewaytest.Malformed:   mock.Malformed,
	gatewaytest.Silent:      mock.Slow,
}

// A rehearsal keeps the contract as the vendor's driver does.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, name := range Vendors() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gatewaytest.Run(t, gatewaytest.Harness{Open: func(t *testing.T, v *gatewaytest.Vendor) gateway.Driver { return play(t, name, v) }})
		})
	}
}

// play opens a rehearsal that plays v's scenario; nobody can be out of reach in one.
func play(t *testing.T, name string, v *gatewaytest.Vendor) gateway.Driver {
	g := newGateway(t, name)
	if v.Scenario == gatewaytest.Unreachable {
		return unreachable{g}
	}
	kind, has := faultOf[v.Scenario]
	if !has || name == "aws" && kind == mock.Throttle { // the vendor has no word for it
		return nil
	}
	if kind == mock.Slow {
		set(t, g, mock.Fault{Kind: kind, Delay: mock.MaxDelay})
	} else if kind != "" {
		set(t, g, mock.Fault{Kind: kind})
	}
	g.vendor = counted(g.vendor, v)
	return g
}

// counted has v hear of each message that reaches the fake.
func counted(of func() (vendor, error), v *gatewaytest.Vendor) func() (vendor, error) {
	return func() (vendor, error) {
		made, err := of()
		carrier := made.carrier
		made.carrier = func(decide func(call) gateway.Reason) http.Handler {
			return carrier(func(later call) gateway.Reason { v.Reached(); return decide(later) })
		}
		return made, err
	}
}

// unreachable has a vendor that can't be made.
type unreachable struct{ *Gateway }

func (u unreachable) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	u.vendor = func() (vendor, error) { return vendor{}, http.ErrServerClosed }
	return u.Gateway.Send(ctx, m)
}

// made has one account for each vendor: an RSA key takes its time.
var made = map[string]func() (vendor, error){
	"aliyun": sync.OnceValues(newAliyun), "aws": sync.OnceValues(newAWS), "tencent": sync.OnceValues(newTencent), "twilio": sync.OnceValues(newTwilio), "vonage": sync.OnceValues(newVonage),
}

func newGateway(t *testing.T, name string) *Gateway {
	t.Helper()
	g, err := New("mock-"+name, name)
	if err != nil {
		t.Fatal(err)
	}
	g.vendor = made[name]
	return g
}

func set(t *testing.T, g *Gateway, f mock.Fault) {
	t.Helper()
	if err := g.Inbox().SetFault(f); err != nil {
		t.Fatal(err)
	}
}

func message(i int, to string) gateway.Message {
	code := fmt.Sprintf("73%04d", i)
	return gateway.Message{ID: fmt.Sprint("message-", i), SMSID: fmt.Sprint("sms-", i), Phone: phone.MustParse(to), Scene: "login", Locale: "en",
		Text: secret.New(code + " is your code"), Code: secret.New(code)}
}

// What each fault becomes at each vendor, in the vendor's own words, and what the inbox has of it then.
func TestFaults(t *testing.T) {
	t.Parallel()
	const ambiguous = "gateway: ambiguous, maybe sent: "
	for _, c := range []struct {
		fault string
		takes bool
		says  map[string]string // by vendor; "" for all
	}{
		{"", true, nil},
		{mock.Slow, true, nil},
		{mock.Reject, false, map[string]string{
			"aws":    "gateway: bad_number: the carrier says DESTINATION_PHONE_NUMBER_OPTED_OUT",
			"aliyun": "gateway: bad_number: the carrier says isv.MOBILE_NUMBER_ILLEGAL", "tencent": "gateway: bad_number: the carrier says InvalidParameterValue.IncorrectPhoneNumber",
			"twilio": "gateway: bad_number: the carrier says 21211", "vonage": "gateway: bad_number: the carrier says 110"}},
		{mock.Throttle, false, map[string]string{
			"aws":    "gateway: temporary: the carrier says ThrottlingException",
			"aliyun": "gateway: throttled: the carrier says isv.BUSINESS_LIMIT_CONTROL", "tencent": "gateway: throttled: the carrier says LimitExceeded.PhoneNumberThirtySecondLimit",
			"twilio": "gateway: throttled: the carrier says 14107", "vonage": "gateway: throttled: the carrier says 1241"}},
		{mock.Unavailable, false, map[string]string{
			"aws":    "gateway: temporary: the carrier says ThrottlingException",
			"aliyun": "gateway: temporary: the carrier says Throttling.User", "tencent": "gateway: temporary: the carrier says LimitExceeded.GlobalSmsSendingRateLimit",
			"twilio": "gateway: temporary: the carrier says 20429", "vonage": "gateway: temporary: the carrier says 1000"}},
		{mock.TimeoutBeforeAccept, false, map[string]string{"": ambiguous + "no whole answer: the other side hung up"}},
		{mock.TimeoutAfterAccept, true, map[string]string{"": ambiguous + "no whole answer: the other side hung up"}},
		{mock.Malformed, true, map[string]string{"": ambiguous, "aws": "an answer that is not the carrier's own",
			"aliyun": "the answer is not JSON", "tencent": "the answer is not JSON", "twilio": "the answer is not JSON", "vonage": "the answer is not JSON"}},
	} {
		for _, name := range Vendors() {
			t.Run(c.fault+" at "+name, func(t *testing.T) {
				t.Parallel()
				g := newGateway(t, name)
				if c.fault == mock.Slow {
					set(t, g, mock.Fault{Kind: c.fault, Delay: time.Millisecond})
				} else if c.fault != "" {
					set(t, g, mock.Fault{Kind: c.fault})
				}
				want := c.says[""] + c.says[name]
				accepted, err := g.Send(t.Context(), message(1, "+8613800138000"))
				switch text := fmt.Sprint(err); {
				case want == "" && (err != nil || accepted.ProviderID == ""):
					t.Errorf("%v, id %q", err, accepted.ProviderID)
				case want != "" && (len(text) < len(want) || text[:len(want)] != want):
					t.Errorf("%s, want %s", text, want)
				}
				if n := len(g.Inbox().Messages(mock.Filter{})); (n == 1) != c.takes {
					t.Errorf("%d messages in the inbox", n)
				}
			})
		}
	}
}

// Whoever sends at the same time, the inbox has each message once, with what people would read, and ids differ.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	for _, name := range Vendors() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, name)
			ids, all := sync.Map{}, sync.WaitGroup{}
			const messages = 40
			for i := range messages {
				all.Go(func() {
					accepted, err := g.Send(t.Context(), message(i, "+8613800138000"))
					if _, again := ids.LoadOrStore(accepted.ProviderID, i); err != nil || again {
						t.Errorf("%v, id %q", err, accepted.ProviderID)
					}
				})
			}
			all.Wait()
			seen := map[string]bool{}
			for _, m := range g.Inbox().Messages(mock.Filter{}) {
				if m.Gateway != "mock-"+name || m.Text.Reveal() != m.Code.Reveal()+" is your code" || seen[m.SMSID] {
					t.Errorf("%s by %s, seen %v", m.SMSID, m.Gateway, seen[m.SMSID])
				}
				seen[m.SMSID] = true
			}
			if len(seen) != messages {
				t.Errorf("%d messages in the inbox", len(seen))
			}
		})
	}
}

// A stranger who finds the port has no credentials: nothing gets into the inbox.
func TestAStrangerIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range Vendors() {
		v, err := made[name]()
		if err != nil {
			t.Fatal(err)
		}
		other, err := vendors[name]()
		if err != nil {
			t.Fatal(err)
		}
		played := false
		s := &stage{vendor: v, play: func(context.Context, call) string { played = true; return "" }}
		url, end, err := serve(s)
		if err != nil {
			t.Fatal(err)
		}
		driver, err := other.open(url)
		if err != nil {
			t.Fatal(err)
		}
		_, err = driver.Send(t.Context(), message(1, "+8613800138000"))
		end()
		if e, ok := err.(*gateway.Error); !ok || e.Reason != gateway.Configuration || played {
			t.Errorf("%s: %v, played %v", name, err, played)
		}
	}
}

func TestUnknownVendor(t *testing.T) {
	t.Parallel()
	if _, err := New("mock-acme", "acme"); err == nil {
		t.Error("there is no vendor acme")
	}
}
