package httpapi

import (
	"net/http"
	"strings"
)

// urlOf is where a call was sent to as the carrier knows it: at the public URL if there is one, else where the trusted proxy in front
// says, else as the request itself says.
func (s *receipts) urlOf(r *http.Request) string {
	if s.PublicURL != "" {
		return s.PublicURL + r.URL.RequestURI()
	}
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if s.clients.trusts(hostOf(r.RemoteAddr)) {
		scheme = lastOr(r.Header.Values("X-Forwarded-Proto"), scheme)
		host = lastOr(r.Header.Values("X-Forwarded-Host"), host)
	}
	return strings.ToLower(scheme) + "://" + host + r.URL.RequestURI()
}

// lastOr is the last entry of a header, that of the nearest proxy, or else what there is without.
func lastOr(headers []string, without string) string {
	if len(headers) == 0 {
		return without
	}
	if _, last, _ := cutLast(headers[len(headers)-1]); last != "" {
		return last
	}
	return without
}
