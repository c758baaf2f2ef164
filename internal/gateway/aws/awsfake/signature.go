package awsfake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// maxSkew is how far apart the clocks may be (RequestExpired in CommonErrors.html of the vendor's API references, November 2026).
const maxSkew = 15 * time.Minute

const (
	algorithm = "AWS4-HMAC-SHA256"
	stamp     = "20060102T150405Z"
	service   = "sms-voice"
)

// An authorization is the header of that name, in its parts.
type authorization struct {
	id        string // of the access key
	scope     string // date/region/service/aws4_request
	signed    []string
	signature string
}

func parse(header string) (a authorization, ok bool) {
	rest, ok := strings.CutPrefix(header, algorithm+" Credential=")
	parts := strings.Split(rest, ", ")
	if !ok || len(parts) != 3 {
		return a, false
	}
	a.id, a.scope, _ = strings.Cut(parts[0], "/")
	names, named := strings.CutPrefix(parts[1], "SignedHeaders=")
	a.signed = strings.Split(names, ";")
	a.signature, ok = strings.CutPrefix(parts[2], "Signature=")
	return a, ok && named
}

// forged says with which exception the call itself is refused, before anybody looks at the message; "": it is not.
func (f *Fake) forged(r *http.Request, body []byte) string {
	a, ok := parse(r.Header.Get("Authorization"))
	at, err := time.Parse(stamp, r.Header.Get("X-Amz-Date"))
	switch {
	case !ok:
		return "MissingAuthenticationTokenException"
	case err != nil:
		return "IncompleteSignatureException"
	case !f.AccessKeyID.Equal(a.id) || r.Header.Get("X-Amz-Security-Token") != f.SessionToken.Reveal():
		return "UnrecognizedClientException"
	case a.scope != strings.Join([]string{at.Format("20060102"), f.Region, service, "aws4_request"}, "/"):
		return "InvalidSignatureException"
	case !complete(r.Header, a.signed) || !hmac.Equal([]byte(a.signature), []byte(sign(r, body, a, f.AccessKeySecret.Reveal()))):
		return "InvalidSignatureException"
	case f.now().Sub(at).Abs() > maxSkew:
		return "InvalidSignatureException" // "Signature expired", or "not yet current"
	}
	return ""
}

// complete says whether all is signed that must be: the host and every x-amz- header. The names are in order.
func complete(header http.Header, signed []string) bool {
	for name := range header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") && !slices.Contains(signed, name) {
			return false
		}
	}
	return slices.Contains(signed, "host") && slices.IsSorted(signed)
}

// sign computes the signature that r must have (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html,
// November 2026).
func sign(r *http.Request, body []byte, a authorization, secret string) string {
	text := strings.Join([]string{algorithm, r.Header.Get("X-Amz-Date"), a.scope, hash([]byte(canonical(r, body, a.signed)))}, "\n")
	key := []byte("AWS4" + secret)
	for _, part := range strings.Split(a.scope, "/") {
		key = mac(key, part)
	}
	return hex.EncodeToString(mac(key, text))
}

// canonical returns the request as it is signed.
func canonical(r *http.Request, body []byte, signed []string) string {
	lines := []string{r.Method, r.URL.EscapedPath(), query(r.URL.Query())}
	for _, name := range signed {
		value := strings.Join(r.Header.Values(name), ",")
		switch name {
		case "host":
			value = r.Host
		case "content-length": // the server keeps it elsewhere
			value = length(r)
		}
		lines = append(lines, name+":"+strings.Join(strings.Fields(value), " "))
	}
	return strings.Join(append(lines, "", strings.Join(signed, ";"), hash(body)), "\n")
}

func query(values url.Values) string { return strings.ReplaceAll(values.Encode(), "+", "%20") }

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
