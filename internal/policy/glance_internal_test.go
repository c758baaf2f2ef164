package policy

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestGlances(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	var g glance
	looks := func(what string, otherwise bool) {
		t.Helper()
		if got := g.changed(file); got != otherwise {
			t.Errorf("%s: changed %v", what, got)
		}
		if g.changed(file) {
			t.Errorf("%s: changed again", what)
		}
	}
	looks("at first, no file", true)
	write(t, file, "one")
	looks("a file", true)
	info, err := os.Stat(file)
	must(t, err)
	write(t, file, "longer")
	must(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
	looks("longer, of the same time", true)
	must(t, os.Chtimes(file, info.ModTime(), info.ModTime().Add(time.Second)))
	looks("later", true)
	write(t, file+".new", "others")
	must(t, os.Chtimes(file+".new", info.ModTime(), info.ModTime().Add(time.Second)))
	must(t, os.Rename(file+".new", file))
	looks("another file of the same length and time", true)
	must(t, os.Remove(file))
	looks("gone", true)
	must(t, os.Mkdir(file, 0o700))
	looks("a folder", true)
}

// A file system that tells of nothing, and no poll: the glance sees the change, once it has settled.
func TestAGlanceSeesWhatNoEventTold(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	s, err := Open(SourceOptions{Path: file})
	must(t, err)
	seen, looks := make(chan outcome, 100), make(chan time.Time)
	s.settle = time.Millisecond
	s.observe = func(o outcome) { seen <- o }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.follow(ctx, watched{}, nil, looks) }()
	t.Cleanup(func() { cancel(); <-ended })
	looks <- time.Time{}
	if o := <-seen; o != unchanged { // the first look
		t.Errorf("nothing changed: %s", o)
	}
	for n := 2; n <= 4; n++ {
		write(t, file, text(n)+"#"+text(n)[:n]) // of another length each time
		looks <- time.Time{}
		if o := <-seen; o != applied {
			t.Errorf("changed: %s", o)
		}
		looks <- time.Time{} // nothing to read
		looks <- time.Time{}
	}
	if len(seen) > 0 {
		t.Error("read though it looked the same")
	}
}

// With the times as they are in force, and a link to a folder that is not watched: no event tells of it.
func TestAChangeOfALinkedFileIsSeenSoon(t *testing.T) {
	t.Parallel()
	target, link := newFile(t), filepath.Join(t.TempDir(), "policy.yaml")
	must(t, os.Symlink(target, link))
	w := startWatch(t, link, never, glances)
	write(t, target, text(2))
	w.until(text(2))
}
