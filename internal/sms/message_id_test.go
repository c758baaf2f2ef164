package sms

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"

	"smsd/internal/keyring"
)

func messageKeys(t *testing.T, secrets ...byte) *Keyring {
	t.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, bytes.Repeat([]byte{b}, keyring.MinSecret))
	}
	root, err := keyring.New(all)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := NewKeyring(root)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// A message's id leads back to its verification, no two are the same, and none that was not made here is taken for one.
func TestMessageIDs(t *testing.T) {
	t.Parallel()
	keys, at := messageKeys(t, 1), time.Unix(1796018400, 0).UTC()
	seen := map[string]bool{}
	for i := range 1000 {
		of := uuid.NewString()
		for range 2 {
			at = at.Add(time.Second)
			id := keys.messageID(of, at)
			if got, ok := keys.originOf(id); !ok || got != (origin{of, at}) || len(id) != 36 || seen[id] {
				t.Fatalf("%q of %q: %v, %v, seen %v", id, of, got, ok, seen[id])
			}
			seen[id] = true
			changed := []byte(id)
			changed[i%len(id)] ^= 1
			if got, ok := keys.originOf(string(changed)); ok {
				t.Fatalf("%q, changed, is of %v", changed, got)
			}
		}
	}
	good := keys.messageID(uuid.NewString(), at)
	for _, bad := range []string{"", uuid.NewString(), good[1:], good + "A", good[:35] + "=", "+" + good[1:], good + good} {
		if of, ok := keys.originOf(bad); ok {
			t.Errorf("%q is of %v", bad, of)
		}
	}
}

// A message that was sent before a secret was changed is known as long as that secret is in rotation.
func TestMessageIDsInRotation(t *testing.T) {
	t.Parallel()
	id := messageKeys(t, 1).messageID(uuid.NewString(), time.Now())
	if _, ok := messageKeys(t, 2, 1).originOf(id); !ok {
		t.Error("not known in the rotation")
	}
	if _, ok := messageKeys(t, 2).originOf(id); ok {
		t.Error("known by another secret")
	}
}
