package carrier_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// What is not one JSON object that fits says nothing, and nothing of it is repeated.
func TestJSON(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", " ", "null", "true", `"T0KEN"`, `[{"code": "OK"}]`, `{"code": "OK"`, `{"code": "OK"} T0KEN`, `{"code": 8613800138000}`,
		"<html>T0KEN 493817", "\ufeff{}", `{"code": "OK"}{"code": "OK"}`, strings.Repeat("[", 64<<10),
	} {
		var a struct{ Code string }
		is(t, carrier.Answer{Status: 200, Body: []byte(body)}.JSON(&a), gateway.Ambiguous, gateway.MaybeSent, "the answer is not")
	}
	var a struct{ Code string }
	if err := (carrier.Answer{Body: []byte("\r\n {\"code\": \"OK\", \"more\": [1]}\n")}).JSON(&a); err != nil || a.Code != "OK" {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-1": 0, "1.5": 0, "0": 0, "30": 30 * time.Second, "86401": 24 * time.Hour, "99999999999999999999": 0,
		"Mon, 30 Nov 2026 06:01:00 GMT": time.Minute, "Mon, 30 Nov 2026 05:59:00 GMT": 0, "Fri, 31 Dec 2027 00:00:00 GMT": 24 * time.Hour,
	} {
		if got := (carrier.Answer{Header: http.Header{"Retry-After": {text}}}).RetryAfter(now); got != want {
			t.Errorf("Retry-After: %s is %s, want %s", text, got, want)
		}
	}
}

// A vendor's code is worth telling; what is not one may be anything.
func TestCodesOfVendors(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"OK", "21211", "isv.BUSINESS_LIMIT_CONTROL", "FailedOperation.SignatureIncorrectOrUnapproved", "30"} {
		if got := carrier.Refused(gateway.BadNumber, code); !strings.HasSuffix(got.Error(), "the carrier says "+code) {
			t.Errorf("%s: %v", code, got)
		}
	}
	for _, code := range []string{"", "493817", "+86 138", "8613800138000", "to=13800138000", "bad number", "密钥", strings.Repeat("x", 65), "a\nb", "13800-138000"} {
		for _, got := range []*gateway.Error{carrier.Refused(gateway.BadNumber, code), carrier.Unclear("code", code)} {
			if !strings.HasSuffix(got.Error(), "(a code that is withheld)") {
				t.Errorf("%q: %v", code, got)
			}
		}
	}
}
