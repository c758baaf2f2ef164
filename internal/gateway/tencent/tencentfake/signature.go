package tencentfake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxSkew is how far apart the clocks may be (AuthFailure.SignatureExpire, cloud.tencent.com/document/api/382/52075, November 2026).
const maxSkew = 5 * time.Minute

// refused says with which code the call itself is refused, before anybody looks at the message; "": it is not.
func (f *Fake) refused(r *http.Request, body []byte) string {
	credential, signed, signature := authorization(r.Header.Get("Authorization"))
	id, scope, _ := strings.Cut(credential, "/")
	seconds, err := strconv.ParseInt(r.Header.Get("X-TC-Timestamp"), 10, 64)
	at := time.Unix(seconds, 0)
	switch {
	case r.Method != http.MethodPost || err != nil:
		return "InvalidRequest"
	case !actions[r.Header.Get("X-TC-Action")]:
		return "InvalidAction"
	case r.Header.Get("X-TC-Version") != "2021-01-11":
		return "NoSuchVersion"
	case r.Header.Get("X-TC-Region") == "":
		return "MissingParameter"
	case !f.SecretID.Equal(id):
		return "AuthFailure.SecretIdNotFound"
	case scope != at.UTC().Format("2006-01-02")+"/sms/tc3_request":
		return "AuthFailure.InvalidAuthorization"
	case !hmac.Equal([]byte(signature), []byte(f.sign(r, body, scope, signed))):
		return "AuthFailure.SignatureFailure"
	case f.now().Sub(at).Abs() > maxSkew:
		return "AuthFailure.SignatureExpire"
	}
	return ""
}

func (f *Fake) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}

func authorization(header string) (credential, signed, signature string) {
	rest, ok := strings.CutPrefix(header, "TC3-HMAC-SHA256 ")
	parts := strings.Split(rest, ", ")
	if !ok || len(parts) != 3 {
		return "", "", ""
	}
	return strings.TrimPrefix(parts[0], "Credential="), strings.TrimPrefix(parts[1], "SignedHeaders="), strings.TrimPrefix(parts[2], "Signature=")
}

// sign computes the signature that r must have. The vendor wants content-type and host signed.
func (f *Fake) sign(r *http.Request, body []byte, scope, signed string) string {
	if !strings.HasPrefix(signed, "content-type;host") {
		return "none"
	}
	var canonical strings.Builder
	canonical.WriteString(r.Method + "\n" + r.URL.EscapedPath() + "\n" + r.URL.RawQuery + "\n")
	for name := range strings.SplitSeq(signed, ";") {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		canonical.WriteString(name + ":" + strings.ToLower(strings.TrimSpace(value)) + "\n")
	}
	canonical.WriteString("\n" + signed + "\n" + hash(body))
	date, _, _ := strings.Cut(scope, "/")
	key := keyed(keyed(keyed([]byte("TC3"+f.SecretKey.Reveal()), date), "sms"), "tc3_request")
	text := "TC3-HMAC-SHA256\n" + r.Header.Get("X-TC-Timestamp") + "\n" + scope + "\n" + hash([]byte(canonical.String()))
	return hex.EncodeToString(keyed(key, text))
}

func keyed(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
