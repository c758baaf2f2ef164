package webhook

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"smsd/internal/secret"
)

// Standard Webhooks 1.0.0, "Signature scheme": a secret has 24 to 64 bytes, in base64 behind whsec_.
const (
	keyPrefix      = "whsec_"
	minKey, maxKey = 24, 64
	// maxKeys is two more than a rotation needs.
	maxKeys  = 4
	howToKey = "make one with: echo whsec_$(openssl rand -base64 32)"
)

// key is the bytes of a secret.
type key struct{ secret.Text }

func readKeys(secrets []secret.Text) ([]key, error) {
	if len(secrets) == 0 || len(secrets) > maxKeys {
		return nil, fmt.Errorf("must be 1 to %d secrets, comma-separated, newest first; %s", maxKeys, howToKey)
	}
	var keys []key
	for i, s := range secrets {
		k, err := readKey(s.Reveal())
		if err != nil {
			return nil, fmt.Errorf("secret %d of %d %w", i+1, len(secrets), err)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

func readKey(text string) (key, error) {
	encoded, prefixed := strings.CutPrefix(text, keyPrefix)
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if !prefixed || err != nil || len(raw) < minKey || len(raw) > maxKey {
		return key{}, errors.New("must be " + keyPrefix + " and 24 to 64 bytes in base64; " + howToKey)
	}
	return key{secret.New(string(raw))}, nil
}
