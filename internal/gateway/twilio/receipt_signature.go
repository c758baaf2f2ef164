package twilio

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// signatureHeader is in its canonical form.
const signatureHeader = "X-Twilio-Signature"

// receiptToken is what receipts are signed with: always the account's auth token, also where an API key authenticates.
func (c Config) receiptToken() secret.Text {
	if c.ReceiptToken.IsZero() {
		return c.AuthToken
	}
	return c.ReceiptToken
}

// authentic sees that p is signed by the vendor, and returns its parameters. What can't be read can't be told to be the vendor's.
//
// The signature is over names and values without anything between them. So whoever holds a genuine call could move the end of a name, and
// hide a parameter by that; what is in none of them he can't put there, another status for example.
func (g *Gateway) authentic(p gateway.Post) (map[string]string, error) {
	token, signatures := g.config.receiptToken(), p.Header[signatureHeader]
	if token.IsZero() {
		return nil, fmt.Errorf("%w: the gateway has no receipt_token, so nobody can be told from it", gateway.ErrForged)
	}
	form, ok := parameters(string(p.Body))
	if !ok || len(signatures) != 1 {
		return nil, gateway.ErrForged
	}
	for _, address := range spellings(p.URL) {
		if hmac.Equal([]byte(signatures[0]), []byte(signature(token, address, form))) {
			return form, nil
		}
	}
	return nil, fmt.Errorf("%w: it is not signed with the account's auth token for this address (http.public_url)", gateway.ErrForged)
}

// signature returns the one of a call (twilio.com/docs/usage/webhooks/webhooks-security, 13 August 2026): the base64 of the HMAC-SHA1 of the address
// and, in the order of their names, of each parameter's name and value.
func signature(token secret.Text, address string, form map[string]string) string {
	mac := hmac.New(sha1.New, []byte(token.Reveal()))
	mac.Write([]byte(address))
	for _, name := range slices.Sorted(maps.Keys(form)) {
		mac.Write([]byte(name + form[name]))
	}
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// maxParameters is several times what a status callback has (some twenty, and the page says that there will be more). They are sorted
// before it is known who sends them.
const maxParameters = 200

// parameters reads a form as the vendor writes it: each parameter has a = and comes once.
func parameters(body string) (map[string]string, bool) {
	if strings.Count(body, "&") >= maxParameters {
		return nil, false
	}
	form := map[string]string{}
	for pair := range strings.SplitSeq(body, "&") {
		escapedName, escapedValue, has := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(escapedName)
		value, valueErr := url.QueryUnescape(escapedValue)
		if _, twice := form[name]; twice || !has || nameErr != nil || valueErr != nil {
			return nil, false
		}
		form[name] = value
	}
	return form, true
}

// spellings returns address, and the same with its port if it has none and without if it has one: the vendor's systems do not
// agree whether it is signed, and its SDKs try both (client/request_validator.go of twilio-go v1.31.0).
func spellings(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	other := strings.TrimSuffix(u.Host, ":"+u.Port())
	if u.Port() == "" {
		other = u.Host + map[string]string{"https": ":443", "http": ":80"}[u.Scheme]
	}
	return []string{address, strings.Replace(address, u.Host, other, 1)}
}
