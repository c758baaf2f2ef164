package apikey

import "errors"

// ErrNotLoaded is a directory that has not been read yet: nobody can tell whether a key is good.
var ErrNotLoaded = errors.New("apikey: the keys have not been read yet")

// Reason says why a token identifies nobody. It is for the log and a metric, which takes it as a label; who sent the token is
// told the same of each.
type Reason string

// The reasons.
const (
	Malformed Reason = "malformed" // not the text of a key
	Mistyped  Reason = "mistyped"  // its checksum is another one
	Unknown   Reason = "unknown"   // there is no such key
	Revoked   Reason = "revoked"
	Expired   Reason = "expired"
)

// Refusal is the error of a token that identifies nobody. It holds nothing of the token.
type Refusal struct {
	Reason Reason
	// KeyID and App are those of a key that there was: of reasons Revoked and Expired.
	KeyID, App string
}

func (r *Refusal) Error() string { return "apikey: " + string(r.Reason) }

func refusalOf(parsed error) *Refusal {
	if errors.Is(parsed, ErrMistyped) {
		return &Refusal{Reason: Mistyped}
	}
	return &Refusal{Reason: Malformed}
}
