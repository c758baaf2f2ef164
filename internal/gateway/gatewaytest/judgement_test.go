package gatewaytest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
)

func TestJudgement(t *testing.T) {
	t.Parallel()
	var none *gateway.Error
	for _, c := range []struct {
		status int
		err    error
		says   string // "": nothing is wrong
	}{
		{200, nil, ""},
		{500, nil, "is accepted"},
		{200, &gateway.Error{Reason: gateway.Ambiguous}, ""},
		{400, &gateway.Error{Reason: gateway.Content, Sent: gateway.NotSent}, ""},
		{400, &gateway.Error{Reason: gateway.Content}, "content and maybe sent"},
		{400, &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.NotSent}, "ambiguous and not sent"},
		{400, errors.New("x"), "want a *gateway.Error"},
		{400, none, "want a *gateway.Error"},
		{400, &gateway.Error{Reason: gateway.Throttled, Sent: gateway.NotSent, RetryAfter: 25 * time.Hour}, "a wait of 25h"},
		{400, &gateway.Error{Reason: gateway.Content, Sent: gateway.NotSent, Err: errors.New(strings.Repeat("x", 200))}, "told at length"},
	} {
		if got := Judgement(c.status, gateway.Accepted{}, c.err); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%d, %v: %q, want %q", c.status, c.err, got, c.says)
		}
	}
}
