package mock

import (
	"context"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// Message is one message of the inbox.
type Message struct {
	ID        string // random; it is the ProviderID too
	SMSID     string
	Phone     phone.Number
	Scene     string
	Text      secret.Text
	Code      secret.Text
	Gateway   string // the name of the mock gateway
	Segments  int
	Encoding  string    // "GSM-7" or "UCS-2"
	CreatedAt time.Time // UTC; later than that of the message before
}

func (g *Gateway) message(m gateway.Message) Message {
	n, encoding := gateway.Segments(m.Text.Reveal())
	return Message{
		SMSID:    m.SMSID,
		Phone:    m.Phone,
		Scene:    m.Scene,
		Text:     m.Text,
		Code:     m.Code,
		Gateway:  g.name,
		Segments: n,
		Encoding: string(encoding),
	}
}

// Filter chooses messages; what is zero chooses all.
type Filter struct {
	Phone phone.Number
	SMSID string
	Scene string
	Since time.Time // later than
	Limit int       // 0: all; Wait does not look at it
}

func (f Filter) matches(m Message) bool {
	return (f.Phone.IsZero() || f.Phone == m.Phone) &&
		(f.SMSID == "" || f.SMSID == m.SMSID) &&
		(f.Scene == "" || f.Scene == m.Scene) &&
		m.CreatedAt.After(f.Since)
}

// Messages returns the matching messages, newest first.
func (g *Gateway) Messages(f Filter) []Message { return g.inbox.messages(f) }

// Wait returns the first message created after f.Since that matches: at once if it is there already (also
// when ctx has ended), else as soon as it comes. It is false if ctx ends before. The caller bounds how
// many wait.
func (g *Gateway) Wait(ctx context.Context, f Filter) (Message, bool) { return g.inbox.wait(ctx, f) }

// Clear empties the inbox. Who waits goes on waiting.
func (g *Gateway) Clear() { g.inbox.clear() }
