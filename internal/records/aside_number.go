package records

import (
	"fmt"
	"strings"
)

// asideNumber is the number under which rows of a batch are set aside: their own is one that the store will have written. It is
// the same each time, so that rows that were set aside twice are written once.
func asideNumber(of Batch) Number {
	if strings.Contains(of.Writer, "/") { // set aside before
		return Number{of.Writer, of.Seq + 1}
	}
	return Number{fmt.Sprintf("%s/%d", of.Writer, of.Seq), 1}
}

// numberOf is the number under which rows of a batch are set aside, while it is not known whether the rest of it was written; zero: none are.
func (a *aside) numberOf(b Batch) Number {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.doubted) == 0 {
		return Number{}
	}
	number := asideNumber(b)
	if _, doubted := a.doubted[number]; !doubted {
		return Number{}
	}
	return number
}

// written says that all of a batch was written but what is set aside.
func (a *aside) written(b Batch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.doubted, asideNumber(b))
}
