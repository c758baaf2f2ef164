package gatewaytest

import (
	"strings"
	"testing"

	"smsd/internal/gateway"
)

// WantError fails unless err is a [*gateway.Error], not wrapped, with that reason and that Sent, whose text has says in it. It
// returns that error.
func WantError(t *testing.T, err error, reason gateway.Reason, sent gateway.Sent, says string) *gateway.Error {
	t.Helper()
	e, ok := err.(*gateway.Error)
	if !ok || e == nil || e.Reason != reason || e.Sent != sent || !strings.Contains(e.Error(), says) {
		t.Fatalf("%v; want %s, %s: %s", err, reason, sent, says)
	}
	return e
}
