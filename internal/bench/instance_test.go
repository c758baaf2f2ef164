package bench

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// instance is a server in a process of its own.
type instance struct {
	t testing.TB
	listening
	ask    io.Writer
	answer *json.Decoder
}

// start starts this binary in a role, with settings and no others of the environment.
func start(t testing.TB, role string, settings ...string) *instance {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(append(foreign(os.Environ()), roleVariable+"="+role), settings...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	i := &instance{t: t, ask: in, answer: json.NewDecoder(out)}
	if err := i.answer.Decode(&i.listening); err != nil {
		t.Fatalf("the server %q does not listen: %v", role, err)
	}
	return i
}

// foreign leaves smsd's own settings out of an environment.
func foreign(environ []string) []string {
	var kept []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "SMSD_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// usage returns what the server has used so far.
func (i *instance) usage() (u usage) {
	i.t.Helper()
	_, err := io.WriteString(i.ask, "\n")
	if err == nil {
		err = i.answer.Decode(&u)
	}
	if err != nil {
		i.t.Fatalf("usage of a server: %v", err)
	}
	return u
}
