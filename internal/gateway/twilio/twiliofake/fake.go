package twiliofake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"

	"smsd/internal/secret"
)

// Fake is the vendor's endpoint for one account. Safe for concurrent use.
type Fake struct {
	// AccountSID is the account's.
	AccountSID secret.Text
	// User and Password are the credentials that are taken: an API key's, or the account's SID and its auth token.
	User, Password secret.Text
	// Answer says what becomes of a message: 0 takes it, a code of the vendor's refuses it. nil: all are taken.
	Answer func(Message) (code int)
	// Account is what there is to ask about.
	Account Account

	seen atomic.Int64 // messages
}

// Message is what the vendor was asked to send.
type Message struct {
	To, From, MessagingServiceSID, Body string
	// ValidityPeriod is in seconds, as it was written; "" if there was none.
	ValidityPeriod string
	// StatusCallback is where the vendor is to report on it; "" if it was not said.
	StatusCallback string
	// SID is by what the vendor knows it.
	SID string
}

// maxForm bounds what is read of a request: 1,600 characters, escaped.
const maxForm = 64 << 10

// ServeHTTP answers as the vendor does: 201 and the message's resource, or a problem with a code.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.serve(w, r, f.Answer) }

// With returns the same account, in which answer stands for Answer.
func (f *Fake) With(answer func(Message) (code int)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, answer) })
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request, answer func(Message) (code int)) {
	if f.known(r) && f.asked(w, r) {
		return
	}
	m, code := f.read(w, r)
	m.SID = fmt.Sprintf("SM%032x", f.seen.Add(1))
	if code == 0 && answer != nil {
		code = answer(m)
	}
	if code != 0 {
		refuse(w, code, fmt.Sprintf("refused, to %s: %s (%s)", m.To, m.Body, r.Header.Get("Authorization")))
		return
	}
	write(w, http.StatusCreated, map[string]any{
		"sid": m.SID, "account_sid": f.AccountSID.Reveal(), "status": "queued", "error_code": nil,
		"to": m.To, "from": m.From, "body": m.Body,
	})
}

// known says whether r bears the credentials that are taken.
func (f *Fake) known(r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	return f.User.Equal(user) && f.Password.Equal(password)
}

// read returns the message, or the code of what is wrong with the call.
func (f *Fake) read(w http.ResponseWriter, r *http.Request) (Message, int) {
	if !f.known(r) {
		return Message{}, 20003
	}
	if r.Method != http.MethodPost || r.URL.Path != "/2010-04-01/Accounts/"+f.AccountSID.Reveal()+"/Messages.json" {
		return Message{}, 20404
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || r.ParseForm() != nil {
		return Message{}, 21604
	}
	return parse(r.PostForm)
}

// refuse writes a problem. The message's words are not the vendor's.
func refuse(w http.ResponseWriter, code int, words string) {
	status := statusOf(code)
	write(w, status, map[string]any{
		"code": code, "message": words, "status": status, "more_info": fmt.Sprintf("https://www.twilio.com/docs/errors/%d", code),
	})
}

func statusOf(code int) int {
	switch code {
	case 20003, 70051:
		return http.StatusUnauthorized
	case 20403:
		return http.StatusForbidden
	case 20404:
		return http.StatusNotFound
	case 20429, 63038, 60728:
		return http.StatusTooManyRequests
	}
	return http.StatusBadRequest
}

func write(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// parse returns the message, or the code of the first thing that it lacks.
func parse(form url.Values) (Message, int) {
	m := Message{
		To: form.Get("To"), From: form.Get("From"), MessagingServiceSID: form.Get("MessagingServiceSid"), Body: form.Get("Body"),
		ValidityPeriod: form.Get("ValidityPeriod"), StatusCallback: form.Get("StatusCallback"),
	}
	switch {
	case m.To == "":
		return m, 21604
	case m.From == "" && m.MessagingServiceSID == "":
		return m, 21603
	case m.To[0] != '+':
		return m, 21211
	case m.Body == "":
		return m, 21602
	case len([]rune(m.Body)) > 1600:
		return m, 21617
	}
	return m, 0
}
