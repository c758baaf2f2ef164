package records_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"smsd/internal/records"
)

// errDown is a database that is not there.
var errDown = errors.New("connection refused")

// memory is a database that does what records.Store says, and fails as it is told.
type memory struct {
	mu            sync.Mutex
	highest       map[string]uint64
	verifications map[string]records.Verification
	early         map[string][]records.Change // of rows that are not there yet
	order         []string
	decisions     []records.Decision
	batches       []records.Batch // that were taken
	calls         []records.Batch // that were made, taken or not
	// before is asked before anything of a call is done, after when all is.
	before, after func(context.Context, records.Batch) error
	down          bool
	poison        string        // rows of this id are refused for their content; "": none
	parts         time.Duration // how long it takes to write a batch in parts
	// uncommitted is asked before what is left of a batch with poison is kept; nil: it is.
	uncommitted func() error
	lostAnswers int // of calls that write a batch in parts, which fail when all is done
}

func newMemory() *memory {
	return &memory{highest: map[string]uint64{}, verifications: map[string]records.Verification{}, early: map[string][]records.Change{}}
}

func (m *memory) faults() (before, after func(context.Context, records.Batch) error, down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.before, m.after, m.down
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

func (m *memory) setDown(down bool) { m.set(func(m *memory) { m.down = down }) }

func (m *memory) Append(ctx context.Context, b records.Batch) error {
	before, after, down := m.faults()
	if down {
		return errDown
	}
	m.set(func(m *memory) { m.calls = append(m.calls, b) })
	if before != nil {
		if err := before(ctx, b); err != nil {
			return err
		}
	}
	if whole, _ := m.sorted(b); whole.Rows() < b.Rows() {
		return records.ErrContent
	}
	m.take(b)
	if after != nil {
		return after(ctx, b)
	}
	return nil
}

func (m *memory) AppendSome(ctx context.Context, b records.Batch, aside func(records.Batch, error) error) error {
	_, after, down := m.faults()
	if down {
		return errDown
	}
	if err := pause(ctx, m.parts); err != nil {
		return err
	}
	whole, refused := m.sorted(b)
	if refused.Rows() > 0 {
		if err := aside(refused, records.ErrContent); err != nil {
			return err
		}
		if m.uncommitted != nil {
			if err := m.uncommitted(); err != nil {
				return err
			}
		}
	}
	m.take(whole)
	if refused.Rows() > 0 && m.loses() {
		return errDown
	}
	if after != nil {
		return after(ctx, b)
	}
	return nil
}

// loses takes one of the answers that are to be lost.
func (m *memory) loses() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lostAnswers--
	return m.lostAnswers >= 0
}

// pause returns after so long, or with the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sorted parts what is taken of a batch from what is refused; of what was written before nothing is.
func (m *memory) sorted(b records.Batch) (whole, refused records.Batch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.poison == "" || b.Seq <= m.highest[b.Writer] {
		return b, records.Batch{}
	}
	whole.Writer, whole.Seq, whole.Aside = b.Writer, b.Seq, b.Aside
	whole.Verifications, refused.Verifications = parted(b.Verifications, func(v records.Verification) bool { return v.SMSID == m.poison })
	whole.Changes, refused.Changes = parted(b.Changes, func(c records.Change) bool { return c.SMSID == m.poison })
	whole.Decisions, refused.Decisions = parted(b.Decisions, func(d records.Decision) bool { return d.RequestID == m.poison })
	return whole, refused
}

func parted[T any](rows []T, bad func(T) bool) (whole, refused []T) {
	for _, r := range rows {
		if bad(r) {
			refused = append(refused, r)
		} else {
			whole = append(whole, r)
		}
	}
	return whole, refused
}

func (m *memory) take(b records.Batch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b.Seq <= m.highest[b.Writer] {
		return
	}
	m.highest[b.Writer] = b.Seq
	m.highest[b.Aside.Writer] = max(m.highest[b.Aside.Writer], b.Aside.Seq)
	m.batches = append(m.batches, b)
	for _, v := range b.Verifications {
		if _, there := m.verifications[v.SMSID]; !there {
			m.verifications[v.SMSID] = v
			m.order = append(m.order, v.SMSID)
			m.change(m.early[v.SMSID])
			delete(m.early, v.SMSID)
		}
	}
	m.change(b.Changes)
	m.decisions = append(m.decisions, b.Decisions...)
}

// change adds to rows what these tests look at, or keeps it until they come.
func (m *memory) change(all []records.Change) {
	for _, c := range all {
		v, there := m.verifications[c.SMSID]
		if !there {
			m.early[c.SMSID] = append(m.early[c.SMSID], c)
			continue
		}
		v.Fate.Resends += c.Fate.Resends
		v.Fate.Gateway += c.Fate.Gateway
		m.verifications[c.SMSID] = v
	}
}

func (m *memory) Ping(context.Context) error {
	if _, _, down := m.faults(); down {
		return errDown
	}
	return nil
}

func (m *memory) row(id string) (records.Verification, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.verifications[id]
	return v, ok
}

func (m *memory) ids() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.order)
}

func (m *memory) decided() []records.Decision {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.decisions)
}

func (m *memory) made() []records.Batch {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

func (m *memory) taken() []records.Batch {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.batches)
}
