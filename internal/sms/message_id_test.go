package sms

import (
	"testing"

	"github.com/google/uuid"
)

// A message's id leads back to its verification, and no two are the same.
func TestMessageIDs(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		of := uuid.NewString()
		for range 2 {
			id := newMessageID(of)
			if got, ok := smsIDOf(id); !ok || got != of || len(id) != 32 || seen[id] {
				t.Fatalf("%q of %q: %q, %v, seen %v", id, of, got, ok, seen[id])
			}
			seen[id] = true
		}
	}
	good := newMessageID(uuid.NewString())
	for _, bad := range []string{"", uuid.NewString(), good[1:], good + "A", good[:31] + "=", "+" + good[1:], good + good} {
		if of, ok := smsIDOf(bad); ok {
			t.Errorf("%q is of %q", bad, of)
		}
	}
}
