package webhook

import (
	"context"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var _ gateway.Examiner = (*Gateway)(nil)

// Examine implements [gateway.Examiner]. It connects and hangs up: whatever were posted, a receiver might take it for a message, and
// there is no other call that it has to understand.
func (g *Gateway) Examine(ctx context.Context, _ []gateway.Template) []gateway.Finding {
	if err := g.client.Reach(ctx, g.url.Reveal()); err != nil {
		return []gateway.Finding{{What: "connection", Grade: gateway.Bad, Text: carrier.Cause(err),
			Advice: "see that the receiver runs, that url leads to it by an address that allow_private lets through, and that its certificate is one that this machine trusts"}}
	}
	how := ", over TLS"
	if !strings.HasPrefix(g.url.Reveal(), "https") {
		how = ", in your own network, without TLS"
	}
	return []gateway.Finding{{What: "connection", Text: "the receiver can be reached" + how + "; whether it takes messages only one can tell"}}
}
