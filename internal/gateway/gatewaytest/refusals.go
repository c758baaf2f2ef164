package gatewaytest

import (
	"testing"
	"time"

	"smsd/internal/gateway"
)

// Refusal is a message that a driver must surely not send, and why.
type Refusal struct {
	Driver  gateway.Driver
	Message gateway.Message
	Reason  gateway.Reason
	Says    string        // is in the error
	Wait    time.Duration // that the carrier told
}

// WantRefusals sends the message of each row, named for what is tried, and fails unless it is refused so.
func WantRefusals(t *testing.T, rows map[string]Refusal) {
	t.Helper()
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			_, err := row.Driver.Send(t.Context(), row.Message)
			if e := WantError(t, err, row.Reason, gateway.NotSent, row.Says); e.RetryAfter != row.Wait {
				t.Errorf("the wait is %s, want %s", e.RetryAfter, row.Wait)
			}
		})
	}
}
