package httpapi

import (
	"context"
	"errors"
	"log/slog"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// What becomes of a call with receipts: a closed list, also a metric's label.
const (
	receiptsTaken       = "taken"
	receiptsForged      = "forged"
	receiptsUnreadable  = "unreadable"
	receiptsTooLarge    = "too_large"
	receiptsUnavailable = "unavailable"
	receiptsBroken      = "broken"
)

func outcomeOfReceipts(err error) string {
	switch {
	case err == nil:
		return receiptsTaken
	case errors.Is(err, gateway.ErrForged):
		return receiptsForged
	case errors.Is(err, gateway.ErrUnreadable), errors.Is(err, errMediaType):
		return receiptsUnreadable
	case errors.Is(err, errBodyTooLarge):
		return receiptsTooLarge
	case errors.Is(err, sms.ErrUnavailable), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return receiptsUnavailable
	}
	return receiptsBroken
}

// receiptMetrics count the calls of carriers.
type receiptMetrics struct{ calls *prometheus.CounterVec }

func newReceiptMetrics(r prometheus.Registerer) (*receiptMetrics, error) {
	m := &receiptMetrics{prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "smsd_gateway_receipt_calls_total",
		Help: "Calls of carriers with receipts, by what became of them.",
	}, []string{"gateway", "outcome"})}
	return m, register(r, m.calls)
}

// count takes the name of a gateway that there is.
func (m *receiptMetrics) count(name string, err error) {
	m.calls.WithLabelValues(name, outcomeOfReceipts(err)).Inc()
}

func (s *receipts) logRefused(c echo.Context, name string, err error) {
	s.Logger.LogAttrs(c.Request().Context(), slog.LevelWarn, "receipts refused",
		slog.String("gateway", name), slog.String("reason", outcomeOfReceipts(err)),
		slog.String("request_id", idOf(c)), slog.Any("client", s.clients.of(c.Request())))
}
