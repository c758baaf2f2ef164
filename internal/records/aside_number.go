package records

import (
	"fmt"
	"strings"
)

// Rows of a batch are set aside under a number of their own: the batch's is one that the store will have written. It is above that of
// what was set aside of the batch before, in a call of which nobody can tell whether it was executed: where it was not, the call that is
// makes that void ([Batch.Aside]), and what has to be written is what was set aside last.

// nextAside is the number for rows of a batch that are set aside now.
func nextAside(of Batch) Number {
	last := lastAside(of)
	if of.Aside != (Number{}) {
		last = of.Aside
	}
	return Number{last.Writer, last.Seq + 1}
}

// lastAside is the number below all under which rows of a batch are set aside.
func lastAside(of Batch) Number {
	if of.wasAside() {
		return Number{of.Writer, of.Seq}
	}
	return Number{fmt.Sprintf("%s/%d", of.Writer, of.Seq), 0}
}

// wasAside reports whether a batch was set aside before.
func (b Batch) wasAside() bool { return strings.Contains(b.Writer, "/") }

// doubts are the highest numbers of rows whose batch may be tried again, whole, by their writers; of earlier runs all that are there.
type doubts map[string]uint64

func (d doubts) add(n Number) { d[n.Writer] = max(d[n.Writer], n.Seq) }

// numberOf is the highest number under which rows of a batch are set aside, while it is not known whether the rest of it was written;
// zero: none are.
func (a *aside) numberOf(b Batch) Number {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.doubted) == 0 {
		return Number{}
	}
	last := lastAside(b)
	highest := a.doubted[last.Writer]
	if highest <= last.Seq {
		return Number{}
	}
	return Number{last.Writer, highest}
}

// written says that all of a batch was written but what is set aside.
func (a *aside) written(b Batch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.doubted, lastAside(b).Writer)
}
