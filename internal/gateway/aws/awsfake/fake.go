package awsfake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"smsd/internal/secret"
)

// Fake is the vendor's endpoint for one account in one region. Safe for concurrent use.
type Fake struct {
	// Region is where it stands, as eu-central-1.
	Region string
	// AccessKeyID, AccessKeySecret and SessionToken are the credentials that are taken; the token may be zero.
	AccessKeyID, AccessKeySecret, SessionToken secret.Text
	// Now is the vendor's clock; nil: the system's.
	Now func() time.Time
	// Answer says what becomes of a message; the zero Refusal takes it. nil: all are taken.
	Answer func(Message) Refusal
	// Account says what the account has: it answers an operation that changes nothing, as DescribeSpendLimits, by the request's JSON.
	// nil: the keys may ask for nothing.
	Account func(operation string, request []byte) (answer map[string]any, refusal Refusal)

	taken atomic.Int64
}

// Message is what SendTextMessage was asked to send.
type Message struct {
	DestinationPhoneNumber, OriginationIdentity, MessageBody, MessageType string
	ConfigurationSetName, ProtectConfigurationID, MaxPrice                string
	TimeToLive                                                            int
	Context, DestinationCountryParameters                                 map[string]string
	DryRun                                                                bool
}

// Refusal is an exception of the vendor's.
type Refusal struct {
	// Exception is its name, as ConflictException.
	Exception string
	// Reason stands inside some; Field is what a ValidationException is about. Both may be empty.
	Reason, Field string
}

// maxBody bounds what is read of a request: 1,600 characters, escaped, and what goes with them.
const maxBody = 64 << 10

// ServeHTTP answers as the vendor does: 200 with the message's id, or 4xx and 5xx with an exception.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.serve(w, r, f.Answer) }

// With returns the same account, in which answer stands for Answer.
func (f *Fake) With(answer func(Message) Refusal) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, answer) })
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request, answer func(Message) Refusal) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		f.refuse(w, Refusal{Exception: "RequestEntityTooLargeException"}, "too much")
		return
	}
	echo := fmt.Sprintf("refused: %s %s", body, r.Header.Get("Authorization"))
	if exception := f.forged(r, body); exception != "" {
		f.refuse(w, Refusal{Exception: exception}, echo)
		return
	}
	if operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), api); strings.HasPrefix(operation, "Describe") {
		f.describe(w, operation, body)
		return
	}
	m, refusal := read(r, body)
	if refusal.Exception == "" && answer != nil {
		refusal = answer(m)
	}
	if refusal.Exception != "" {
		f.refuse(w, refusal, echo)
		return
	}
	f.write(w, http.StatusOK, map[string]any{"MessageId": fmt.Sprintf("862a8790-60c0-4430-9b2b-%012d", f.taken.Add(1))})
}

// api is before the name of every operation.
const api = "PinpointSMSVoiceV2."

// describe answers a question about the account.
func (f *Fake) describe(w http.ResponseWriter, operation string, body []byte) {
	answer, refusal := map[string]any(nil), Refusal{Exception: "AccessDeniedException"}
	if f.Account != nil {
		answer, refusal = f.Account(operation, body)
	}
	if refusal.Exception != "" {
		f.refuse(w, refusal, string(body))
		return
	}
	f.write(w, http.StatusOK, answer)
}

// read returns the message, or what is wrong with it.
func read(r *http.Request, body []byte) (m Message, refusal Refusal) {
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/" || r.Header.Get("X-Amz-Target") != api+"SendTextMessage":
		return m, Refusal{Exception: "UnknownOperationException"}
	case r.Header.Get("Content-Type") != "application/x-amz-json-1.0" || json.Unmarshal(body, &m) != nil:
		return m, Refusal{Exception: "SerializationException"}
	case m.DestinationPhoneNumber == "" || m.DestinationPhoneNumber[0] != '+':
		return m, invalid("DestinationPhoneNumber")
	case m.MessageBody == "" || len([]rune(m.MessageBody)) > 1600:
		return m, invalid("MessageBody")
	case m.TimeToLive != 0 && (m.TimeToLive < 5 || m.TimeToLive > 259200):
		return m, invalid("TimeToLive")
	}
	return m, Refusal{}
}

func invalid(field string) Refusal {
	return Refusal{Exception: "ValidationException", Reason: "FIELD_VALIDATION_FAILED", Field: field}
}

// refuse writes an exception. Its words are not the vendor's.
func (f *Fake) refuse(w http.ResponseWriter, refusal Refusal, words string) {
	answer := map[string]any{"__type": "com.amazonaws.pinpointsmsvoicev2#" + refusal.Exception, "Message": words}
	if refusal.Reason != "" {
		answer["Reason"] = refusal.Reason
	}
	if refusal.Field != "" {
		answer["Fields"] = []map[string]string{{"Name": refusal.Field, "Message": words}}
	}
	f.write(w, statusOf(refusal.Exception), answer)
}

func statusOf(exception string) int {
	switch exception {
	case "InternalServerException", "InternalFailure":
		return http.StatusInternalServerError
	case "ServiceUnavailable":
		return http.StatusServiceUnavailable
	case "UnknownOperationException":
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}

func (f *Fake) write(w http.ResponseWriter, status int, answer map[string]any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("Date", f.now().UTC().Format(http.TimeFormat))
	w.Header().Set("X-Amzn-Requestid", "0dd4d5c4-8e4f-4c44-9a4e-0a8e8b9f4f6a")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *Fake) now() time.Time {
	if f.Now == nil {
		return time.Now()
	}
	return f.Now()
}

func length(r *http.Request) string { return strconv.FormatInt(r.ContentLength, 10) }
