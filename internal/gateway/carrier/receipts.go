package carrier

import (
	"fmt"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// How long a secret that stands in a path may be. It is all that tells a carrier which signs nothing from anybody else; 16
// characters drawn at random are out of reach of guessing over a network.
const minPathSecret, maxPathSecret = 16, 128

// unreserved are the characters that stand in a URL as they are (RFC 3986, section 2.3).
const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// PathSecretFault says what a secret that stands in the path of receipts must be; "" if it is that, or is left out.
func PathSecretFault(s secret.Text) string {
	text := s.Reveal()
	if s.IsZero() || len(text) >= minPathSecret && len(text) <= maxPathSecret && strings.Trim(text, unreserved) == "" {
		return ""
	}
	return "must be 16 to 128 letters, digits, - . _ or ~, since it is a part of an address: openssl rand -hex 16 makes one"
}

// FromPath sees that p comes from whoever knows s. Without s nobody does.
func FromPath(p gateway.Post, s secret.Text) error {
	switch {
	case s.IsZero():
		return fmt.Errorf("%w: the gateway has no receipt_secret, so nobody can be told from it", gateway.ErrForged)
	case !s.Equal(p.Secret):
		return fmt.Errorf("%w: the secret in the path is not receipt_secret", gateway.ErrForged)
	}
	return nil
}
