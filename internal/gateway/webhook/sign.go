package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The header of Standard Webhooks 1.0.0, "Webhook headers".
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// sign puts the id, the instant and a signature by each key, the newest first, into header.
func sign(header http.Header, keys []key, id string, at time.Time, body []byte) {
	signatures := make([]string, len(keys))
	for i, k := range keys {
		signatures[i] = k.sign(id, at, body)
	}
	header.Set(headerID, id)
	header.Set(headerTimestamp, strconv.FormatInt(at.Unix(), 10))
	header.Set(headerSignature, strings.Join(signatures, " "))
}

// sign returns v1, and the HMAC-SHA256 of id, instant and body.
func (k key) sign(id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, []byte(k.Reveal()))
	fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
