package idempotency

import (
	"bytes"
	"testing"

	"smsd/internal/keyring"
)

func TestNewNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), keyring.MinSecret)})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"no store":       {IndexSecret: bytes.Repeat([]byte("i"), 32), Secrets: root},
		"no secrets":     {IndexSecret: bytes.Repeat([]byte("i"), 32), Store: newMemory()},
		"a short secret": {IndexSecret: []byte("short"), Store: newMemory(), Secrets: root},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
