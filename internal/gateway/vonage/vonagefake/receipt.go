package vonagefake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"smsd/internal/secret"
)

// Report is the vendor's later word on one message.
type Report struct {
	ID, ClientRef, To, From string
	// Status is as delivered or rejected.
	Status string
	// Code is a number of the list of errors; "": there is none.
	Code string
	// Price is as 0.0333, in EUR; "": there is none.
	Price string
	Parts int
	At    time.Time
	// SignedAt is when the vendor tells it; zero: At.
	SignedAt time.Time
}

// Signer is who signs receipts.
type Signer struct {
	// Secret is the account's signature secret.
	Secret                secret.Text
	APIKey, ApplicationID string
}

// NewReceipt returns the call by which the vendor tells url of r. It panics if url is none.
func NewReceipt(url string, by Signer, r Report) *http.Request {
	body, err := json.Marshal(r.fields())
	if err != nil { // strings and numbers always can be
		panic(err)
	}
	call, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic("vonagefake: the URL is none")
	}
	call.Header.Set("Content-Type", "application/json")
	if r.SignedAt.IsZero() {
		r.SignedAt = r.At
	}
	call.Header.Set("Authorization", by.Sign(body, r.SignedAt))
	return call
}

// Sign returns the header of a call with that body.
func (s Signer) Sign(body []byte, at time.Time) string {
	sum := sha256.Sum256(body)
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iat": at.Unix(), "jti": "c5ba8f24-1a14-4c10-bfdf-3fbe8ce511b5", "iss": "Vonage",
		"payload_hash": hex.EncodeToString(sum[:]), "api_key": s.APIKey, "application_id": s.ApplicationID,
	}).SignedString([]byte(s.Secret.Reveal()))
	if err != nil { // bytes always can sign
		panic(err)
	}
	return "Bearer " + token
}

func (r Report) fields() map[string]any {
	fields := map[string]any{
		"message_uuid": r.ID, "client_ref": r.ClientRef, "to": r.To, "from": r.From, "channel": "sms", "status": r.Status,
		"timestamp": r.At.UTC().Format("2006-01-02T15:04:05.000Z"), "sms": map[string]any{"count_total": r.Parts},
		"destination": map[string]any{"network_code": "23410"},
	}
	if r.Code != "" {
		fields["error"] = map[string]any{
			"type": "https://developer.vonage.com/api-errors/messages#" + r.Code, "title": r.Code, "detail": "to " + r.To, "instance": "bf0ca0bf927b",
		}
	}
	if r.Price != "" {
		fields["usage"] = map[string]any{"currency": "EUR", "price": r.Price}
	}
	return fields
}
