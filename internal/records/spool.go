package records

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// spool keeps batches on disk while the database is away: a bounded row of files, replayed in order and removed one by
// one. One goroutine appends, another one replays.
type spool struct {
	dir   string
	late  bool  // the folder is made with the first file; else one that vanishes takes nothing, as a disk that is gone
	limit int64 // bytes of all files
	piece int64 // bytes of one
	open  func(path string) (spoolFile, error)

	// Atomic, so that nobody who asks waits for the disk.
	bytes   atomic.Int64 // of all segments
	backlog atomic.Int64 // bytes that were not replayed
	batches atomic.Int64 // of this run that were not replayed

	mu       sync.Mutex
	segments []*segment // oldest first
	number   int        // of the youngest
}

// errSpoolFull is an append for which there is no room.
var errSpoolFull = errors.New("the spool is full")

// Sizes of one file: small enough that what was replayed is given back soon, large enough that folders stay small.
const (
	minPiece    = 64 << 10
	maxPiece    = 8 << 20
	spoolPieces = 16
	// headroom is what a whole batch takes.
	headroom = 384 << 10
)

// openSpool takes over what earlier runs left in the folder, if there is one. The folder is this process's alone.
func openSpool(dir string, limit int64) (*spool, error) {
	segments, highest, err := earlierSegments(dir)
	if err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	s := &spool{
		dir: dir, limit: limit, piece: min(max(limit/spoolPieces, minPiece), maxPiece), open: createFile,
		segments: segments, number: highest,
	}
	for _, seg := range segments {
		s.bytes.Add(seg.size)
		s.backlog.Add(seg.size)
	}
	return s, nil
}

// empty reports whether all was replayed.
func (s *spool) empty() bool { return s.backlog.Load() == 0 }

// used is how many bytes the files have.
func (s *spool) used() int64 { return s.bytes.Load() }

// full reports whether another batch may find no room.
func (s *spool) full() bool { return s.used()+headroom > s.limit }

// append writes a batch behind the last, and has it on disk when it returns nil. After an error it may be there or not, and
// may be appended again.
func (s *spool) append(b Batch) error {
	frame, err := encodeFrame(b)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	size := int64(len(frame))
	if s.used()+size > s.limit {
		return errSpoolFull
	}
	seg, err := s.writable(size)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if err := seg.add(frame); err != nil {
		// After a failed sync the system may hold what is not on disk to be there: so nothing more goes into this file.
		s.abandon(seg)
		return fmt.Errorf("spool: %w", err)
	}
	s.bytes.Add(size)
	s.backlog.Add(size)
	s.batches.Add(1)
	return nil
}

// writable returns the segment that has room for so many bytes, a new one if need be.
func (s *spool) writable(size int64) (*segment, error) {
	if n := len(s.segments); n > 0 {
		last := s.segments[n-1]
		if last.file != nil && last.size+size <= s.piece {
			return last, nil
		}
		last.shut()
	}
	return s.begin()
}

func (s *spool) begin() (*segment, error) {
	s.number++
	seg := &segment{path: segmentPath(s.dir, s.number)}
	if s.late {
		if err := makeFolder(s.dir); err != nil {
			return nil, err
		}
	}
	var err error
	if seg.file, err = s.open(seg.path); err != nil {
		return nil, err
	}
	if err := syncDir(s.dir); err != nil {
		seg.shut()
		_ = os.Remove(seg.path)
		return nil, err
	}
	s.segments = append(s.segments, seg)
	return seg, nil
}

// abandon ends the writing of a segment, which goes if nothing is in it that has to be replayed.
func (s *spool) abandon(seg *segment) {
	seg.shut()
	if seg.left() == 0 {
		s.remove(seg)
	}
}

// remove takes a segment off, and its file, of which one with damage is kept beside. A file that can't be removed, or comes back
// with a crash, is replayed by a later run, and each of its batches is found to be written.
func (s *spool) remove(seg *segment) {
	seg.shut()
	if seg.damaged {
		s.keepDamaged(seg)
	} else {
		_ = os.Remove(seg.path)
	}
	for i, other := range s.segments {
		if other == seg {
			s.segments = append(s.segments[:i:i], s.segments[i+1:]...)
			s.bytes.Add(-seg.size)
			return
		}
	}
}

// close ends the writing; what was not replayed is there for the next run.
func (s *spool) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seg := range s.segments {
		seg.shut()
	}
}
