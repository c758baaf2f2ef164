package records

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Left are files in [Options].Dir that wait for somebody: the log named each of them when it came.
type Left struct {
	// Aside has rows that the database refuses for what is in them; the next run tries them again.
	Aside []string
	// Damaged are files of a spool of which some could not be read.
	Damaged []string
}

// LookIn returns what is left in dir. It opens nothing, so that an instance may run meanwhile; where there is no folder nothing is left.
func LookIn(dir string) (l Left, err error) {
	if l.Aside, err = named(filepath.Join(dir, asideFolder), isSegmentName); err != nil {
		return Left{}, err
	}
	l.Damaged, err = named(filepath.Join(dir, spoolFolder), isDamagedName)
	return l, err
}

// named are the paths of those files of a folder whose names are such.
func named(dir string, such func(string) bool) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if such(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}

func isSegmentName(name string) bool {
	_, ok := segmentNumber(name)
	return ok
}
