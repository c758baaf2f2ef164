package proof

import "errors"

// ErrExpired is a token whose time has passed.
var ErrExpired = errors.New("proof: the token has expired")

// Reason is why a token is none for its caller: a closed list, also a metric's label.
type Reason string

// The reasons.
const (
	ReasonMalformed Reason = "malformed"   // not three parts of base64 without padding, or too long
	ReasonKey       Reason = "unknown_key" // its header is not one of ours
	ReasonSignature Reason = "signature"
	ReasonClaims    Reason = "claims" // signed by us, and not as this version writes them
	ReasonIssuer    Reason = "issuer"
	ReasonAudience  Reason = "audience"
	ReasonScene     Reason = "scene"
	ReasonNonce     Reason = "nonce"
)

// hints say to the caller what is wrong, as the end of a sentence. A token's holder can read all of it anyway.
var hints = map[Reason]string{
	ReasonMalformed: "it is not three parts of base64url, joined by dots",
	ReasonKey:       "it was not signed with a key of this service, or more than a week ago",
	ReasonSignature: "its signature is not right",
	ReasonClaims:    "its claims are not those that this service writes",
	ReasonIssuer:    "another issuer made it",
	ReasonAudience:  "it is for another app",
	ReasonScene:     "it is of another scene",
	ReasonNonce:     "it holds another nonce",
}

// InvalidError is a token that proves nothing to its caller. It never holds the token or a part of it.
type InvalidError struct{ Reason Reason }

func (e *InvalidError) Error() string { return "proof: the token can't be used: " + e.Hint() }

// Hint says what is wrong, as the end of a sentence.
func (e *InvalidError) Hint() string { return hints[e.Reason] }

func invalid(r Reason) error { return &InvalidError{r} }
