package mock

import (
	"context"
	"errors"

	"smsd/internal/gateway"
)

// ErrNoMessage says that the inbox has no such message.
var ErrNoMessage = errors.New("mock: the inbox has no such message")

// Reporter has a carrier report on one message that it took, and returns what the message's gateway reads of that. said is what
// there is to tell: State, Reason, At and Segments.
type Reporter func(ctx context.Context, said gateway.Receipt) ([]gateway.Receipt, error)

// Report has the carrier of the newest matching message report on it, and returns what is read of that, and by which gateway. said has a
// State, and may have a Reason and an At. The error is [ErrNoMessage], or that of the carrier.
func (g *Gateway) Report(ctx context.Context, f Filter, said gateway.Receipt) (by string, receipts []gateway.Receipt, err error) {
	f.Limit = 1
	found := g.inbox.entries(f)
	if len(found) == 0 {
		return "", nil, ErrNoMessage
	}
	newest := found[0]
	said.Segments = newest.Segments
	receipts, err = newest.report(ctx, said)
	return newest.Gateway, receipts, err
}

// OwnReporter is that of the mock gateway itself, which knows a message by its own id.
func OwnReporter(messageID string) Reporter {
	return func(_ context.Context, said gateway.Receipt) ([]gateway.Receipt, error) {
		said.MessageID = messageID
		return []gateway.Receipt{said}, nil
	}
}
