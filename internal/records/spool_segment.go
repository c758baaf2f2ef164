package records

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// segment is one file of a spool. It is written by one run of the program alone.
type segment struct {
	path string
	size int64 // of what is surely on disk
	at   int64 // up to where it was replayed
	// file is open for as long as frames are added; nil afterwards, and for an earlier run's.
	file    spoolFile
	earlier bool
	damaged bool // some of it could not be read again
}

// spoolFile is what a segment is written to: an *os.File, and something worse in tests.
type spoolFile interface {
	Write([]byte) (int, error)
	Sync() error
	Truncate(size int64) error
	Close() error
}

// createFile makes a file that was not there, and that only its owner may read.
func createFile(path string) (spoolFile, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

// makeFolder makes a folder, for its owner alone, if there is none.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	return errors.Join(os.MkdirAll(dir, 0o700), syncDir(filepath.Dir(dir)))
}

// syncDir makes the names in a folder durable.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return d.Sync()
}

const segmentSuffix = ".spool"

// segmentPath names the files of a folder so that their order is that in which they were begun.
func segmentPath(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("%010d%s", number, segmentSuffix))
}

// segmentNumber is the number in a file's name.
func segmentNumber(name string) (number int, ok bool) {
	digits, ok := strings.CutSuffix(name, segmentSuffix)
	if !ok || len(digits) != 10 {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil && number >= 0
}

// earlierSegments are what other runs left in a folder to be replayed, oldest first, and the highest number of any file there. What
// is empty is removed.
func earlierSegments(dir string) (found []*segment, highest int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for _, e := range entries {
		number, ok := segmentNumber(strings.TrimSuffix(e.Name(), damagedSuffix))
		if !ok {
			continue
		}
		highest = max(highest, number)
		if isDamagedName(e.Name()) {
			continue
		}
		s, err := earlierSegment(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, 0, err
		}
		if s != nil {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *segment) int { return strings.Compare(a.path, b.path) })
	return found, highest, nil
}

// earlierSegment looks whether this version can read a file that another run left; nil if it is empty.
func earlierSegment(path string) (*segment, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, os.Remove(path)
	}
	s := &segment{path: path, size: info.Size(), earlier: true}
	head, err := s.read(frameHeader)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, frameMagic) && len(head) > len(frameMagic) && head[len(frameMagic)] != frameVersion {
		return nil, fmt.Errorf("%s: version %d: %w", path, head[len(frameMagic)], errVersion)
	}
	return s, nil
}

// left is how much of it was not replayed.
func (s *segment) left() int64 { return s.size - s.at }

// read returns what follows what was replayed, at most so many bytes.
func (s *segment) read(most int64) ([]byte, error) {
	f, err := os.Open(s.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, min(most, s.left()))
	if _, err := f.ReadAt(data, s.at); err != nil {
		return nil, err
	}
	return data, nil
}

// add writes a frame behind the last, and has it on disk when it returns nil.
func (s *segment) add(frame []byte) error {
	if _, err := s.file.Write(frame); err != nil {
		return err
	}
	if err := s.file.Sync(); err != nil {
		return err
	}
	s.size += int64(len(frame))
	return nil
}

// shut ends the writing. A frame that failed half-way is cut off as far as the disk allows: if it is found there
// after all, its number says whether it was written elsewhere.
func (s *segment) shut() {
	if s.file == nil {
		return
	}
	_ = s.file.Truncate(s.size)
	_ = s.file.Close()
	s.file = nil
}
