package sms

import (
	"errors"
	"log/slog"

	"smsd/internal/phone"
	"smsd/internal/throttle"
)

// outcome is how a request ended: a closed list, also a metric's label.
type outcome struct {
	label string
	level slog.Level
	// sampled outcomes are whatever a client can cause as often as it likes.
	sampled bool
}

// The outcomes that are no failure.
var (
	outcomeAccepted = outcome{string(DeliveryAccepted), slog.LevelInfo, false}
	outcomeUnknown  = outcome{string(DeliveryUnknown), slog.LevelWarn, false}
	outcomeVerified = outcome{"verified", slog.LevelInfo, false}
)

// The outcomes of failures that are types.
var (
	outcomeInvalid   = outcome{"invalid_request", slog.LevelInfo, true}
	outcomePhone     = outcome{"invalid_phone", slog.LevelInfo, true}
	outcomeIncorrect = outcome{"code_incorrect", slog.LevelInfo, true}
	outcomeRefused   = outcome{"rate_limited", slog.LevelInfo, true}
	outcomeCarrier   = outcome{"carrier_limited", slog.LevelInfo, true}
	outcomeInternal  = outcome{"internal", slog.LevelError, true}
)

// endings are the outcomes of failures that are sentinels; the first that matches counts.
var endings = []struct {
	err     error
	outcome outcome
}{
	{ErrUnavailable, outcome{"unavailable", slog.LevelWarn, true}},
	{ErrUnknownScene, outcome{"unknown_scene", slog.LevelInfo, true}},
	{ErrDestinationNotAllowed, outcome{"destination_not_allowed", slog.LevelInfo, true}},
	{ErrBlocked, outcome{"blocked", slog.LevelInfo, true}},
	{ErrNotFound, outcome{"verification_not_found", slog.LevelInfo, true}},
	{ErrExpired, outcome{"code_expired", slog.LevelInfo, true}},
	{ErrUsed, outcome{"code_used", slog.LevelInfo, true}},
	{ErrAttemptsExhausted, outcome{"attempts_exhausted", slog.LevelInfo, true}},
	{ErrUndeliverable, outcome{"undeliverable", slog.LevelInfo, true}},
	{ErrRepeated, outcome{"repeated", slog.LevelInfo, true}},
	{ErrGatewayFailed, outcome{"gateway_failed", slog.LevelWarn, true}},
}

// outcomeOf names the end of a request that failed.
func outcomeOf(err error) outcome {
	if denied, ok := errors.AsType[*throttle.Denied](err); ok {
		if denied.Rule == carrierRule {
			return outcomeCarrier
		}
		return outcomeRefused
	}
	switch {
	case isA[*phone.Error](err):
		return outcomePhone
	case isA[*FieldError](err):
		return outcomeInvalid
	case isA[*IncorrectError](err):
		return outcomeIncorrect
	}
	for _, e := range endings {
		if errors.Is(err, e.err) {
			return e.outcome
		}
	}
	return outcomeInternal
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
