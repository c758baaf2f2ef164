package aliyunfake

import (
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
	// AccessKeyID and AccessKeySecret are the account's.
	AccessKeyID, AccessKeySecret secret.Text
	// Now is the vendor's clock; nil: the system's.
	Now func() time.Time
	// Answer says what becomes of a message: "" or OK takes it, another code refuses it, with text for the answer's
	// Message. nil: all are taken.
	Answer func(Message) (code, text string)
	// Account is what there is to ask about.
	Account Account

	seen atomic.Int64 // messages
}

// Message is what SendSms was asked to send.
type Message struct {
	PhoneNumbers, SignName, TemplateCode, OutID string
	BizID                                       string // by which the vendor knows it
	Params                                      map[string]string
}

// ServeHTTP answers as the vendor does: 400 and more where the call itself won't do, 200 with a code inside for the rest.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.serve(w, r, f.Answer) }

// With returns the same account, in which answer stands for Answer.
func (f *Fake) With(answer func(Message) (code, text string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, answer) })
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request, answer func(Message) (code, text string)) {
	if status, code := f.refused(r); code != "" {
		f.write(w, status, code, fmt.Sprintf("%s, of %s with %s", code, r.URL.RawQuery, r.Header.Get("Authorization")))
		return
	}
	if f.asked(w, r) {
		return
	}
	m, code := read(r)
	m.BizID = fmt.Sprintf("9006197469364984%04d", f.seen.Add(1))
	text := "OK"
	if code == "" && answer != nil {
		code, text = answer(m)
	}
	if code == "" {
		code = "OK"
	}
	if code != "OK" {
		f.write(w, http.StatusOK, code, text)
		return
	}
	encode(w, http.StatusOK, map[string]any{"Code": code, "Message": text, "RequestId": requestID, "BizId": m.BizID})
}

// read returns the message, or the code of what it lacks.
func read(r *http.Request) (Message, string) {
	q := r.URL.Query()
	m := Message{PhoneNumbers: q.Get("PhoneNumbers"), SignName: q.Get("SignName"), TemplateCode: q.Get("TemplateCode"), OutID: q.Get("OutId")}
	switch {
	case m.PhoneNumbers == "" || strings.Trim(m.PhoneNumbers, "0123456789") != "":
		return m, "isv.MOBILE_NUMBER_ILLEGAL"
	case m.SignName == "":
		return m, "isv.SMS_SIGNATURE_ILLEGAL"
	case m.TemplateCode == "":
		return m, "isv.SMS_TEMPLATE_ILLEGAL"
	case json.Unmarshal([]byte(q.Get("TemplateParam")), &m.Params) != nil:
		return m, "isv.INVALID_JSON_PARAM"
	}
	return m, ""
}

// requestID is every answer's.
const requestID = "F655A8D5-B967-440B-8683-DAD6FF8DE990"

func (f *Fake) write(w http.ResponseWriter, status int, code, text string) {
	encode(w, status, map[string]any{"Code": code, "Message": text, "RequestId": requestID})
}

func encode(w http.ResponseWriter, status int, answer map[string]any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}
