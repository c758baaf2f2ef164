package policy

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestAChangeIsSeen(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, file, text string){
		"written in place": write,
		"renamed over it, as editors do": func(t *testing.T, file, text string) {
			write(t, file+".tmp", text)
			must(t, os.Rename(file+".tmp", file))
		},
		"moved away, then written, as other editors do": func(t *testing.T, file, text string) {
			must(t, os.Rename(file, file+"~"))
			write(t, file, text)
		},
		"removed, then written": func(t *testing.T, file, text string) {
			must(t, os.Remove(file))
			write(t, file, text)
		},
		"linked to another folder": func(t *testing.T, file, text string) {
			target := filepath.Join(t.TempDir(), "other.yaml")
			write(t, target, text)
			must(t, os.Symlink(target, file+".link"))
			must(t, os.Rename(file+".link", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWatch(t, newFile(t), never, never)
			for n := 2; n <= 4; n++ {
				change(t, w.file, text(n))
				w.until(text(n))
			}
		})
	}
}

// A Kubernetes ConfigMap: the file is a link into ..data, which is a link to a folder, and only that link is replaced.
func TestAConfigMapIsSeen(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	put := func(n int) {
		version := fmt.Sprintf("..version_%d", n)
		must(t, os.Mkdir(filepath.Join(folder, version), 0o700))
		write(t, filepath.Join(folder, version, "policy.yaml"), text(n))
		must(t, os.Symlink(version, filepath.Join(folder, "..data_tmp")))
		must(t, os.Rename(filepath.Join(folder, "..data_tmp"), filepath.Join(folder, "..data")))
		_ = os.RemoveAll(filepath.Join(folder, fmt.Sprintf("..version_%d", n-1)))
	}
	put(1)
	must(t, os.Symlink(filepath.Join("..data", "policy.yaml"), filepath.Join(folder, "policy.yaml")))
	w := startWatch(t, filepath.Join(folder, "policy.yaml"), never, never)
	for n := 2; n <= 4; n++ {
		put(n)
		w.until(text(n))
	}
}

func TestAFaultyFileKeepsTheLastGoodOne(t *testing.T) {
	t.Parallel()
	w := startWatch(t, newFile(t), never, never)
	write(t, w.file, faulty) // a reading may come in the middle of it, and find an empty file
	w.when(func() bool { return strings.Contains(w.log.String(), "limits[0].limit") })
	if w.Current().Version != version([]byte(text(1))) {
		t.Error("the policy in force did not stay")
	}
	for _, want := range []string{"scenes.login.resend", "scenes.login.templates", "line=2"} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, w.log)
		}
	}
	if w.between(w.good) {
		t.Error("the metric says that the file is good")
	}
	write(t, w.file, text(2))
	w.until(text(2))
	if !w.between(w.good) {
		t.Error("the metric says that the file is not good")
	}
}

func TestAFileThatVanishesKeepsTheLastGoodOne(t *testing.T) {
	t.Parallel()
	w := startWatch(t, newFile(t), never, never)
	must(t, os.Remove(w.file))
	w.when(func() bool { return !w.good() })
	if w.Current().Version != version([]byte(text(1))) {
		t.Error("the policy in force did not stay")
	}
	write(t, w.file, text(1)) // the same as before
	w.when(w.good)
	if w.Current().Version != version([]byte(text(1))) {
		t.Error("the policy in force did not stay")
	}
}

// follower runs the loop of Watch over w; the zero watched is a file system that tells nothing.
func follower(t *testing.T, w watched) (s followed, file string, tick func() outcome) {
	t.Helper()
	file = newFile(t)
	source, err := Open(SourceOptions{Path: file})
	must(t, err)
	seen, ticks := make(chan outcome), make(chan time.Time)
	s = followed{source, seen}
	s.observe = func(o outcome) { seen <- o }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.follow(ctx, w, ticks, nil) }()
	t.Cleanup(func() { cancel(); <-ended })
	return s, file, func() outcome { ticks <- time.Time{}; return <-seen }
}

