package sms

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// carrierWait is told to the client where a carrier refused by its own limit and did not say for how
// long: the shortest window that carriers publish is a minute.
const carrierWait = time.Minute

// failure is a message that surely did not leave.
type failure struct {
	err    error
	reason gateway.Reason
	code   string          // the carrier's own word for it
	refund []throttle.Kind // which limits are given back; none named: all
}

// deliver hands the message with code on. What may have left counts as sent.
func (s *Service) deliver(ctx context.Context, o *order, code secret.Text, remaining time.Duration) (Delivery, *failure) {
	d := s.dispatch(o, code, remaining)
	accepted, err := s.gateway.Send(ctx, d)
	if err == nil {
		o.gateway = accepted.Gateway
		s.noteCost(o, d, accepted.Gateway)
		s.handleRow(o, accepted)
		s.delivered(ctx, o, accepted)
		return DeliveryAccepted, nil
	}
	fault := &gateway.Error{} // MaybeSent, for an error of another type
	if !errors.As(err, &fault) || fault.Sent != gateway.NotSent {
		s.noteCost(o, d, fault.Gateway)
		o.gateway = fault.Gateway // which may have it, and can be asked
		s.doubted(ctx, o, err)
		return DeliveryUnknown, nil
	}
	return "", fateOf(fault)
}

// dispatch makes the message, with the words of each gateway that may take it.
func (s *Service) dispatch(o *order, code secret.Text, remaining time.Duration) gateway.Dispatch {
	template, tag := o.scene.Templates.Match(o.locale)
	text := template.Render(code, remaining)
	return gateway.Dispatch{
		Message: gateway.Message{
			ID: s.keys.messageID(o.id, s.now()), SMSID: o.id, Phone: o.number, Scene: o.scene.Name, Locale: tag, Text: text, Code: code,
		},
		Route:   o.policy.Routes.For(o.scene.Name, o.number.Country()),
		Wording: template.wordings(text, code, remaining),
		Late:    (*lateness)(s),
	}
}

// fateOf is the failure table of what surely did not leave.
func fateOf(fault *gateway.Error) *failure {
	switch {
	case fault.Reason == gateway.BadNumber, nowhere(fault):
		return &failure{err: fmt.Errorf("%w: %w", ErrUndeliverable, fault), reason: fault.Reason, code: fault.Code, refund: []throttle.Kind{throttle.Phone}}
	case fault.Reason == gateway.Throttled:
		denied := &throttle.Denied{Decision: throttle.Decision{Rule: carrierRule, RetryAfter: carrierRetryAfter(fault.RetryAfter)}}
		return &failure{err: fmt.Errorf("%w: %w", denied, fault), reason: fault.Reason, code: fault.Code}
	}
	return &failure{err: fmt.Errorf("%w: %w", ErrGatewayFailed, fault), reason: fault.Reason, code: fault.Code}
}

// nowhere reports whether no gateway that was asked has a way to the number. Where another one failed, that one may have.
func nowhere(fault *gateway.Error) bool {
	for ; fault != nil; fault = fault.Earlier {
		if fault.Reason != gateway.NoRoute {
			return false
		}
	}
	return true
}

// carrierRule is the rule by which a carrier refuses.
const carrierRule = "carrier"

func carrierRetryAfter(told time.Duration) time.Duration {
	if told <= 0 {
		return carrierWait
	}
	return told
}
