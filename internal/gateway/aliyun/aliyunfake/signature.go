package aliyunfake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"
)

// maxSkew is how far apart the clocks may be (developer.aliyun.com/ask/278265, InvalidTimeStamp.Expired; November 2026).
const maxSkew = 15 * time.Minute

const prefix = "ACS3-HMAC-SHA256 Credential="

// refused says with which status and code the call itself is refused, before anybody looks at the message; "": it is not.
func (f *Fake) refused(r *http.Request) (status int, code string) {
	id, signed, signature := authorization(r.Header.Get("Authorization"))
	switch {
	case r.Method != http.MethodPost:
		return http.StatusBadRequest, "UnsupportedHTTPMethod"
	case !f.AccessKeyID.Equal(id):
		return http.StatusNotFound, "InvalidAccessKeyId.NotFound"
	case !knows(r.Header.Get("X-Acs-Action"), r.Header.Get("X-Acs-Version")):
		return http.StatusNotFound, "InvalidAction.NotFound"
	case r.Header.Get("X-Acs-Signature-Nonce") == "":
		return http.StatusBadRequest, "MissingSignatureNonce"
	case !hmac.Equal([]byte(signature), []byte(f.sign(r, signed))):
		return http.StatusBadRequest, "SignatureDoesNotMatch"
	case !f.current(r.Header.Get("X-Acs-Date")):
		return http.StatusBadRequest, "InvalidTimeStamp.Expired"
	}
	return 0, ""
}

func authorization(header string) (id string, signed []string, signature string) {
	rest, ok := strings.CutPrefix(header, prefix)
	parts := strings.Split(rest, ",")
	if !ok || len(parts) != 3 {
		return "", nil, ""
	}
	names := strings.TrimPrefix(parts[1], "SignedHeaders=")
	return parts[0], strings.Split(names, ";"), strings.TrimPrefix(parts[2], "Signature=")
}

// sign computes the signature that r must have. The vendor wants host and every x-acs- header signed.
func (f *Fake) sign(r *http.Request, signed []string) string {
	var request strings.Builder
	request.WriteString(r.Method + "\n" + r.URL.EscapedPath() + "\n" + canonicalQuery(r.URL.Query()) + "\n")
	for _, name := range signed {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		request.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	if !sort.StringsAreSorted(signed) || !complete(r.Header, signed) {
		return "none"
	}
	request.WriteString("\n" + strings.Join(signed, ";") + "\n" + r.Header.Get("X-Acs-Content-Sha256"))
	mac := hmac.New(sha256.New, []byte(f.AccessKeySecret.Reveal()))
	mac.Write([]byte("ACS3-HMAC-SHA256\n" + hash(request.String())))
	return hex.EncodeToString(mac.Sum(nil))
}

// complete says whether all that must be signed is, and whether the digest is that of no body.
func complete(header http.Header, signed []string) bool {
	is := map[string]bool{}
	for _, name := range signed {
		is[name] = true
	}
	for name := range header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-acs-") && !is[name] {
			return false
		}
	}
	return is["host"] && header.Get("X-Acs-Content-Sha256") == hash("")
}

func canonicalQuery(values url.Values) string {
	var pairs []string
	for name := range values {
		pairs = append(pairs, escape(name)+"="+escape(values.Get(name)))
	}
	sort.Strings(pairs)
	return strings.Join(pairs, "&")
}

func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (f *Fake) current(date string) bool {
	now := time.Now
	if f.Now != nil {
		now = f.Now
	}
	at, err := time.Parse("2006-01-02T15:04:05Z", date)
	return err == nil && now().Sub(at).Abs() <= maxSkew
}
