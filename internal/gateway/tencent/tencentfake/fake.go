package tencentfake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"smsd/internal/secret"
)

// Fake is the vendor's endpoint for one account. Safe for concurrent use.
type Fake struct {
	// SecretID and SecretKey are the account's.
	SecretID, SecretKey secret.Text
	// Now is the vendor's clock; nil: the system's.
	Now func() time.Time
	// Answer says what becomes of a message: "" or Ok takes it, another code refuses it, with text for the answer's
	// Message. nil: all are taken.
	Answer func(Message) (code, text string)
	// Account is what there is to ask about.
	Account Account
	// Serial is that of the message before the first.
	Serial int64

	seen atomic.Int64 // messages
}

// Message is what SendSms was asked to send.
type Message struct {
	PhoneNumberSet, TemplateParamSet                                    []string
	SmsSdkAppId, TemplateId, SignName, SessionContext, SenderId, Region string
	// SerialNo is by what the vendor knows it.
	SerialNo string `json:"-"`
}

// maxBody is far above what one message needs.
const maxBody = 64 << 10

// ServeHTTP answers as the vendor does: always 200, with an Error of the whole call or the state of the number inside.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.serve(w, r, f.Answer) }

// With returns the same account, in which answer stands for Answer.
func (f *Fake) With(answer func(Message) (code, text string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, answer) })
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request, answer func(Message) (code, text string)) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if code := f.refused(r, body); code != "" {
		f.write(w, "Error", map[string]string{"Code": code, "Message": fmt.Sprintf("%s, of %s with %s", code, body, r.Header.Get("Authorization"))})
		return
	}
	if f.asked(w, r, body) {
		return
	}
	var m Message
	if json.Unmarshal(body, &m) != nil || len(m.PhoneNumberSet) != 1 {
		f.write(w, "Error", map[string]string{"Code": "InvalidParameter", "Message": string(body)})
		return
	}
	m.Region, m.SerialNo = r.Header.Get("X-TC-Region"), fmt.Sprintf("5000:%023d", f.Serial+f.seen.Add(1))
	code, text := missing(m), "send success"
	if code == "" && answer != nil {
		code, text = answer(m)
	}
	f.write(w, "SendStatusSet", []any{f.state(m, code, text)})
}

// missing returns the code of what m lacks.
func missing(m Message) string {
	switch {
	case !strings.HasPrefix(m.PhoneNumberSet[0], "+"):
		return "InvalidParameterValue.IncorrectPhoneNumber"
	case m.SmsSdkAppId == "":
		return "InvalidParameterValue.SdkAppIdNotExist"
	case m.TemplateId == "":
		return "FailedOperation.TemplateUnapprovedOrNotExist"
	case m.SignName == "" && strings.HasPrefix(m.PhoneNumberSet[0], "+86"):
		return "FailedOperation.SignatureIncorrectOrUnapproved"
	}
	return ""
}

func (f *Fake) state(m Message, code, text string) map[string]any {
	state := map[string]any{
		"SerialNo": "", "PhoneNumber": m.PhoneNumberSet[0], "Fee": 0, "SessionContext": m.SessionContext, "Code": code, "Message": text, "IsoCode": "CN",
	}
	if code == "" || code == "Ok" {
		state["Code"], state["Fee"], state["SerialNo"] = "Ok", 1, m.SerialNo
	}
	return state
}

func (f *Fake) write(w http.ResponseWriter, name string, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"Response": map[string]any{name: value, "RequestId": "a0aabda6-cf91-4f3e-a81f-9198114a2279"}})
}
