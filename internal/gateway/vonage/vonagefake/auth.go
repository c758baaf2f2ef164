package vonagefake

import (
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// authentic says whether r is from the application or from the account.
func (f *Fake) authentic(r *http.Request) bool {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return f.signed(token)
	}
	user, password, ok := r.BasicAuth()
	return ok && !f.APIKey.IsZero() && f.APIKey.Equal(user) && f.APISecret.Equal(password)
}

// signed checks a JWT: its algorithm, its signature, its claims and its time.
func (f *Fake) signed(token string) bool {
	if f.PublicKey == nil {
		return false
	}
	now := f.Now
	if now == nil {
		now = time.Now
	}
	var claims struct {
		jwt.RegisteredClaims
		ApplicationID string `json:"application_id"`
	}
	_, err := jwt.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) { return f.PublicKey, nil },
		jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuedAt(), jwt.WithTimeFunc(now))
	return err == nil && claims.IssuedAt != nil && claims.ID != "" && f.ApplicationID.Equal(claims.ApplicationID)
}
