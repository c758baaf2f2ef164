package httpapi

import (
	"errors"
	"net/http"

	"smsd/internal/apikey"
	"smsd/internal/gateway"
)

var (
	errUnauthorized = errors.New("httpapi: no valid token")
	errForbidden    = errors.New("httpapi: unknown host or foreign origin")
	errRebound      = errors.New("httpapi: a page of an unknown origin at a loopback address")
	errClockFixed   = errors.New("httpapi: the stores' clock can't be moved")
)

// accessProblems are of who may ask, from where, and of what this instance lets nobody do.
func accessProblems() []*problem {
	return []*problem{
		{
			status: http.StatusUnauthorized, code: "unauthorized", title: "Not without a key",
			detail:  "Send Authorization: Bearer with an API key that is in force.",
			explain: "The request has no API key where one is required, or one that nobody has: mistyped, unknown, expired or revoked, which is not told. The operator finds out which in the log, under the request id, and makes keys with smsd keys create. Of a carrier's receipts it means that the signature, or the secret in the path, is not what the gateway's settings say. The admin listener asks for its token, as a bearer token or as the password of any user.",
			is:      isUnauthorized, fill: fillChallenge, example: errNoKey,
		},
		{
			status: http.StatusForbidden, code: "forbidden", title: "Not from there",
			detail:  "Use localhost, the machine's own name or address, or a name listed in admin.hosts, and no page of another origin.",
			explain: "A publishable key is for send, resend and verify, and for pages of the origins that it lists, or, if it lists none, for apps outside browsers. A secret key is for servers: a request of a page has leaked it. detail says which it was. The admin listener answers only to host names that it knows, and to pages of its own: otherwise any web page could reach it through the browser of somebody near it (DNS rebinding). In the profile dev the public listener refuses such pages, too, where they reach it by loopback.",
			is:      isForbidden, fill: fillForbidden, example: errForeignPage,
		},
		{
			status: http.StatusConflict, code: "clock_not_movable", title: "The clock can't be moved",
			detail:  "Run in the profile dev with the stores in the process, without a Redis URL.",
			explain: "Only the stores in the process have a clock that can be moved; Redis has its own.",
			is:      sentinel(errClockFixed), example: errClockFixed,
		},
	}
}

func isUnauthorized(err error) bool {
	return typed[*apikey.Refusal](err) || sentinel(errNoKey, errUnauthorized, gateway.ErrForged)(err)
}

func isForbidden(err error) bool {
	return typed[*misuse](err) || sentinel(errForbidden, errRebound)(err)
}

// fillChallenge asks for an API key (RFC 6750, section 3), or on the admin listener for its token. Why a key identifies nobody
// is not told.
func fillChallenge(err error, d *document) {
	switch {
	case errors.Is(err, errUnauthorized):
		d.Detail = "Send Authorization: Bearer with the admin token."
		d.challenges = []string{`Bearer realm="smsd admin"`, `Basic realm="smsd admin", charset="UTF-8"`}
	case errors.Is(err, gateway.ErrForged):
		d.Detail = "Send receipts with the signature, or to the secret path, that the gateway's settings ask for."
		d.challenges = []string{`Signature realm="smsd receipts"`}
	case errors.Is(err, errNoKey):
		d.challenges = []string{`Bearer realm="smsd"`}
	default:
		d.challenges = []string{`Bearer realm="smsd", error="invalid_token"`}
	}
}

func fillForbidden(err error, d *document) {
	if found, ok := errors.AsType[*misuse](err); ok {
		d.Detail = found.detail
	} else if errors.Is(err, errRebound) {
		d.Detail = "Use localhost or an address, or list the page's origin in http.cors_origins."
	}
}
