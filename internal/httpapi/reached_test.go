package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

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
