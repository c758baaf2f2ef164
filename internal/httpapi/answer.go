package httpapi

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"

	"smsd/internal/sms"
)

// answer writes v as JSON.
func answer(c echo.Context, status int, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	return blob(c, status, asJSON, body)
}

// Content types, each in the slice that every answer of it shares. Nobody appends to them: the slices are full.
var (
	asJSON    = []string{echo.MIMEApplicationJSON}
	asProblem = []string{typeProblem}
)

// blob writes a body of one of these types.
func blob(c echo.Context, status int, contentType []string, body []byte) error {
	c.Response().Header()[echo.HeaderContentType] = contentType // so that Blob makes no slice of its own
	return c.Blob(status, contentType[0], body)
}

// encode is v as JSON.
func encode(v any) ([]byte, error) { return json.Marshal(v) }

// sentAnswer is the answer to a send and a resend.
type sentAnswer struct {
	SMSID      string    `json:"sms_id"`
	Scene      string    `json:"scene"`
	Phone      string    `json:"phone"` // masked
	CodeLength int       `json:"code_length"`
	Attempts   int       `json:"attempts"`
	ExpiresIn  int64     `json:"expires_in"` // seconds
	ExpiresAt  time.Time `json:"expires_at"`
	ResendIn   int64     `json:"resend_in"` // seconds
	Delivery   string    `json:"delivery"`
}

func newSentAnswer(s sms.Sent) *sentAnswer {
	return &sentAnswer{
		SMSID: s.SMSID, Scene: s.Scene, Phone: s.Phone.String(), CodeLength: s.CodeLength, Attempts: s.Attempts,
		ExpiresIn: int64(s.ExpiresIn / time.Second), ExpiresAt: s.ExpiresAt.UTC(),
		ResendIn: int64(s.ResendIn / time.Second), Delivery: string(s.Delivery),
	}
}

// verifiedAnswer is the answer to a right code. Who has the code may see the number.
type verifiedAnswer struct {
	Verified   bool      `json:"verified"`
	SMSID      string    `json:"sms_id"`
	Scene      string    `json:"scene"`
	Phone      string    `json:"phone"`
	VerifiedAt time.Time `json:"verified_at"`
	Token      string    `json:"token,omitzero"`
}

// consumedAnswer is the answer to a token that proves something. Whoever has the token can read the number in it.
type consumedAnswer struct {
	Valid      bool      `json:"valid"`
	SMSID      string    `json:"sms_id"`
	Phone      string    `json:"phone"`
	Scene      string    `json:"scene"`
	App        string    `json:"app"`
	VerifiedAt time.Time `json:"verified_at"`
	JTI        string    `json:"jti"`
}

func newVerifiedAnswer(v sms.Verified) *verifiedAnswer {
	return &verifiedAnswer{
		Verified: true, SMSID: v.SMSID, Scene: v.Scene, Phone: v.Phone.E164(), VerifiedAt: v.VerifiedAt.UTC(),
		Token: v.Token.Reveal(),
	}
}
