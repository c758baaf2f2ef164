package sms

import (
	"strings"

	"github.com/google/uuid"
)

// NewID returns the sms_id of a new verification: a random UUID (version 4; RFC 9562, section 5.4), with nothing in it that could be
// guessed, since whoever knows it may verify.
func NewID() string { return uuid.NewString() }

// uuidText is how long a UUID is as text (RFC 9562, section 4).
const uuidText = 36

// canonicalID returns an sms_id as it was made, or ErrNotFound for what can be none.
func canonicalID(id string) (string, error) {
	if _, err := uuid.Parse(id); err != nil || len(id) != uuidText { // Parse takes other spellings too
		return "", ErrNotFound
	}
	return strings.ToLower(id), nil
}
