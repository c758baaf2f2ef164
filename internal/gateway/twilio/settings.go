package twilio

import (
	"regexp"
	"time"

	"smsd/internal/gateway/carrier"
)

// The vendor's ids are two letters and 32 hexadecimal digits (twilio-oai, 14 April 2026).
var (
	accountSID = regexp.MustCompile(`^AC[0-9a-fA-F]{32}$`)
	keySID     = regexp.MustCompile(`^SK[0-9a-fA-F]{32}$`)
	serviceSID = regexp.MustCompile(`^MG[0-9a-fA-F]{32}$`)
	messageSID = regexp.MustCompile(`^(SM|MM)[0-9a-fA-F]{32}$`)
)

// sender is a number, a short code or a sender id. What has a colon would be another channel, as whatsapp:+1...
var sender = regexp.MustCompile(`^(\+[1-9][0-9]{6,14}|[0-9]{3,8}|[0-9A-Za-z+_& -]{0,10}[A-Za-z][0-9A-Za-z+_& -]{0,10})$`)

// maxValidity is the vendor's (parameter ValidityPeriod, twilio-oai, 14 April 2026).
const maxValidity = 10 * time.Hour

// faults says what each setting must be.
func (c Config) faults() carrier.Faults {
	f := carrier.Faults{}
	if !accountSID.MatchString(c.AccountSID.Reveal()) {
		f["account_sid"] = "must be given: AC and 32 hexadecimal digits, as the console shows it"
	}
	c.credentials(f)
	switch {
	case c.From == "" && c.MessagingServiceSID == "":
		f["from"] = "must be given, or messaging_service_sid: who sends"
	case c.From != "" && !sender.MatchString(c.From) || len(c.From) > 11 && c.From[0] != '+':
		f["from"] = "must be a number in E.164, as +14155550100, a short code, or a sender id of at most 11 letters and digits"
	}
	if c.MessagingServiceSID != "" && !serviceSID.MatchString(c.MessagingServiceSID) {
		f["messaging_service_sid"] = "must be MG and 32 hexadecimal digits"
	}
	if v := c.ValidityPeriod; v < 0 || v > maxValidity || v%time.Second != 0 {
		f["validity_period"] = "must be whole seconds, from 1s to 10h"
	}
	return f
}

// credentials sees that there is one kind of them, and that it is complete.
func (c Config) credentials(f carrier.Faults) {
	key := !c.APIKeySID.IsZero() || !c.APIKeySecret.IsZero()
	switch {
	case key && !c.AuthToken.IsZero():
		f["auth_token"] = "must not be given beside an API key: one of them authenticates"
	case !key && c.AuthToken.IsZero():
		f["api_key_sid"] = "must be given with api_key_secret, or auth_token without them"
	case key && !keySID.MatchString(c.APIKeySID.Reveal()):
		f["api_key_sid"] = "must be SK and 32 hexadecimal digits"
	case key && c.APIKeySecret.IsZero():
		f["api_key_secret"] = "must be given beside api_key_sid"
	}
	if !c.AuthToken.IsZero() && !c.ReceiptToken.IsZero() {
		f["receipt_token"] = "must not be given beside auth_token, which receipts are signed with too"
	}
}
