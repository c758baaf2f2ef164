package config

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"smsd/internal/secret"
)

// How many secrets may be in rotation, and how long the shortest may be: 256 bits, the strength of what
// is derived from it.
const (
	maxSecrets  = 8
	minSecret   = 32
	hexSecret   = 2 * minSecret // from this many hex digits on, a text of hex digits alone is hex
	howToSecret = "make one with: openssl rand -base64 32"
)

// decodeSecret reads base64 (standard or URL, padded or not), or hex.
func decodeSecret(text string) (secret.Text, error) {
	raw, err := decodeText(text)
	if err != nil {
		return secret.Text{}, err
	}
	if len(raw) < minSecret {
		return secret.Text{}, fmt.Errorf("holds %d bytes, must hold %d or more; %s", len(raw), minSecret, howToSecret)
	}
	return secret.New(string(raw)), nil
}

func decodeText(text string) ([]byte, error) {
	if len(text) >= hexSecret && strings.Trim(text, "0123456789abcdefABCDEF") == "" {
		raw, err := hex.DecodeString(text)
		if err != nil {
			return nil, errors.New("is hex with an odd number of digits")
		}
		return raw, nil
	}
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	raw, err := base64.RawStdEncoding.DecodeString(plain)
	if err != nil {
		return nil, errors.New("is neither base64 nor hex of 64 digits or more; " + howToSecret)
	}
	return raw, nil
}

// secretsValue is the secrets in rotation, newest first.
type secretsValue struct{ p *[]secret.Text }

func (v secretsValue) set(text string) error {
	list := items(text)
	if len(list) == 0 || len(list) > maxSecrets {
		return fmt.Errorf("must be 1 to %d secrets, comma-separated, newest first", maxSecrets)
	}
	var all []secret.Text
	for i, item := range list {
		one, err := decodeSecret(item)
		if err != nil {
			return fmt.Errorf("secret %d of %d %w", i+1, len(list), err)
		}
		all = append(all, one)
	}
	*v.p = all
	return nil
}

func (v secretsValue) show() string { return masked(len(*v.p) > 0) }

// secretValue is one secret.
type secretValue struct{ p *secret.Text }

func (v secretValue) set(text string) error {
	one, err := decodeSecret(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	*v.p = one
	return nil
}

func (v secretValue) show() string { return masked(!v.p.IsZero()) }

// maxToken is what fits into a header beside all else.
const maxToken = 1024

// tokenValue is a bearer token (RFC 6750): it must be able to stand in a header.
type tokenValue struct{ p *secret.Text }

func (v tokenValue) set(text string) error {
	odd := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
	if odd >= 0 || len(text) > maxToken {
		return fmt.Errorf("must be printable ASCII without blanks, %d characters at most", maxToken)
	}
	*v.p = secret.New(text)
	return nil
}

func (v tokenValue) show() string { return masked(!v.p.IsZero()) }

func masked(is bool) string {
	if is {
		return secret.Mask
	}
	return ""
}
