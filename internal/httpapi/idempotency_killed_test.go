package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/idempotency"
	"smsd/internal/store/sqlstore"
)

// A process of its own executes one request under a key and is killed at a step: variables tell it where, and the folder
// that it shares with the processes after it.
const (
	diesAt     = "SMSD_TEST_DIES_AT"
	diesFolder = "SMSD_TEST_FOLDER"
)

// deaths are the steps at which a process is killed, what a repetition is answered at once, and how many messages have left
// in the end.
var deaths = []struct {
	at       string
	status   int
	code     string
	messages int
}{
	{"before begin", 200, "", 1},
	{"after begin", 409, "request_in_progress", 0},
	{"before the gateway took it", 409, "request_in_progress", 0},
	{"after the gateway took it", 409, "request_in_progress", 1},
	{"after finish", 200, "", 1},
}

// doomed is a place for entries and a gateway in a process that is killed at one step.
type doomed struct {
	idempotency.Store
	gateway.Driver
	at, folder string
}

// die kills the process if step is where it dies: nothing runs after it, as after a power cut but for the disk.
func (d *doomed) die(step string) {
	if d.at == step {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until the signal is there
	}
}

func (d *doomed) Begin(ctx context.Context, e idempotency.Entry, now time.Time) error {
	d.die("before begin")
	defer d.die("after begin")
	return d.Store.Begin(ctx, e, now)
}

func (d *doomed) Finish(ctx context.Context, id idempotency.ID, answer []byte, until time.Time) error {
	defer d.die("after finish")
	return d.Store.Finish(ctx, id, answer, until)
}

// Send writes one line for each message that leaves.
func (d *doomed) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	d.die("before the gateway took it")
	file, err := os.OpenFile(filepath.Join(d.folder, "messages"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return gateway.Accepted{}, err
	}
	defer file.Close()
	if _, err := file.WriteString("one\n"); err != nil {
		return gateway.Accepted{}, err
	}
	d.die("after the gateway took it")
	return d.Driver.Send(ctx, m)
}

// newDoomed is an api over what is in folder, whose process dies at a step; "" is none.
func newDoomed(t *testing.T, at, folder string) *api {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(folder, "smsd.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d := &doomed{Store: db.Idempotency(), at: at, folder: folder}
	return newAPI(t, func(s *setup) {
		s.entries = d
		s.gateway = func(real gateway.Driver) gateway.Driver { d.Driver = real; return d }
	})
}

// The process that is killed; by itself it does nothing.
func TestDoomedProcess(t *testing.T) {
	at := os.Getenv(diesAt)
	if at == "" {
		t.Skip("only where " + diesAt + " says at which step")
	}
	newDoomed(t, at, os.Getenv(diesFolder)).sendUnder("k", alice)
	t.Fatal("it lives")
}

// However a process ends, no second message leaves under its key. Where nothing had begun a repetition is a new attempt;
// else it is told that the request is running, for as long as it could, and then what is known: its answer, or, since
// this store of codes died with the process, that nothing is.
func TestKilledAtEachStep(t *testing.T) {
	t.Parallel()
	for _, d := range deaths {
		t.Run(d.at, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDoomedProcess$")
			child.Env = append(os.Environ(), diesAt+"="+d.at, diesFolder+"="+folder)
			out, err := child.CombinedOutput()
			if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("it ended with %v:\n%s", err, out)
			}
			a := newDoomed(t, "", folder)
			first := a.sendUnder("k", alice)
			a.want(first, d.status, d.code)
			for _, later := range []time.Duration{longestSend, keepSent - time.Minute} {
				a.clock.Advance(later)
				if d.status == http.StatusOK {
					a.repeats(a.sendUnder("k", alice), first)
				} else {
					a.want(a.sendUnder("k", alice), 409, "outcome_unknown")
				}
			}
			left, _ := os.ReadFile(filepath.Join(folder, "messages")) // there may be none
			if n := bytes.Count(left, []byte("\n")); n != d.messages {
				t.Errorf("%d messages left, want %d", n, d.messages)
			}
		})
	}
}
