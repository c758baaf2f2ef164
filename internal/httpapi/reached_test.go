package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/policy"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// lost is a store of codes that can be cut off: the real one behind a switch.
type lost struct {
	sms.Codes
	gone error
}

func (l *lost) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	if l.gone != nil {
		return time.Time{}, l.gone
	}
	return l.Codes.Put(ctx, id, n)
}

func (l *lost) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	if l.gone != nil {
		return sms.Record{}, l.gone
	}
	return l.Codes.Verify(ctx, id, g)
}

func (l *lost) Get(ctx context.Context, id string) (sms.Record, error) {
	if l.gone != nil {
		return sms.Record{}, l.gone
	}
	return l.Codes.Get(ctx, id)
}

// cutOff is a store of counters that panics, or is out of reach.
type cutOff struct {
	throttle.Store
	panics bool
}

func (c *cutOff) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if c.panics {
		panic(errors.New("+8613800138000"))
	}
	return throttle.Taken{}, fmt.Errorf("cut off: %w", throttle.ErrUnavailable)
}

// reached is how each row of the problem table is reached over HTTP.
func reached(t *testing.T) map[string]func() *reply {
	t.Helper()
	a := newAPI(t, func(s *setup) {
		s.policy.Blocks = []sms.Block{{Number: phone.MustParse("+8613900000000")}}
		s.http.AdminToken = secret.New("a-long-admin-token")
		s.http.Advance = nil
	})
	token := []string{"Authorization", "Bearer a-long-admin-token"}
	codes := &lost{gone: errors.New("boom")}
	broken := newAPI(t, func(s *setup) {
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	away := newAPI(t, func(s *setup) {
		s.counters = func(real throttle.Store) throttle.Store { return &cutOff{Store: real} }
	})
	fault := func(kind string) *reply {
		a.operate("PUT", "/mock/faults", `{"fault":"`+kind+`","phone":"+447911123456","times":1}`, token...)
		return a.sendTo("+447911123456")
	}
	id, code := a.sent(alice)
	proof := a.proven("+8613500135000")
	a.consume(proof, "")
	old := a.proven("+8613400134000")
	calls := keyProblems(t)
	maps.Copy(calls, map[string]func() *reply{
		"rate_limited":            func() *reply { return a.sendTo(alice) },
		"invalid_request":         func() *reply { return a.send(`{}`) },
		"code_incorrect":          func() *reply { return a.verify(id, wrong(code)) },
		"invalid_phone":           func() *reply { return a.sendTo("12") },
		"verification_not_found":  func() *reply { return a.verify("6f9619ff-8b86-4011-b42d-00c04fc964ff", "123456") },
		"unknown_scene":           func() *reply { return a.send(`{"phone":"+8613800138000","scene":"nothing"}`) },
		"destination_not_allowed": func() *reply { return a.sendTo("+861012345678") },
		"blocked":                 func() *reply { return a.sendTo("+8613900000000") },
		"undeliverable":           func() *reply { return fault("reject") },
		"gateway_failed":          func() *reply { return fault("unavailable") },
		"unavailable":             func() *reply { return away.sendTo(alice) },
		"not_found":               func() *reply { return a.post("/api/v1/sms/nothing", `{}`) },
		"method_not_allowed": func() *reply {
			return a.do(a.public, request("GET", "http://127.0.0.1:8080/api/v1/sms/send", ""))
		},
		"body_too_large":         func() *reply { return a.send(strings.Repeat(" ", maxBody+1)) },
		"unsupported_media_type": func() *reply { return a.post("/api/v1/sms/send", `{}`, "Content-Encoding", "gzip") },
		"unauthorized":           func() *reply { return a.operate("GET", "/mock/messages", "") },
		"forbidden": func() *reply {
			return a.do(a.admin, request("GET", "http://evil.example/mock/messages", "", token...))
		},
		"clock_not_movable": func() *reply { return a.operate("POST", "/mock/clock", `{"advance":"1s"}`, token...) },
		"internal":          func() *reply { return broken.sendTo(alice) },
		"token_invalid":     func() *reply { return a.consume("e30.e30.e30", "") },
		"token_consumed":    func() *reply { return a.consume(proof, "") },
		"token_expired": func() *reply {
			a.clock.Advance(6 * time.Minute)
			return a.consume(old, "")
		},
		"code_expired": func() *reply {
			a.clock.Advance(5 * time.Minute)
			return a.verify(id, code)
		},
		"attempts_exhausted": func() *reply {
			id, code := a.sent("+8613700137000")
			for range 5 {
				a.verify(id, wrong(code))
			}
			return a.verify(id, code)
		},
		"code_used": func() *reply {
			id, code := a.sent("+8613600136000")
			a.verify(id, code)
			return a.verify(id, code)
		},
	})
	return calls
}

// Every row of the table is reached, with its fields and headers.
func TestEveryProblemIsReached(t *testing.T) {
	t.Parallel()
	calls := reached(t)
	late := []string{"code_expired", "outcome_unknown", "token_expired"} // move the clock
	order := []string{}
	for code := range calls {
		if !slices.Contains(late, code) {
			order = append(order, code)
		}
	}
	for _, code := range append(order, late...) {
		r := calls[code]()
		if r.status != promisedCodes[code] || r.code() != code {
			t.Errorf("%s: answer %d %q: %s", code, r.status, r.code(), r.body)
			continue
		}
		checkProblem(t, r)
	}
	for code := range promisedCodes {
		if calls[code] == nil {
			t.Errorf("%s: nobody reaches it", code)
		}
	}
}

func checkProblem(t *testing.T, r *reply) {
	t.Helper()
	code := r.code()
	if r.header.Get("Content-Type") != "application/problem+json" || r.number("status") != r.status ||
		r.text("type") != "/problems/"+strings.ReplaceAll(code, "_", "-") || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: %v %s", code, r.header, r.body)
	}
	waits := code == "rate_limited" || code == "unavailable" || code == "request_in_progress"
	if after := r.header.Get("Retry-After"); waits != (after != "") || waits && fmt.Sprint(r.number("retry_after")) != after {
		t.Errorf("%s: Retry-After %q, body %s", code, after, r.body)
	}
	if (code == "method_not_allowed") != (r.header.Get("Allow") != "") {
		t.Errorf("%s: Allow %q", code, r.header.Get("Allow"))
	}
	if (code == "unauthorized") != (len(r.header.Values("WWW-Authenticate")) == 2) {
		t.Errorf("%s: WWW-Authenticate %q", code, r.header.Values("WWW-Authenticate"))
	}
}

// What no row knows says nothing but its request id; the log has the rest.
func TestInternalSaysNothing(t *testing.T) {
	t.Parallel()
	codes := &lost{gone: errors.New("disk on fire")}
	a := newAPI(t, func(s *setup) {
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	r := a.sendTo(alice)
	a.want(r, 500, "internal")
	if strings.Contains(string(r.body), "fire") {
		t.Errorf("the answer tells: %s", r.body)
	}
	if log := a.log.String(); !strings.Contains(log, "disk on fire") || !strings.Contains(log, r.text("request_id")) {
		t.Errorf("the log does not tell: %s", log)
	}
}

// A panic is a 500 too, and what it was carrying is not in the log.
func TestPanicIsAnswered(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.counters = func(real throttle.Store) throttle.Store { return &cutOff{real, true} }
	})
	r := a.sendTo(alice)
	a.want(r, 500, "internal")
	log := a.log.String()
	if !strings.Contains(log, "panic") || !strings.Contains(log, r.text("request_id")) || !strings.Contains(log, "reached_test.go") {
		t.Errorf("the log does not say where: %s", log)
	}
	if strings.Contains(log, "13800138000") {
		t.Error("the log holds what the panic was carrying")
	}
}

// cron-job.org#446, paramant-relay PR 368, Truxify PR 1218: with the store away nothing is sent, nothing is
// verified, and nothing is called a wrong code.
func TestStoreAway(t *testing.T) {
	t.Parallel()
	codes := &lost{}
	a := newAPI(t, func(s *setup) {
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	id, code := a.sent(alice)
	codes.gone = fmt.Errorf("away: %w", sms.ErrUnavailable)
	for _, r := range []*reply{a.sendTo("+8613900139000"), a.verify(id, code), a.verify(id, "123456"), a.resend(id)} {
		a.want(r, 503, "unavailable")
	}
	if n := len(a.messages()); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	codes.gone = nil
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("back again: %d %s", r.status, r.body)
	}
	a.sent("+8613900139000") // what the failed send was charged is given back
}

// A full store answers new numbers 503, and keeps those that are in it.
func TestStoreFull(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.maxCodes = 1 })
	id, code := a.sent(alice)
	a.want(a.sendTo("+8613900139000"), 503, "unavailable")
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}

