package bench

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var profiles = flag.String("profiles", "", "write CPU profiles of the servers to this folder")

// profiled is how long a server is watched while it is kept busy.
const profiled = 8 * time.Second

// TestProfiles writes what go tool pprof reads: where the servers' CPU time goes while they do what they mostly do.
func TestProfiles(t *testing.T) {
	if *profiles == "" {
		t.Skip("only with -profiles FOLDER")
	}
	r := recordedRig(t)
	for _, name := range []string{
		"process/policy=seven/send", "redis/policy=seven/send", "redis/policy=seven/send/records=postgres", "redis/policy=seven/verify", "redis/policy=seven/refused=again",
	} {
		row := r.row("store=" + name)
		path := filepath.Join(*profiles, strings.ReplaceAll(name, "/", ",")+".pprof")
		if err := row.profile(path, *requests); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s; go tool pprof -top %s", path, path)
	}
}

// profile keeps the row's server busy, n requests at a time, until the profile is written.
func (r *row) profile(path string, n int) error {
	written := make(chan error, 1)
	go func() { written <- r.on.writeProfile(path) }()
	for {
		if err := all(r.on.API, r.requests(n)); err != nil {
			return err
		}
		select {
		case err := <-written:
			return err
		default:
		}
	}
}

func (s *service) writeProfile(path string) error {
	return s.get(fmt.Sprintf("/debug/pprof/profile?seconds=%d", int(profiled.Seconds())), func(answer *http.Response) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, answer.Body); err != nil {
			_ = f.Close()
			return err
		}
		return f.Close()
	})
}
