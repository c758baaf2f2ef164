package records

import (
	"os"
	"strings"
)

const (
	damagedSuffix = ".damaged"
	// damagedKept bounds what is kept of damaged files, each of a sixteenth of the spool at most.
	damagedKept = 4
)

// keepDamaged keeps a file of which rows could not be read again, under another name, for somebody who may know how: the youngest
// few.
func (s *spool) keepDamaged(seg *segment) {
	_ = os.Rename(seg.path, seg.path+damagedSuffix)
	all, _ := named(s.dir, isDamagedName) // oldest first, by their numbers
	for len(all) > damagedKept {
		_ = os.Remove(all[0])
		all = all[1:]
	}
}

func isDamagedName(name string) bool {
	number, found := strings.CutSuffix(name, damagedSuffix)
	_, ok := segmentNumber(number)
	return found && ok
}
