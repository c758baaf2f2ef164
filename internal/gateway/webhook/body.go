package webhook

import (
	"encoding/json"
	"errors"
	"time"

	"smsd/internal/gateway"
)

// kind is the event's type: there is one.
const kind = "sms.send"

// event is what is posted: type, timestamp and data as the specification recommends.
type event struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      message   `json:"data"`
}

type message struct {
	ID       string    `json:"id"`
	SMSID    string    `json:"sms_id"`
	Phone    string    `json:"phone"`
	Scene    string    `json:"scene"`
	Locale   string    `json:"locale"`
	Text     string    `json:"text"`
	Code     string    `json:"code"`
	Template *template `json:"template,omitempty"`
}

type template struct {
	Sign   string  `json:"sign,omitempty"`
	Code   string  `json:"code"`
	Params []param `json:"params"`
}

type param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// encode returns the body for m. An error of encoding/json may hold what it could not encode.
func encode(m gateway.Message, at time.Time) ([]byte, error) {
	body, err := json.Marshal(event{kind, at.UTC().Truncate(time.Millisecond), message{
		ID: m.ID, SMSID: m.SMSID, Phone: m.Phone.E164(), Scene: m.Scene, Locale: m.Locale,
		Text: m.Text.Reveal(), Code: m.Code.Reveal(), Template: templateOf(m.Template),
	}})
	if err != nil {
		return nil, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the message can't be written as JSON")}
	}
	return body, nil
}

func templateOf(t gateway.Template) *template {
	if t.IsZero() {
		return nil
	}
	params := make([]param, len(t.Params))
	for i, p := range t.Params {
		params[i] = param{p.Name, p.Value.Reveal()}
	}
	return &template{t.Sign, t.Code, params}
}
