package records_test

import (
	"slices"
	"testing"
	"time"

	"smsd/internal/records"
)

// secondFails has a database refuse a row and a change of it, and fail in the moment in which the rest of the change's batch would be
// kept. A row alone would tell nothing: it is there once, whatever is done.
func secondFails(m *memory, then func(*memory)) {
	m.poison = "poison"
	calls := 0
	m.uncommitted = func() error {
		if calls++; calls != 2 {
			return nil
		}
		m.set(then)
		return errDown
	}
}

// What refused a row is mended in the moment in which that was set aside, and the rest of its batch was not kept: the batch is written
// whole then, and what was set aside not once more.
func TestWhatIsSetAsideAndThenTakenIsWrittenOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) { secondFails(m, func(m *memory) { m.poison = "" }) })
		r.sendThree()
		r.drained()
		r.has("one", "three")
		if len(r.asideFiles()) == 0 {
			t.Error("nothing was set aside")
		}
		r.close()
		r.reopen()
		r.drained()
		r.has("one", "poison", "three")
	})
}

// So it is where the program is started again in between, as the log says.
func TestWhatIsSetAsideAndThenTakenByTheNextRunIsWrittenOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) { secondFails(m, func(m *memory) { m.down = true }) })
		r.sendThree()
		time.Sleep(time.Second)
		r.close()
		r.store.set(func(m *memory) { m.down, m.poison, m.uncommitted = false, "", nil })
		for range 2 {
			r.reopen()
			r.drained()
			r.has("one", "poison", "three")
			r.close()
		}
	})
}

// Nor does it matter how often the program is started before the database is there again.
func TestWhatIsSetAsideAndThenTakenByALaterRunIsWrittenOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) { secondFails(m, func(m *memory) { m.down = true }) })
		r.sendThree()
		for range 3 {
			time.Sleep(time.Second)
			r.close()
			r.reopen()
		}
		r.store.set(func(m *memory) { m.down, m.poison, m.uncommitted = false, "", nil })
		r.drained()
		r.has("one", "poison", "three")
	})
}

// What refused a row is mended and another one is refused, between a call that was not executed and the next: in this run, or while the
// program is started again. Each is written once in the end.
func TestWhatIsSetAsideMayBeOtherRowsTheNextTime(t *testing.T) {
	for name, down := range map[string]bool{"in this run": false, "in the next": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t)
				r.store.set(func(m *memory) {
					m.poison = "one"
					m.uncommitted = func() error {
						m.set(func(m *memory) { m.poison, m.uncommitted, m.down = "two", nil, down })
						return errDown
					}
				})
				for _, id := range []string{"one", "two", "three"} { // which go in one batch
					r.book.Decide(records.Attempt{At: time.Now(), RequestID: id, Outcome: "accepted"})
				}
				time.Sleep(time.Minute)
				r.close()
				r.store.setDown(false)
				r.reopen()
				r.drained()
				if n := len(r.store.decided()); n != 2 || len(r.asideFiles()) == 0 {
					t.Errorf("%d rows are there, with one set aside in %v", n, r.asideFiles())
				}
				r.close()
				r.store.set(func(m *memory) { m.poison = "" })
				r.reopen()
				r.drained()
				var ids []string
				for _, d := range r.store.decided() {
					ids = append(ids, d.RequestID)
				}
				if slices.Sort(ids); !slices.Equal(ids, []string{"one", "three", "two"}) {
					t.Errorf("there are %v", ids)
				}
			})
		})
	}
}

// A batch of which the rest was kept, although its call failed, is not taken for one that was written whole.
func TestWhatIsSetAsideIsNotLostWithAnAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) { m.poison, m.lostAnswers = "poison", 2 })
		r.sendThree()
		r.drained()
		r.close()
		r.store.set(func(m *memory) { m.poison = "" })
		r.reopen()
		r.drained()
		r.has("one", "poison", "three")
	})
}
