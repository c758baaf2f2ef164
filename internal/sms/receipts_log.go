package sms

import (
	"context"
	"log/slog"

	"smsd/internal/gateway"
)

// outcomeUndelivered is a carrier's word that a message did not arrive: sampled, since a carrier that fails says so of each.
var outcomeUndelivered = outcome{string(gateway.Undelivered), slog.LevelInfo, true}

// undelivered tells of a message that did not arrive, by the carrier's own code: what the reasons call ambiguous only the vendor's page or its
// support can tell.
func (j *journal) undelivered(from, smsID string, r gateway.Receipt) {
	ctx := context.Background() // a carrier's call may be about many
	if stateOf(r) != gateway.Undelivered || !j.logger.Enabled(ctx, outcomeUndelivered.level) || !j.admits(ctx, "receipt", outcomeUndelivered) {
		return
	}
	line := []slog.Attr{
		slog.String("outcome", outcomeUndelivered.label), slog.String("gateway", from), slog.String("sms_id", shortID(smsID)), slog.String("reason", reasonOf(r)),
	}
	if code := codeOf(r); code != "" {
		line = append(line, slog.String("code", code))
	}
	j.logger.LogAttrs(ctx, outcomeUndelivered.level, "receipt", line...)
}
