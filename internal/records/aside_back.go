package records

import (
	"errors"
	"os"
	"path/filepath"
)

// takeBack moves what earlier runs have set aside into the spool's folder, behind what is there, before either is opened.
func takeBack(dir string) error {
	from, to := filepath.Join(dir, asideFolder), filepath.Join(dir, spoolFolder)
	segments, _, err := earlierSegments(from)
	if err != nil || len(segments) == 0 {
		return err
	}
	if err := makeFolder(to); err != nil {
		return err
	}
	_, highest, err := earlierSegments(to)
	if err != nil {
		return err
	}
	for i, s := range segments {
		if err := os.Rename(s.path, segmentPath(to, highest+1+i)); err != nil {
			return err
		}
	}
	return errors.Join(syncDir(to), syncDir(from))
}

// doubts are the numbers of what takeBack has moved here, in this run or in one that ended before it was replayed: the batches of which
// it was set aside may be here as well.
func (s *spool) doubts() (doubts, error) {
	all := doubts{}
	for _, seg := range s.segments {
		data, err := seg.read(chunk)
		if err == nil && setsAside(data) {
			data, err = seg.read(seg.size)
		}
		if err != nil {
			return nil, err
		}
		if !setsAside(data) {
			continue
		}
		for _, b := range batchesIn(data) {
			all.add(Number{b.Writer, b.Seq})
		}
	}
	return all, nil
}

// setsAside says of the beginning of a file whether it is of what was set aside: then all in it is.
func setsAside(data []byte) bool {
	f, ok := firstFrame(data)
	if !ok {
		return false
	}
	b, err := f.batch()
	return err == nil && b.wasAside()
}
