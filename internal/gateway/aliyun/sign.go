package aliyun

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"smsd/internal/secret"
)

// algorithm is the vendor's signature version 3 (help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature,
// 20 December 2024), for a POST to / with everything in the query and no body.
const algorithm = "ACS3-HMAC-SHA256"

// signedHeaders are in the order of the alphabet.
const signedHeaders = "host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version"

// key is an AccessKey.
type key struct{ id, secret secret.Text }

// call is what is signed.
type call struct {
	host, action, version string
	query                 string // canonical
	nonce                 string
	at                    time.Time
}

// header returns the header of c, with the signature.
func (k key) header(c call) http.Header {
	at, empty := c.at.UTC().Format("2006-01-02T15:04:05Z"), digest("")
	request := strings.Join([]string{
		http.MethodPost, "/", c.query,
		"host:" + c.host,
		"x-acs-action:" + c.action,
		"x-acs-content-sha256:" + empty,
		"x-acs-date:" + at,
		"x-acs-signature-nonce:" + c.nonce,
		"x-acs-version:" + c.version,
		"", signedHeaders, empty,
	}, "\n")
	return http.Header{
		"Accept":                {"application/json"},
		"Authorization":         {algorithm + " Credential=" + k.id.Reveal() + ",SignedHeaders=" + signedHeaders + ",Signature=" + k.sign(request)},
		"X-Acs-Action":          {c.action},
		"X-Acs-Content-Sha256":  {empty},
		"X-Acs-Date":            {at},
		"X-Acs-Signature-Nonce": {c.nonce},
		"X-Acs-Version":         {c.version},
	}
}

func (k key) sign(request string) string {
	mac := hmac.New(sha256.New, []byte(k.secret.Reveal()))
	mac.Write([]byte(algorithm + "\n" + digest(request)))
	return hex.EncodeToString(mac.Sum(nil))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// canonical writes values in the order of their names, escaped as RFC 3986 has it: a blank is %20.
func canonical(values url.Values) string { return strings.ReplaceAll(values.Encode(), "+", "%20") }

// nonce is made of the message's id: a request that something on the way repeats is one that the vendor refuses
// (SignatureNonceUsed), and no second message.
func nonce(id string) string { return digest(id)[:32] }
