package records

import (
	"os"
	"time"
)

// thin takes rows that are too old out of a segment of which nothing is replayed, and returns what is left of it. What can't be read
// goes with them, and else with its file.
func (s *spool) thin(seg *segment, o old) (left []Batch, removed int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(seg.path)
	if err != nil {
		return nil, 0, err
	}
	data, err := seg.read(min(seg.left(), info.Size())) // somebody may have cut it off
	if err != nil {
		return nil, 0, err
	}
	for _, b := range batchesIn(data) {
		rows := b.Rows()
		b = o.without(b, info.ModTime())
		removed += rows - b.Rows()
		if b.Rows() > 0 {
			left = append(left, b)
		}
	}
	if removed == 0 && (len(left) > 0 || !o.file(info.ModTime())) {
		return left, 0, nil
	}
	if err := s.replace(seg, left, info.ModTime()); err != nil {
		return nil, 0, err
	}
	return left, removed, nil
}

// batchesIn are those of a text that can be read.
func batchesIn(data []byte) []Batch {
	var all []Batch
	for {
		f, ok := firstFrame(data)
		if !ok {
			return all
		}
		if b, err := f.batch(); err == nil {
			all = append(all, b)
		}
		data = data[f.end:]
	}
}

// replace puts a segment with these batches, and of this age, in the place of another one. Where a crash leaves both the numbers of
// their batches see to it that each is written once.
func (s *spool) replace(seg *segment, batches []Batch, written time.Time) error {
	if len(batches) > 0 {
		fresh, err := s.begin()
		if err != nil {
			return err
		}
		if err := s.fill(fresh, batches); err != nil {
			s.remove(fresh)
			return err
		}
		fresh.shut()
		if err := os.Chtimes(fresh.path, written, written); err != nil {
			return err
		}
	}
	s.remove(seg)
	return syncDir(s.dir)
}

// fill writes batches into a segment, all at once: who sets rows aside waits meanwhile. There may be no room: they are in another one
// still, which goes.
func (s *spool) fill(seg *segment, batches []Batch) error {
	var frames []byte
	for _, b := range batches {
		frame, err := encodeFrame(b)
		if err != nil {
			return err
		}
		frames = append(frames, frame...)
	}
	if err := seg.add(frames); err != nil {
		return err
	}
	s.bytes.Add(int64(len(frames)))
	return nil
}
