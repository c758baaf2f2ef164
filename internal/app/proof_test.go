package app

import (
	"net/http"
	"testing"

	"smsd/internal/config"
)

// consume uses a token up.
func (c caller) consume(token string) answer {
	return c.do(http.MethodPost, c.api+"/api/v1/tokens/consume", fields{"token": token})
}

// What was consumed stays so when the instance is gone, on disk before its answer: the next one, with the same secret and
// the same folder, knows the token and its past.
func TestConsumedTokenOutlivesTheInstance(t *testing.T) {
	t.Parallel()
	first := start(t, "")
	used, kept := first.proven("+8613800138000", "login", "n"), first.proven("+8613800138001", "login", "n")
	first.wants(first.consume(used), "200")
	if err := first.app.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := start(t, "", func(c *config.Config) { c.DataDir = first.cfg.DataDir })
	second.wants(second.consume(used), "409 token_consumed")
	second.wants(second.consume(kept), "200")
}

// Tokens are what the settings say.
func TestTokenSettings(t *testing.T) {
	t.Parallel()
	s := start(t, "", func(c *config.Config) { c.Token.Issuer = "https://sms.example.com" })
	token := s.proven("+8613800138000", "login", "n")
	other := start(t, "", func(c *config.Config) { c.Token.Issuer = "https://sms.example.org" })
	other.wants(other.consume(token), "422 token_invalid") // the same secret, another issuer
	s.wants(s.consume(token), "200")
}
