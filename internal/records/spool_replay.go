package records

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// chunk is how much of a file is read at once: some batches.
const chunk = 1 << 20

// portion is what is replayed next: batches of one writer that follow each other, and what is wrong in front of them.
type portion struct {
	batches []Batch
	earlier bool // an earlier run's
	damage  damage

	seg *segment
	end int64 // of it in the segment
}

// damage is what of a file can't be read.
type damage struct {
	path    string
	at      int64
	skipped int64 // bytes in front of what can be read again
	torn    int64 // bytes at the end of the file
	why     error // of a frame that is whole and yet can't be read; nil: it is none
}

func (d damage) any() bool { return d.skipped > 0 || d.torn > 0 }

// gone says whether the file is not there, or shorter than it was.
func (d damage) gone() bool { return errors.Is(d.why, fs.ErrNotExist) || errors.Is(d.why, io.EOF) }

// peek returns what follows what was replayed: whole batches, as many as takes says. There must be something. Until
// advance the same is found again, and perhaps more.
func (s *spool) peek(takes func([]Batch, Batch) bool) (portion, error) {
	seg, data, whole, err := s.unread(chunk)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, io.EOF) {
		return seg.gone(err), nil
	}
	if err != nil {
		return portion{}, err
	}
	p := seg.portion(data, takes)
	if whole || len(p.batches) > 0 && !p.damage.any() {
		return p, nil
	}
	// Only all that follows tells a long frame from a damaged one.
	if seg, data, _, err = s.unread(maxPiece + maxFrame); err != nil {
		return portion{}, err
	}
	return seg.portion(data, takes), nil
}

// errNothing is a replay of nothing.
var errNothing = errors.New("spool: all was replayed")

// unread reads the oldest of what was not replayed, at most so many bytes; whole says that this is all of its file.
func (s *spool) unread(most int64) (seg *segment, data []byte, whole bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.segments) == 0 || s.segments[0].left() == 0 {
		return nil, nil, false, errNothing
	}
	seg = s.segments[0]
	if data, err = seg.read(most); err != nil {
		return seg, nil, false, fmt.Errorf("spool: %w", err)
	}
	return seg, data, int64(len(data)) == seg.left(), nil
}

// portion reads the first batches in data, which starts where s was replayed up to.
func (s *segment) portion(data []byte, takes func([]Batch, Batch) bool) portion {
	p := portion{seg: s, earlier: s.earlier, end: s.at}
	for read := 0; read < len(data); {
		f, ok := firstFrame(data[read:])
		if ok && f.skipped == 0 {
			b, err := f.batch()
			if err != nil {
				p.broken(s.path, f, err)
				return p
			}
			if len(p.batches) > 0 && !takes(p.batches, b) {
				return p
			}
			p.batches = append(p.batches, b)
			read += f.end
			p.end = s.at + int64(read)
			continue
		}
		if len(p.batches) == 0 {
			p.lost(s.path, f, ok, data)
		}
		return p
	}
	return p
}

// gone is the portion of a file that somebody removed or cut: waiting for it would hold up all behind it.
func (s *segment) gone(err error) portion {
	return portion{
		seg: s, earlier: s.earlier, end: s.size,
		damage: damage{path: s.path, at: s.at, skipped: s.left(), why: err},
	}
}

// lost notes that a portion begins with what is no frame: a gap, or all the rest of the file.
func (p *portion) lost(path string, f frame, found bool, rest []byte) {
	p.damage = damage{path: path, at: p.end}
	switch {
	case found:
		p.damage.skipped = int64(f.skipped)
	case isTorn(rest):
		p.damage.torn = int64(len(rest))
	default:
		p.damage.skipped = int64(len(rest))
	}
	p.end += p.damage.skipped + p.damage.torn
}

// broken notes a frame that is whole and can't be read, unless there are batches in front of it.
func (p *portion) broken(path string, f frame, err error) {
	if len(p.batches) == 0 {
		p.damage = damage{path: path, at: p.end, skipped: int64(f.end), why: err}
		p.end += int64(f.end)
	}
}

// advance says that a portion was replayed. Files of which all was replayed are removed.
func (s *spool) advance(p portion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backlog.Add(p.seg.at - p.end)
	p.seg.at = p.end
	p.seg.damaged = p.seg.damaged || p.damage.skipped > 0
	if !p.earlier {
		s.batches.Add(-int64(len(p.batches)))
	}
	if p.seg.left() == 0 {
		s.remove(p.seg)
	}
}
