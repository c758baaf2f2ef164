package carrier

import (
	"net/http"

	"smsd/internal/gateway"
)

// Class returns the reason of a refusal whose code says nothing, by its 4xx status. It is for an answer that the carrier's
// API has surely made itself: what refuses a request has taken nothing. 401 to 404 are about the account and the address
// of the API, 429 is about its pace; what another status is about nobody can tell, and another gateway may do better.
func (a Answer) Class() gateway.Reason {
	switch a.Status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound:
		return gateway.Configuration
	}
	return gateway.Temporary
}

// Refuses reports whether the status is a 4xx.
func (a Answer) Refuses() bool { return a.Status/100 == 4 }
