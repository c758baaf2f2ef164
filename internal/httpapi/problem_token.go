package httpapi

import (
	"errors"
	"net/http"

	"smsd/internal/proof"
)

// tokenProblems are of tokens that prove nothing, or not any more.
func tokenProblems() []*problem {
	return []*problem{
		{
			status: http.StatusUnprocessableEntity, code: "token_invalid", title: "The token proves nothing",
			detail:  "Ask the person to verify a number again.",
			explain: "The token is not one that this service signed for this app, or it is about another audience, scene or nonce than the request names. detail says which. It was not used up.",
			is:      typed[*proof.InvalidError], fill: fillReason,
			example: &proof.InvalidError{Reason: proof.ReasonSignature},
		},
		{
			status: http.StatusGone, code: "token_expired", title: "The token has expired",
			detail:  "Ask the person to verify a number again, and consume the token at once.",
			explain: "The token is one of this service, and its exp is past.",
			is:      sentinel(proof.ErrExpired), example: proof.ErrExpired,
		},
		{
			status: http.StatusConflict, code: "token_consumed", title: "The token was consumed",
			detail:  "Ask the person to verify a number again; one verification is consumed once.",
			explain: "This token, or another one of the same verification, was consumed before. Whoever sends it again may have stolen it, or did not get the answer to the first call.",
			is:      sentinel(proof.ErrConsumed), example: proof.ErrConsumed,
		},
	}
}

func fillReason(err error, d *document) {
	if refused, ok := errors.AsType[*proof.InvalidError](err); ok {
		d.Detail = "The token can't be used: " + refused.Hint() + "."
	}
}
