package sms

import (
	"context"
	"errors"
	"log/slog"

	"smsd/internal/gateway"
	"smsd/internal/records"
	"smsd/internal/throttle"
)

// otherScene stands for every scene that the policy does not know: what a client wrote there is the
// client's, and neither a log nor a label takes it.
const otherScene = "other"

// reportSend tells the log and the metrics how a send or a resend ended.
func (s *Service) reportSend(ctx context.Context, action string, o *order, sent Sent, err error) {
	end := outcomeAccepted
	if sent.Delivery == DeliveryUnknown {
		end = outcomeUnknown
	}
	switch {
	case err != nil:
		end = outcomeOf(err)
	case action == "send":
		s.countCountry(o, records.Accepted)
	}
	s.metrics.sends.WithLabelValues(action, o.label(), end.label).Inc()
	s.journal.write(ctx, action, end, err, o)
	s.decide(action, o, end, sent.decided(err))
}

// reportVerify tells the log and the metrics how a verify ended.
func (s *Service) reportVerify(ctx context.Context, a *attempt, err error) {
	if a.scene == nil && a.policy != nil {
		a.scene = a.policy.Scenes[a.asked]
	}
	end := outcomeVerified
	if err != nil {
		end = outcomeOf(err)
	} else {
		s.countCountry(&a.order, records.Verified)
	}
	s.metrics.verifies.WithLabelValues(a.label(), end.label).Inc()
	s.journal.write(ctx, "verify", end, err, &a.order)
	s.decide("verify", &a.order, end, refusedBy(err))
}

// countCountry counts how far a verification has come, under its number's country: what is pumped is accepted, and seldom
// verified. A test number is sent nothing, so that its verifications would only hide that.
func (s *Service) countCountry(o *order, state records.State) {
	if _, test := o.policy.testNumber(o.number, s.now()); !test {
		country := o.number.Country()
		s.metrics.countries.WithLabelValues(country, string(records.Verified)) // none is 0, not nothing: else its share is nobody's to see
		s.metrics.countries.WithLabelValues(country, string(state)).Inc()
	}
}

// failed tells of a step that went wrong and changes no answer.
func (s *Service) failed(ctx context.Context, o *order, step string, err error) {
	s.metrics.failedSteps.WithLabelValues(step).Inc()
	s.journal.write(ctx, step, outcome{"failed", slog.LevelWarn, true}, err, o)
}

// delivered tells of gateways that failed before one took the message.
func (s *Service) delivered(ctx context.Context, o *order, accepted gateway.Accepted) {
	if accepted.Earlier != nil {
		s.journal.write(ctx, "failover", outcome{accepted.Gateway, slog.LevelWarn, true}, accepted.Earlier, o)
	}
}

// doubted tells of a message that may or may not have left.
func (s *Service) doubted(ctx context.Context, o *order, err error) {
	s.journal.write(ctx, "deliver", outcomeUnknown, err, o)
}

// label is the scene as a metric may have it.
func (o *order) label() string {
	if o.scene == nil {
		return otherScene
	}
	return o.scene.Name
}

// appendAttrs appends what a log line may hold of an order: everything personal masks itself.
func (o *order) appendAttrs(attrs []slog.Attr) []slog.Attr {
	attrs = append(attrs, slog.String("scene", o.label()), slog.Any("client", o.client))
	if o.app != "" && o.app != DefaultApp {
		attrs = append(attrs, slog.String("app", o.app)) // whose rules the line speaks of
	}
	if o.id != "" {
		attrs = append(attrs, slog.String("sms_id", shortID(o.id)))
	}
	if !o.number.IsZero() {
		attrs = append(attrs, slog.Any("phone", o.number), slog.String("country", o.number.Country()))
	}
	if o.gateway != "" {
		attrs = append(attrs, slog.String("gateway", o.gateway))
	}
	return attrs
}

// shortID is enough of an sms_id to find a line by; the whole of it is what allows a verify.
func shortID(id string) string { return id[:min(8, len(id))] }

// appendErrorAttrs appends what a log line says of a failure. A refusal is told in full here, since the answer
// does not say which layer refused.
func appendErrorAttrs(attrs []slog.Attr, err error) []slog.Attr {
	if denied, refused := errors.AsType[*throttle.Denied](err); refused {
		attrs = append(attrs,
			slog.String("rule", denied.Rule), slog.Int64("used", denied.Used), slog.Int64("limit", denied.Limit),
			slog.Duration("retry_after", denied.RetryAfter))
		// Of a carrier's own limit only the carrier knows which one it is, and how many there were before.
		if said, ok := errors.AsType[*gateway.Error](err); ok {
			attrs = append(attrs, slog.String("error", said.Error()))
		}
		return attrs
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	return attrs
}