// The local layers refuse as the others do.
func TestLocalLimits(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 0.001, IPBurst: 1}
	})
	a.sent(alice)
	a.want(a.sendTo("+8613900139000"), 429, "rate_limited")
	other := request("POST", "http://127.0.0.1:8080/api/v1/sms/send", `{"phone":"+8613900139000","scene":"login"}`)
	other.RemoteAddr = "198.51.100.1:1"
	a.want(a.do(a.public, other), 200, "")
}

// better-auth PR 7300, AspNetCoreRateLimit#32, authelia#13151: the hosts of one /64 are one bucket, and a
// mapped address is the IPv4 one; forged X-Forwarded-For changes nothing (qryptchat-web PR 79).
func TestAddressBuckets(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte(`
limits: [{name: ip, by: [ip], limit: 1, window: 1h}]
scenes: {login: {code: {length: 6, ttl: 5m, attempts: 5}, countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		first, second [2]string // peer, X-Forwarded-For
		status        int
	}{
		"one /64":               {[2]string{"[2001:db8::1]:1"}, [2]string{"[2001:db8::ffff:2]:9"}, 429},
		"another /64":           {[2]string{"[2001:db8::1]:1"}, [2]string{"[2001:db8:0:1::1]:1"}, 200},
		"mapped":                {[2]string{"203.0.113.1:1"}, [2]string{"[::ffff:203.0.113.1]:1"}, 429},
		"loopback spellings":    {[2]string{"[::1]:1"}, [2]string{"[0:0:0:0:0:0:0:1]:1"}, 429},
		"forged, direct":        {[2]string{"203.0.113.1:1", "198.51.100.1"}, [2]string{"203.0.113.1:1", "198.51.100.2"}, 429},
		"forged, behind one":    {[2]string{"10.0.0.1:1", "198.51.100.1, 203.0.113.1"}, [2]string{"10.0.0.1:1", "198.51.100.2, 203.0.113.1"}, 429},
		"two clients of one":    {[2]string{"10.0.0.1:1", "203.0.113.1"}, [2]string{"10.0.0.1:1", "203.0.113.2"}, 200},
		"one client, two peers": {[2]string{"10.0.0.1:1", "203.0.113.1"}, [2]string{"10.0.0.2:1", "203.0.113.1"}, 429},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, func(s *setup) {
				s.policy = p
				s.http.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
			})
			send := func(from [2]string, phone string) *reply {
				r := request("POST", "http://127.0.0.1:8080/api/v1/sms/send", `{"phone":"`+phone+`","scene":"login"}`)
				r.RemoteAddr = from[0]
				if from[1] != "" {
					r.Header.Set("X-Forwarded-For", from[1])
				}
				return a.do(a.public, r)
			}
			if r := send(c.first, "+8613800138001"); r.status != http.StatusOK {
				t.Fatalf("first: %d %s", r.status, r.body)
			}
			if r := send(c.second, "+8613800138002"); r.status != c.status {
				t.Errorf("second: %d, want %d: %s", r.status, c.status, r.body)
			}
		})
	}
}

// supabase/auth PR 788: odd or missing optional fields do not get past the limiter.
func TestOddFieldsAreLimited(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	for _, more := range []string{`"device_id":""`, `"device_id":"x"`, `"locale":"xx-nonsense"`, `"region":"US"`, `"region":null`, `"locale":null,"device_id":null`} {
		a.want(a.send(`{"phone":"+8613800138000","scene":"login",`+more+`}`), 429, "rate_limited")
	}
}

// supabase/cli 3656: a test number in a loop spends no quota and sends no message.
func TestTestNumberInALoop(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.policy.TestNumbers = map[phone.Number]sms.TestNumber{phone.MustParse(alice): {Code: secret.New("000000"), Until: start.Add(24 * 365 * time.Hour)}}
	})
	for range 20 {
		r := a.sendTo(alice)
		if r.status != http.StatusOK {
			t.Fatalf("send: %d %s", r.status, r.body)
		}
		a.want(a.verify(r.text("sms_id"), "000000"), 200, "")
	}
	if n := len(a.messages()); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
}
