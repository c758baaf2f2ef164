package webhook

import (
	"testing"
	"time"

	"smsd/internal/secret"
)

// The vector of the specification's own libraries: github.com/standard-webhooks/standard-webhooks, libraries/go/webhook_test.go,
// TestWebhookSign, at commit 449485c (read in November 2026). The specification itself has none: it gives no secret for
// the signatures that it shows.
func TestSignature(t *testing.T) {
	t.Parallel()
	keys, err := readKeys([]secret.Text{secret.New("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")})
	if err != nil {
		t.Fatal(err)
	}
	got := keys[0].sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
