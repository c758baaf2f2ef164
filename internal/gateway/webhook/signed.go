package webhook

import (
	"crypto/hmac"
	"net/http"
	"strconv"
	"strings"
	"time"

	"smsd/internal/gateway"
)

const (
	// maxAge is how far the instant of a call may be from now: what the specification's own libraries take ("Verifying signatures").
	maxAge = 5 * time.Minute
	// maxSignatures is more than a sender in rotation has.
	maxSignatures = 16
)

// signed reports whether a call bears a signature by one of the keys over its id, its instant and its body, and is of now. One
// that is repeated within that time tells nothing new.
func signed(keys []key, p gateway.Post) bool {
	h := http.Header(p.Header)
	id, seconds := h.Get(headerID), h.Get(headerTimestamp)
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || id == "" || strconv.FormatInt(at, 10) != seconds || p.Now.Sub(time.Unix(at, 0)).Abs() > maxAge {
		return false
	}
	given := strings.Fields(h.Get(headerSignature))
	for _, k := range keys {
		if among(given[:min(len(given), maxSignatures)], k.sign(id, time.Unix(at, 0), p.Body)) {
			return true
		}
	}
	return false
}

// among compares in the same time whichever it is.
func among(given []string, want string) bool {
	found := false
	for _, one := range given {
		found = hmac.Equal([]byte(one), []byte(want)) || found
	}
	return found
}
