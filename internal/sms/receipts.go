package sms

import (
	"context"
	"fmt"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/records"
)

// errUnkept is what a receipt comes to where no records are kept.
var errUnkept = fmt.Errorf("%w: no records are kept, to which a receipt could be added", ErrUnavailable)

// Receive adds what the carrier of a gateway reports of its messages to the rows of their verifications, and returns when that is on
// disk. Receipts may come in any order, twice, before the send has returned and days after it: they lead to the same row. What is
// about a message of nobody here is counted, and is no error. An error unwraps to [ErrUnavailable], and all of it may be told again.
//
// That a message was delivered says nothing of who reads it: no code is touched, and nothing is verified.
func (s *Service) Receive(ctx context.Context, from string, all []gateway.Receipt) error {
	if s.records == nil {
		return errUnkept
	}
	budget := s.withBudget(ctx)
	defer budget.End()
	owners, err := s.ownersOf(budget, from, all)
	if err != nil {
		return unrecorded(err)
	}
	var rows []*row
	for _, r := range all {
		if row := s.receive(from, r, owners); row != nil {
			rows = append(rows, row)
		}
	}
	return waitAll(budget, rows)
}

// ownersOf returns whose the messages are that are named by the carrier's id alone, as far as it is known.
func (s *Service) ownersOf(ctx context.Context, from string, all []gateway.Receipt) (map[string]records.Owner, error) {
	var ids []string
	for _, r := range all {
		if isHandle(r) {
			ids = append(ids, r.ProviderID)
		}
	}
	if len(ids) == 0 || s.owners == nil {
		return nil, nil
	}
	return s.owners.Owners(ctx, from, ids)
}

// isHandle says whether the carrier's id is what tells whose a receipt is.
func isHandle(r gateway.Receipt) bool { return r.MessageID == "" && records.IsProviderID(r.ProviderID) }

// receive hands one receipt on; nil: there is nothing to wait for.
func (s *Service) receive(from string, r gateway.Receipt, owners map[string]records.Owner) *row {
	now := s.now()
	if of, ours := s.keys.originOf(r.MessageID); ours {
		return s.tellRow(from, of.smsID, of.at, toldBy(r, of.at, now), r)
	}
	if owner, known := owners[r.ProviderID]; known && isHandle(r) {
		// Since is by the database's clock, and later than the send where a spool was replayed: it corrects no instant.
		return s.tellRow(from, owner.SMSID, owner.Since, toldBy(r, time.Time{}, now), r)
	}
	s.metrics.unknownReceipts.WithLabelValues(from).Inc()
	if !isHandle(r) || s.owners == nil || !s.early.AllowN(now, 1) {
		return nil
	}
	return &row{s.records.Handle(records.Handle{Gateway: from, ProviderID: r.ProviderID, Fate: toldBy(r, time.Time{}, now)})}
}

// tellRow adds what a receipt tells to the row of the verification whose message was sent at sent.
func (s *Service) tellRow(from, smsID string, sent time.Time, fate records.Fate, r gateway.Receipt) *row {
	s.metrics.receipts.WithLabelValues(from, string(stateOf(r))).Inc()
	s.journal.undelivered(from, smsID, r)
	if !fate.DeliveredAt.IsZero() {
		s.metrics.deliverySeconds.WithLabelValues(from).Observe(max(0, fate.DeliveredAt.Sub(sent)).Seconds())
	}
	return &row{s.records.Change(records.Change{SMSID: smsID, Fate: fate})}
}

// handleRow notes whose the message is, for a carrier whose receipts do not tell.
func (s *Service) handleRow(o *order, accepted gateway.Accepted) {
	if s.records != nil && accepted.ByProviderID && records.IsProviderID(accepted.ProviderID) {
		s.records.Handle(records.Handle{Gateway: accepted.Gateway, ProviderID: accepted.ProviderID, SMSID: o.id})
	}
}

// waitAll returns nil when every row is on disk.
func waitAll(ctx context.Context, rows []*row) error {
	for _, r := range rows {
		if err := r.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}
