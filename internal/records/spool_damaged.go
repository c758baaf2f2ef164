package records

import (
	"os"
	"path/filepath"
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
	entries, _ := os.ReadDir(s.dir) // oldest first, by their numbers
	var all []string
	for _, e := range entries {
		if isDamagedName(e.Name()) {
			all = append(all, filepath.Join(s.dir, e.Name()))
		}
	}
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
