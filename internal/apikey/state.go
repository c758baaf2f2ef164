package apikey

import "time"

// State says whether a key is in force.
type State string

// The states.
const (
	StateLive    State = "live"
	StateRevoked State = "revoked"
	StateExpired State = "expired"
)

// State returns the key's at now.
func (r Record) State(now time.Time) State {
	switch {
	case !r.RevokedAt.IsZero():
		return StateRevoked
	case !r.ExpiresAt.IsZero() && !now.Before(r.ExpiresAt):
		return StateExpired
	}
	return StateLive
}

// EndedBefore reports whether the key was revoked or had expired before an instant.
func (r Record) EndedBefore(at time.Time) bool {
	return !r.RevokedAt.IsZero() && r.RevokedAt.Before(at) || !r.ExpiresAt.IsZero() && r.ExpiresAt.Before(at)
}

// Masked returns the key as it may be shown, as "sk_...a1B2".
func (r Record) Masked() string { return Masked(r.Kind, r.Hint) }
