package sms

import (
	"time"

	"smsd/internal/gateway"
	"smsd/internal/records"
)

// lateness is a [Service] as whoever hears of messages that a gateway took after it was given up.
type lateness Service

// TakenLate implements [gateway.Late]. The client was told that nobody knows; the row says from now on that the carrier has it, and
// receipts that name it by the carrier's id find it.
func (l *lateness) TakenLate(m gateway.Message, a gateway.Accepted) {
	s, o := (*Service)(l), &order{id: m.SMSID, gateway: a.Gateway}
	s.handleRow(o, a)
	s.changeRow(o, time.Time{}, records.Fate{Gateway: a.Gateway, Delivery: records.DeliveryAccepted})
}
