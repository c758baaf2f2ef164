package vonagefake

import (
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"smsd/internal/secret"
)

// Fake is the vendor's endpoint for one account. Safe for concurrent use.
type Fake struct {
	// ApplicationID and PublicKey are an application's; nil: there is none, and a JWT is refused.
	ApplicationID secret.Text
	PublicKey     *rsa.PublicKey
	// APIKey and APISecret are the account's; empty: Basic authentication is refused.
	APIKey, APISecret secret.Text
	// Now is the vendor's clock; nil: the system's.
	Now func() time.Time
	// Answer says what becomes of a message: the zero Refusal takes it. nil: all are taken.
	Answer func(Message) Refusal
	// Account is what there is to ask about.
	Account Account

	seen atomic.Int64 // messages
}

// Message is what the vendor was asked to send.
type Message struct {
	Channel, To, From, Text string
	MessageType             string `json:"message_type"`
	ClientRef               string `json:"client_ref"`
	TTL                     int
	WebhookURL              string `json:"webhook_url"`
	WebhookVersion          string `json:"webhook_version"`
	// ID is by what the vendor knows it.
	ID string `json:"-"`
}

// Refusal is one of the vendor's.
type Refusal struct {
	Status int // of HTTP
	// Code ends the problem's type: a number of the list of errors, or one of its words.
	Code, Title string
	// Parameters are the names of those that are invalid, if the vendor tells.
	Parameters []string
}

// maxBody bounds what is read of a request: 3,200 characters, escaped.
const maxBody = 64 << 10

// ServeHTTP answers as the vendor does: 202 and an id, or a problem.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.serve(w, r, f.Answer) }

// With returns the same account, in which answer stands for Answer.
func (f *Fake) With(answer func(Message) Refusal) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, answer) })
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request, answer func(Message) Refusal) {
	if f.asked(w, r) {
		return
	}
	m, refusal := f.read(w, r)
	m.ID = fmt.Sprintf("aaaaaaaa-bbbb-4ccc-8ddd-%012x", f.seen.Add(1))
	if refusal.Status == 0 && answer != nil {
		refusal = answer(m)
	}
	if refusal.Status != 0 {
		refusal.write(w, fmt.Sprintf("to %s: %s (%s)", m.To, m.Text, r.Header.Get("Authorization")))
		return
	}
	write(w, http.StatusAccepted, map[string]any{"message_uuid": m.ID})
}

// read returns the message, or what is wrong with the call.
func (f *Fake) read(w http.ResponseWriter, r *http.Request) (Message, Refusal) {
	if !f.authentic(r) {
		return Message{}, Refusal{Status: http.StatusUnauthorized, Code: "unauthorized", Title: "You did not provide correct credentials."}
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		return Message{}, Refusal{Status: http.StatusNotFound, Code: "not-found", Title: "Not found."}
	}
	var m Message
	if r.Header.Get("Content-Type") != "application/json" || json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&m) != nil {
		return m, Refusal{Status: http.StatusUnprocessableEntity, Code: "invalid-json", Title: "The request body did not contain valid JSON"}
	}
	return m, check(m)
}

// check returns the first thing that is wrong with m.
func check(m Message) Refusal {
	invalid := func(code, title string, parameters ...string) Refusal {
		return Refusal{http.StatusUnprocessableEntity, code, title, parameters}
	}
	switch {
	case m.Channel != "sms":
		return invalid("1100", "Unsupported channel")
	case m.MessageType != "text":
		return invalid("1140", "Invalid message type")
	case strings.Trim(m.To, "0123456789") != "" || len(m.To) < 7 || len(m.To) > 15:
		return invalid("1150", "Invalid params", "to")
	case m.From == "" || m.From[0] == '+':
		return invalid("1120", "Invalid sender")
	case m.Text == "" || len([]rune(m.Text)) > 3200:
		return invalid("1150", "Invalid params", "text")
	case m.TTL != 0 && (m.TTL < 20 || m.TTL > 604800):
		return invalid("1150", "Invalid params", "ttl")
	case len(m.ClientRef) > 40:
		return invalid("1060", "Invalid client reference")
	}
	return Refusal{}
}

func (r Refusal) write(w http.ResponseWriter, words string) {
	page := "/messages#" + r.Code
	if strings.Trim(r.Code, "0123456789") != "" {
		page = "/#" + r.Code
	}
	body := map[string]any{
		"type": "https://developer.vonage.com/api-errors" + page, "title": r.Title, "detail": words,
		"instance": "bf0ca0bf927b3b52e3cb03217e1a1ddf",
	}
	var invalid []map[string]string
	for _, name := range r.Parameters {
		invalid = append(invalid, map[string]string{"name": name, "reason": "invalid value: " + words})
	}
	if invalid != nil {
		body["invalid_parameters"] = invalid
	}
	write(w, r.Status, body)
}

func write(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
