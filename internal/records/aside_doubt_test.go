package records_test

import (
	"testing"
	"time"
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
