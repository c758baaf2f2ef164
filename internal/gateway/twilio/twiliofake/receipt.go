package twiliofake

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"net/http"
	"net/url"
	"sort"
	"strings"

	"smsd/internal/secret"
)

// Report is the vendor's later word on one message.
type Report struct {
	AccountSID, SID string
	// Status is as delivered or failed.
	Status string
	// ErrorCode is as 30003; "": none.
	ErrorCode string
	To, From  string
}

// NewReceipt returns the call by which the vendor tells address of r, signed with the account's auth token. It panics if address is none.
func NewReceipt(address string, token secret.Text, r Report) *http.Request {
	form := url.Values{
		"AccountSid": {r.AccountSID}, "ApiVersion": {"2010-04-01"}, "From": {r.From}, "To": {r.To},
		"MessageSid": {r.SID}, "MessageStatus": {r.Status}, "SmsSid": {r.SID}, "SmsStatus": {r.Status},
	}
	if r.ErrorCode != "" {
		form.Set("ErrorCode", r.ErrorCode)
	}
	call, err := http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		panic("twiliofake: the URL is none")
	}
	call.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	call.Header.Set("X-Twilio-Signature", Sign(address, token, form))
	return call
}

// Sign returns the signature of a call to address with that form.
func Sign(address string, token secret.Text, form url.Values) string {
	var names []string
	for name := range form {
		names = append(names, name)
	}
	sort.Strings(names)
	text := address
	for _, name := range names {
		text += name + form.Get(name)
	}
	mac := hmac.New(sha1.New, []byte(token.Reveal()))
	_, _ = mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
