package policy

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settle is how long the folder must be quiet before the file is read: editors write in several steps.
	settle = 100 * time.Millisecond
	// settleMost is when it is read though the folder is not quiet: it may hold a busy log.
	settleMost = 500 * time.Millisecond
	// glances is how often the file is looked at in any case: network file systems tell of no changes made
	// elsewhere, and a folder that was itself replaced is no longer the one that is watched. With the time to settle, a
	// change is in force within a second on every instance, whatever its file system tells.
	glances = 400 * time.Millisecond
	// poll is how often the file is read though it looks the same: a change of no other length within one tick of
	// the file system's clock does.
	poll = 10 * time.Second
)

// Watch reloads whenever the file changes, until ctx ends; then it returns nil. It watches the folder and
// not the file, since editors and Kubernetes put another file (or link) in its place, and looks at the file from
// time to time as well. Where folders can't be watched it says so in the log and only does the latter.
func (s *Source) Watch(ctx context.Context) error {
	if s.path == "" {
		<-ctx.Done()
		return nil
	}
	w := s.open()
	defer w.close()
	ticks := time.NewTicker(s.poll)
	defer ticks.Stop()
	looks := time.NewTicker(s.glances)
	defer looks.Stop()
	s.notice() // what happened since Open
	s.follow(ctx, w, ticks.C, looks.C)
	return nil
}

func (s *Source) follow(ctx context.Context, w watched, ticks, looks <-chan time.Time) {
	var seen glance
	quiet := newQuiet(s.settle, s.settleMost)
	defer quiet.stop()
	for {
		select {
		case <-ctx.Done():
			return
		case _, open := <-w.events:
			if !open {
				w.events = nil
				continue
			}
			quiet.noise()
		case err, open := <-w.errors:
			if !open {
				w.errors = nil
				continue
			}
			s.logger.Warn("policy: watching the folder", "error", err)
			quiet.noise() // an overflow has lost events
		case <-quiet.over():
			quiet.reset()
			s.notice()
		case <-looks:
			if seen.changed(s.path) {
				quiet.noise()
			}
		case <-ticks:
			w.again()
			s.notice()
		}
	}
}

// notice reads the file; what is wrong with it is logged there.
func (s *Source) notice() {
	o, _ := s.read(false)
	if s.observe != nil {
		s.observe(o)
	}
}

// watched is the folder of the file; without a watcher its channels are nil and never ready.
type watched struct {
	watcher *fsnotify.Watcher
	folder  string
	events  chan fsnotify.Event
	errors  chan error
}

func (s *Source) open() watched {
	folder := filepath.Dir(s.path)
	watcher, err := fsnotify.NewWatcher()
	if err == nil {
		err = watcher.Add(folder)
	}
	if err != nil {
		s.logger.Warn("policy: the folder can't be watched; the file is looked at from time to time", "folder", folder, "every", s.glances, "error", err)
	}
	if watcher == nil {
		return watched{}
	}
	return watched{watcher, folder, watcher.Events, watcher.Errors}
}

// again watches the folder that now has the name, if it is another one; otherwise it does nothing.
func (w watched) again() {
	if w.watcher != nil {
		_ = w.watcher.Add(w.folder) // it fails while there is no folder, and the next poll tries again
	}
}

func (w watched) close() {
	if w.watcher != nil {
		_ = w.watcher.Close()
	}
}

// quiet tells when a folder has been quiet for a while, or noisy for too long.
type quiet struct {
	settle, most time.Duration
	timer        *time.Timer
	since        time.Time // of the first noise; zero: none
}

func newQuiet(settle, most time.Duration) *quiet {
	q := &quiet{settle: settle, most: most, timer: time.NewTimer(settle)}
	q.timer.Stop()
	return q
}

func (q *quiet) noise() {
	now := time.Now()
	if q.since.IsZero() {
		q.since = now
	}
	q.timer.Reset(min(q.settle, max(0, q.most-now.Sub(q.since))))
}

func (q *quiet) over() <-chan time.Time { return q.timer.C }

func (q *quiet) reset() { q.since = time.Time{} }

func (q *quiet) stop() { q.timer.Stop() }
