package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/gateway/mock"
)

// Bounds of the long poll. A waiter costs a connection and a goroutine.
const (
	usualWait  = 10 * time.Second
	maxWait    = time.Minute
	maxWaiting = 256
)

var errTooManyWaiting = errors.New("httpapi: too many long polls")

// inboxMessage is a message as testers read it: the one place where a code and a whole number are shown.
type inboxMessage struct {
	ID        string    `json:"id"`
	SMSID     string    `json:"sms_id"`
	Phone     string    `json:"phone"`
	Scene     string    `json:"scene"`
	Text      string    `json:"text"`
	Code      string    `json:"code"`
	Gateway   string    `json:"gateway"`
	Segments  int       `json:"segments"`
	Encoding  string    `json:"encoding"`
	CreatedAt time.Time `json:"created_at"`
}

func newInboxMessage(m mock.Message) inboxMessage {
	return inboxMessage{
		ID: m.ID, SMSID: m.SMSID, Phone: m.Phone.E164(), Scene: m.Scene, Text: m.Text.Reveal(), Code: m.Code.Reveal(),
		Gateway: m.Gateway, Segments: m.Segments, Encoding: m.Encoding, CreatedAt: m.CreatedAt,
	}
}

// messages answers GET /mock/messages.
func (s *admin) messages(c echo.Context) error {
	q := newQuery(c, "phone", "sms_id", "scene", "limit")
	filter := mock.Filter{
		Phone: q.number("phone"), SMSID: q.text("sms_id"), Scene: q.text("scene"), Limit: q.count("limit", mock.MaxMessages),
	}
	if err := q.err(); err != nil {
		return err
	}
	found := []inboxMessage{} // an empty inbox is [], not null
	for _, m := range s.Mock.Messages(filter) {
		found = append(found, newInboxMessage(m))
	}
	return answer(c, http.StatusOK, map[string]any{"messages": found})
}

// waitForMessage answers GET /mock/messages/wait: a long poll.
func (s *admin) waitForMessage(c echo.Context) error {
	q := newQuery(c, "phone", "sms_id", "scene", "since", "timeout")
	filter := mock.Filter{
		Phone: q.number("phone"), SMSID: q.text("sms_id"), Scene: q.text("scene"), Since: q.instant("since"),
	}
	timeout := q.span("timeout", usualWait, maxWait)
	if err := q.err(); err != nil {
		return err
	}
	select {
	case s.waiting <- struct{}{}:
		defer func() { <-s.waiting }()
	default:
		return errTooManyWaiting
	}
	extend(c, timeout)
	ctx, cancel := s.untilStopping(contextOf(c), timeout)
	defer cancel()
	m, ok := s.Mock.Wait(ctx, filter)
	if !ok {
		return c.NoContent(http.StatusNoContent)
	}
	return answer(c, http.StatusOK, newInboxMessage(m))
}

// untilStopping bounds ctx by timeout and ends it when the server is shut down.
func (s *admin) untilStopping(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	go func() {
		select {
		case <-s.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// clearMessages answers DELETE /mock/messages.
func (s *admin) clearMessages(c echo.Context) error {
	s.Mock.Clear()
	return c.NoContent(http.StatusNoContent)
}

// inboxPage is what the inbox page shows beside its messages.
type inboxPage struct {
	Faults []string
	Dev    bool
}

// inbox answers GET /mock/ with the page.
func (s *admin) inbox(c echo.Context) error {
	return s.pages.show(c, "inbox", inboxPage{Faults: mock.FaultKinds(), Dev: s.Dev})
}
