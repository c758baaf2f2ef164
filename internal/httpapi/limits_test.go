package httpapi

import (
	"net/http"
	"net/netip"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/policy"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

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
