package twilio

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"time"

	"smsd/internal/gateway"
)

// form returns the parameters of a message.
func (g *Gateway) form(m gateway.Message) string {
	form := url.Values{"To": {m.Phone.E164()}, "Body": {m.Text.Reveal()}}
	if g.config.From != "" {
		form.Set("From", g.config.From)
	}
	if g.config.MessagingServiceSID != "" {
		form.Set("MessagingServiceSid", g.config.MessagingServiceSID)
	}
	if v := g.config.ValidityPeriod; v > 0 {
		form.Set("ValidityPeriod", strconv.Itoa(int(v/time.Second)))
	}
	if callback := g.statusCallback(m.ID); callback != "" {
		form.Set("StatusCallback", callback)
	}
	return form.Encode()
}

// authorization returns the value of the header (RFC 7617; twilio.com/docs/usage/requests-to-twilio, November 2026).
func (g *Gateway) authorization() string {
	user, password := g.config.APIKeySID, g.config.APIKeySecret
	if user.IsZero() {
		user, password = g.config.AccountSID, g.config.AuthToken
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Reveal()+":"+password.Reveal()))
}
