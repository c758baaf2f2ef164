package gatewaytest

import (
	"fmt"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// maxText is far above what an error of words from closed lists and one code has.
const maxText = 200

// Judgement returns what is wrong with accepted and err as what a driver makes of an answer with this status, whatever the answer
// holds; "": nothing. It is for the fuzzing of what reads answers: none is taken for more than it says, and none is repeated.
func Judgement(status int, accepted gateway.Accepted, err error) string {
	if err == nil {
		if status/100 != 2 {
			return fmt.Sprintf("status %d is accepted, as %q", status, accepted.ProviderID)
		}
		return ""
	}
	e, ok := err.(*gateway.Error)
	switch {
	case !ok || e == nil:
		return fmt.Sprintf("a %T, want a *gateway.Error, not wrapped and not nil", err)
	case (e.Sent == gateway.NotSent) == (e.Reason == gateway.Ambiguous):
		return fmt.Sprintf("status %d is %s and %s", status, e.Reason, e.Sent)
	case e.RetryAfter < 0 || e.RetryAfter > carrier.MaxRetryAfter:
		return fmt.Sprintf("status %d brings a wait of %s", status, e.RetryAfter)
	case len(e.Error()) > maxText:
		return fmt.Sprintf("status %d is told at length", status)
	}
	return ""
}
