package tencent

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"smsd/internal/secret"
)

// algorithm is the vendor's signature version 3 (cloud.tencent.com/document/api/213/30654, November 2026), for a POST of JSON to /.
const (
	algorithm     = "TC3-HMAC-SHA256"
	contentType   = "application/json; charset=utf-8"
	signedHeaders = "content-type;host;x-tc-action"
)

// key is an API key.
type key struct{ id, secret secret.Text }

// call is what is signed.
type call struct {
	host, service, action, version string
	body                           []byte
	at                             time.Time
}

// header returns the header of c, with the signature.
func (k key) header(c call) http.Header {
	scope := c.at.UTC().Format("2006-01-02") + "/" + c.service + "/tc3_request"
	instant := strconv.FormatInt(c.at.Unix(), 10)
	text := strings.Join([]string{algorithm, instant, scope, digest([]byte(c.canonical()))}, "\n")
	h := http.Header{}
	h.Set("Authorization", algorithm+" Credential="+k.id.Reveal()+"/"+scope+", SignedHeaders="+signedHeaders+", Signature="+k.sign(scope, text))
	h.Set("Content-Type", contentType)
	h.Set("X-TC-Action", c.action)
	h.Set("X-TC-Version", c.version)
	h.Set("X-TC-Timestamp", instant)
	return h
}

func (c call) canonical() string {
	return strings.Join([]string{
		http.MethodPost, "/", "",
		"content-type:" + contentType,
		"host:" + c.host,
		"x-tc-action:" + strings.ToLower(c.action),
		"", signedHeaders, digest(c.body),
	}, "\n")
}

// sign derives a key for each part of scope from the one before, and signs text with the last.
func (k key) sign(scope, text string) string {
	derived := []byte("TC3" + k.secret.Reveal())
	for part := range strings.SplitSeq(scope, "/") {
		derived = sum(derived, part)
	}
	return hex.EncodeToString(sum(derived, text))
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func digest(text []byte) string {
	d := sha256.Sum256(text)
	return hex.EncodeToString(d[:])
}
