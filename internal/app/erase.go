package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/throttle"
)

// Receipt says what an erasure has done, and what it has left.
type Receipt struct {
	Action        string    `json:"action"` // "erase"
	Phone         string    `json:"phone"`  // masked
	At            time.Time `json:"at"`
	Verifications int64     `json:"verifications"` // rows that were about it
	Decisions     int64     `json:"decisions"`
	// Codes are verifications that were over or live and are forgotten now; Counters says what became of the limits.
	Codes    int       `json:"codes"`
	Counters string    `json:"counters"` // "emptied" or "left"
	Remains  []Remains `json:"remains"`
}

// Remains is something that an erasure does not reach.
type Remains struct {
	What  string `json:"what"`
	Until string `json:"until"`
}

// longOver is when a code is surely forgotten after its end: ten minutes, and what a gateway may have taken.
const longOver = 15 * time.Minute

// Erase forgets a number: its codes and counters, where they are in Redis, and then who its rows are about, which is
// how they are found. After an error it may have been done in part, and is done again.
func (r *Records) Erase(ctx context.Context, n phone.Number) (*Receipt, error) {
	receipt := &Receipt{Action: "erase", Phone: n.String(), At: time.Now().UTC().Truncate(time.Millisecond), Counters: "left", Remains: r.remains()}
	apps, live, err := r.Apps(ctx, n, time.Now().Add(-longOver))
	if err != nil {
		return nil, err
	}
	if !r.cfg.Embedded() {
		if err := r.forget(ctx, n, apps, live); err != nil {
			return nil, err
		}
		receipt.Codes, receipt.Counters = len(live), "emptied"
	}
	erased, err := r.Desk.Erase(ctx, n)
	if err != nil {
		return nil, err
	}
	receipt.Verifications, receipt.Decisions = erased.Verifications, erased.Decisions
	return receipt, nil
}

// forget empties what is in Redis.
func (r *Records) forget(ctx context.Context, n phone.Number, apps []string, live []records.Live) (err error) {
	stores := redisStores(r.cfg, r.secrets.indexCheck(), prometheus.NewRegistry())
	if err := stores.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stores.close()) }()
	for _, v := range live {
		if err := stores.codes.Delete(ctx, v.SMSID); err != nil {
			return fmt.Errorf("redis.url: forget a code: %w", err)
		}
	}
	limiter, err := throttle.New(throttle.Options{Store: stores.counters, IndexSecret: r.secrets.index})
	if err != nil {
		return err
	}
	for _, app := range apps {
		subjects := []throttle.Subject{{Kind: throttle.Phone, ID: n.E164()}, {Kind: throttle.App, ID: app}}
		if err := limiter.Reset(ctx, subjects...); err != nil {
			return fmt.Errorf("redis.url: empty the counters: %w", err)
		}
	}
	return nil
}

// remains are what an erasure does not reach, in the order in which it ends.
func (r *Records) remains() []Remains {
	var all []Remains
	if r.cfg.Embedded() {
		all = append(all,
			Remains{"codes, sealed, in the memory of the instance and its data_dir", "10 minutes after each has expired"},
			Remains{"counters, under keyed hashes, in the same place", "the end of each limit's window, 30 days at the most"})
	}
	return append(all,
		Remains{"answers that are kept for an Idempotency-Key, sealed", "24 hours after the request"},
		Remains{"rows that an instance has yet to write: of this moment, in its spool while the database was away, or set aside", "erase again once they are written"},
		Remains{"the rows without the number, the hashes and the prefix, for counts and bills", fmt.Sprintf("%s (verifications) and %s (decisions) after they were written", inDays(r.cfg.Retention.Verifications), inDays(r.cfg.Retention.Decisions))},
		Remains{"old pages of the database, backups of it, log lines with the number masked, and what the gateway and the apps keep", "whenever those remove them"})
}

// inDays writes whole days as such.
func inDays(d time.Duration) string {
	const day = 24 * time.Hour
	if d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	return d.String()
}
