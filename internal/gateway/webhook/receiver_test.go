package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The receiver that docs/gateways.md shows; a test sees that it is the same there. It shares nothing with the driver.

type receiver struct {
	key  []byte // of the secret: what is behind whsec_, decoded
	send func(id, phone, text string) (providerID string, err error)
}

func (c receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil || !c.signed(r.Header, body) {
		http.Error(w, "not signed by smsd", http.StatusUnauthorized)
		return
	}
	var m struct {
		Data struct{ ID, Phone, Text string }
	}
	if err := json.Unmarshal(body, &m); err != nil {
		http.Error(w, "not a message", http.StatusBadRequest)
		return
	}
	id, err := c.send(m.Data.ID, m.Data.Phone, m.Data.Text)
	if err != nil { // only if it surely was not sent
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"reason": "temporary"}`)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"id": id})
}

func (c receiver) signed(h http.Header, body []byte) bool {
	at, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(at, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, c.key)
	fmt.Fprintf(mac, "%s.%d.%s", h.Get("webhook-id"), at, body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Fields(h.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(want)) {
			return true
		}
	}
	return false
}