type followed struct {
	*Source
	told chan outcome // one for each reading, which waits until it is taken
}

func TestAPollSeesWhatNoEventTold(t *testing.T) {
	t.Parallel()
	s, file, tick := follower(t, watched{})
	if o := tick(); o != unchanged {
		t.Errorf("nothing changed: %s", o)
	}
	write(t, file, text(2))
	if o := tick(); o != applied || s.Current().Scenes["login"].Attempts != 2 {
		t.Errorf("changed: %s", o)
	}
	write(t, file, faulty)
	if o := tick(); o != refused {
		t.Errorf("faulty: %s", o)
	}
	if o := tick(); o != unchanged {
		t.Errorf("still faulty: %s, but that was reported", o)
	}
	must(t, os.Remove(file))
	if o := tick(); o != refused {
		t.Errorf("vanished: %s", o)
	}
	if n := testutil.ToFloat64(s.metrics.reloads.WithLabelValues(string(refused))); n != 2 {
		t.Errorf("%v refusals counted, want 2", n)
	}
}

// A watcher that lost events, and then ends: the file is read for the first, and the second is not read on and on.
func TestAWatcherThatFails(t *testing.T) {
	t.Parallel()
	events, errs := make(chan fsnotify.Event), make(chan error)
	s, file, tick := follower(t, watched{events: events, errors: errs})
	write(t, file, text(2))
	errs <- fsnotify.ErrEventOverflow
	if o := <-s.told; o != applied {
		t.Errorf("after an overflow: %s", o)
	}
	close(events)
	close(errs)
	if o := tick(); o != unchanged {
		t.Errorf("a poll after the watcher has ended: %s", o)
	}
}

// The file is a link, and what it points to is written in its own folder: no event tells, the poll does.
func TestWatchPolls(t *testing.T) {
	t.Parallel()
	target, link := newFile(t), filepath.Join(t.TempDir(), "policy.yaml")
	must(t, os.Symlink(target, link))
	w := startWatch(t, link, time.Millisecond, never)
	write(t, target, text(2))
	w.until(text(2))
}

// The folder itself is put elsewhere and another one takes its name, as deployments do: the next poll
// reads the file there and watches that folder from then on.
func TestAReplacedFolderIsWatchedAgain(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "current")
	must(t, os.Mkdir(folder, 0o700))
	file := filepath.Join(folder, "policy.yaml")
	write(t, file, text(1))
	s, err := Open(SourceOptions{Path: file})
	must(t, err)
	w := s.open()
	seen, ticks := make(chan outcome, 1000), make(chan time.Time)
	s.observe = func(o outcome) { seen <- o }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.follow(ctx, w, ticks, nil) }()
	t.Cleanup(func() { cancel(); <-ended; w.close() })

	must(t, os.Rename(folder, folder+".old"))
	<-seen // the watcher has left the old folder: it does so by the name, and would leave the new one
	must(t, os.Mkdir(folder, 0o700))
	write(t, file, text(2))
	for s.Current().Version != version([]byte(text(2))) {
		ticks <- time.Time{}
		<-seen
	}
	for n := 3; n <= 5; n++ { // no tick: events must tell, the first time perhaps one of before
		write(t, file, text(n))
		for s.Current().Version != version([]byte(text(n))) {
			<-seen
		}
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	for _, file := range []string{"", newFile(t)} {
		s, err := Open(SourceOptions{Path: file})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Watch(ctx) }()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Watch of %q: %v", file, err)
		}
	}
	for leaks("policy.(*Source)") || leaks("fsnotify") { // hangs if one stays
		runtime.Gosched()
	}
}

// leaks reports whether a goroutine runs code of the package, other than a test.
func leaks(function string) bool {
	var stacks bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&stacks, 2)
	return strings.Contains(stacks.String(), function)
}
