package webhook_test

import (
	"errors"
	"net/http/httptest"
	"testing"

	"smsd/internal/gateway"
)

// The manual's receiver takes what smsd signs, and each of its answers is understood.
func TestReceiver(t *testing.T) {
	t.Parallel()
	var took []string
	fails := false
	server := httptest.NewServer(receiver{vectorKey(t), func(id, phone, text string) (string, error) {
		if fails {
			return "", errors.New("the modem is off")
		}
		took = append(took, id, phone, text)
		return "SM1", nil
	}})
	t.Cleanup(server.Close)

	accepted, err := open(t, server.URL, newSecret, vectorSecret).Send(t.Context(), message())
	if err != nil || accepted.ProviderID != "SM1" {
		t.Fatalf("%v, id %q", err, accepted.ProviderID)
	}
	if m := message(); len(took) != 3 || took[0] != m.ID || took[1] != m.Phone.E164() || took[2] != m.Text.Reveal() {
		t.Errorf("it took %d parts", len(took))
	}
	refused := func(want gateway.Reason, secret string) {
		t.Helper()
		_, err := open(t, server.URL, secret).Send(t.Context(), message())
		if e, ok := err.(*gateway.Error); !ok || e.Reason != want || e.Sent != gateway.NotSent {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refused(gateway.Configuration, newSecret) // of which it has not heard
	fails = true
	refused(gateway.Temporary, vectorSecret)
}
