package storetest

import (
	"time"

	"smsd/internal/throttle"
)

// A rule may change to any algorithm from any other one, with its numbers or without.
var directionTests = directions()

func directions() (all []countersTest) {
	kinds := []struct {
		name string
		cell makeCell
	}{{"log", logCell}, {"counter", counterCell}, {"bucket", bucketCell}, {"fixed", fixedCell}}
	for _, from := range kinds {
		for _, to := range kinds {
			name := " from " + from.name + " to " + to.name
			all = append(all,
				countersTest{"what is used is carried over" + name, directionUsed(from.cell, to.cell)},
				countersTest{"whoever was held back stays so, and no longer than the new rule's longest wait" + name, directionHolds(from.cell, to.cell)},
				countersTest{"a raised limit frees now" + name, directionFrees(from.cell, to.cell)},
				countersTest{"a change and a step back together" + name, directionStep(from.cell, to.cell)})
		}
	}
	return all
}

func directionUsed(from, to makeCell) func(*countersBench) {
	return func(b *countersBench) {
		before, after := group(phoneKey, plan(from(9, time.Hour))), group(phoneKey, plan(to(9, time.Hour)))
		b.exhaust(4, before)
		b.uses(after, 4)
		b.uses(before, 4)
		b.exhaust(2, after)
		if before.Plan.Cells[0].Algorithm == throttle.Log || after.Plan.Cells[0].Algorithm != throttle.Log {
			b.uses(after, 6) // a log counts anew beside what was left
		}
		b.clock.Advance(3 * time.Hour)
		b.uses(after, 0)
	}
}

func directionHolds(from, to makeCell) func(*countersBench) {
	return func(b *countersBench) {
		before, after := group(phoneKey, plan(from(6, 24*time.Hour))), group(phoneKey, plan(to(3, time.Minute)))
		b.exhaust(6, before)
		v, longest := b.refused(after)[0], after.Plan.Cells[0].Window
		if after.Plan.Cells[0].Algorithm == throttle.Counter || before.Plan.Cells[0].Algorithm == throttle.Counter {
			longest *= 2 // its two buckets; a log reads it beside its own
		}
		if v.Used < 3 || v.Wait > longest {
			b.Fatalf("%+v", v)
		}
		b.passesAfter(v.Wait, after)
	}
}

func directionFrees(from, to makeCell) func(*countersBench) {
	return func(b *countersBench) {
		before, after := group(phoneKey, plan(from(2, time.Hour))), group(phoneKey, plan(to(4, time.Hour)))
		b.exhaust(2, before)
		b.refused(before)
		b.exhaust(2, after)
	}
}

func directionStep(from, to makeCell) func(*countersBench) {
	return func(b *countersBench) {
		before, after := group(phoneKey, plan(from(3, time.Hour))), group(phoneKey, plan(to(3, time.Minute)))
		b.exhaust(3, before)
		b.clock.Advance(-10 * time.Hour)
		b.passesAfter(b.refused(after)[0].Wait, after)
	}
}
