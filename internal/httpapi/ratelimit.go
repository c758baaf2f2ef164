package httpapi

import (
	"net/http"
	"strconv"

	"smsd/internal/throttle"
)

// setRateLimit writes the fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10,
// sections 3 and 4) for the limits of an answer: one structured list item for each. t, the
// seconds until more quota is there, is left out while there is some: it is not known then, and optional.
func setRateLimit(h http.Header, usages []throttle.Usage) {
	var policy, state []byte
	for _, u := range usages {
		policy = appendPolicy(policy, u)
		state = appendState(state, u)
	}
	if len(policy) > 0 {
		h["Ratelimit-Policy"] = []string{string(policy)}
		h["Ratelimit"] = []string{string(state)}
	}
}

// appendItem writes a name as a structured string: rules' names hold nothing that needs escaping.
func appendItem(b []byte, name string) []byte {
	if len(b) > 0 {
		b = append(b, ", "...)
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"')
}

func appendPolicy(b []byte, u throttle.Usage) []byte {
	b = append(appendItem(b, u.Rule), ";q="...)
	b = strconv.AppendInt(b, u.Limit, 10)
	return strconv.AppendInt(append(b, ";w="...), wholeSeconds(u.Window), 10)
}

func appendState(b []byte, u throttle.Usage) []byte {
	b = append(appendItem(b, u.Rule), ";r="...)
	b = strconv.AppendInt(b, u.Remaining(), 10)
	if u.RetryAfter <= 0 {
		return b
	}
	return strconv.AppendInt(append(b, ";t="...), wholeSeconds(u.RetryAfter), 10)
}
