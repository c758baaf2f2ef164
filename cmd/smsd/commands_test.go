package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"smsd/internal/config"
)

var update = flag.Bool("update", false, "write the golden texts of the scripts anew")

// commands are what scripts have beside testscript's own.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"start":  startCommand,  // start NAME [ARG...]: smsd serve with these; sets $NAME_API, $NAME_ADMIN, $NAME_ADDRESS (of ADMIN)
		"end":    endCommand,    // end NAME SIGNAL CODE: sends it, and expects the exit code; keeps NAME.out and NAME.err
		"signal": signalCommand, // signal NAME SIGNAL
		"log":    logCommand,    // log NAME REGEXP: waits until the instance has logged it
		"http":   httpCommand,   // http STATUS METHOD URL [BODY|@FILE]: keeps body and header
		"json":   jsonCommand,   // json VARIABLE PATH: sets it from the body, as messages.0.code
		"read":   readCommand,   // read VARIABLE FILE: sets it to what is in the file, without the line's end
		"found":  foundCommand,  // found REGEXP URL: GET, again and again until the body matches
		"until":  untilCommand,  // until STATUS METHOD URL [BODY|@FILE]: http, again and again until it has the status
	}
}

// running is the instances of one script.
type running map[string]*instance

type runningKey struct{}

func setup(env *testscript.Env) error {
	all := running{}
	env.Values[runningKey{}] = all
	env.Defer(func() {
		for _, i := range all {
			i.kill()
		}
	})
	return nil
}

func of(ts *testscript.TestScript, name string) *instance {
	i := ts.Value(runningKey{}).(running)[name]
	if i == nil {
		ts.Fatalf("no instance %s was started", name)
	}
	return i
}

func startCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: start NAME [ARG...]")
	}
	i, err := start(ts.Getenv("WORK"), environment(ts), args[1:]...)
	if err != nil {
		ts.Fatalf("%v", err)
	}
	ts.Value(runningKey{}).(running)[args[0]] = i
	ts.Setenv(args[0]+"_API", i.api)
	ts.Setenv(args[0]+"_ADMIN", i.admin)
	ts.Setenv(args[0]+"_ADDRESS", strings.TrimPrefix(i.admin, "http://"))
}

// environment returns what the script has set of the settings' variables, and nothing else of this process's.
func environment(ts *testscript.TestScript) []string {
	env := []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME")}
	for _, s := range config.Settings() {
		for _, name := range []string{s.Env, s.Env + "_FILE"} {
			if value := ts.Getenv(name); value != "" {
				env = append(env, name+"="+value)
			}
		}
	}
	return env
}

var signals = map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}

func endCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || signals[args[1]] == nil {
		ts.Fatalf("usage: end NAME SIGNAL CODE")
	}
	i := of(ts, args[0])
	code, err := i.stop(signals[args[1]])
	if err != nil {
		ts.Fatalf("%v\n%s", err, i.stderr.String())
	}
	if strconv.Itoa(code) != args[2] {
		ts.Fatalf("exit code %d, want %s\n%s", code, args[2], i.stderr.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(i.stdout.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), []byte(i.stderr.String()), 0o600))
}

func signalCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || signals[args[1]] == nil {
		ts.Fatalf("usage: signal NAME SIGNAL")
	}
	ts.Check(of(ts, args[0]).process.Signal(signals[args[1]]))
}

func logCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: log NAME REGEXP")
	}
	i := of(ts, args[0])
	if i.stderr.find(regexp.MustCompile(args[1]), i.exited) == nil {
		ts.Fatalf("%s has not logged %s:\n%s", args[0], args[1], i.stderr.String())
	}
}

func httpCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: http STATUS METHOD URL [BODY|@FILE]")
	}
	status, body := call(ts, args[1:])
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, want %s\n%s", status, args[0], body)
	}
}

func untilCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: until STATUS METHOD URL [BODY|@FILE]")
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		status, body := call(ts, args[1:])
		if strconv.Itoa(status) == args[0] {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("status %d, want %s\n%s", status, args[0], body)
		}
	}
}

func foundCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: found REGEXP URL")
	}
	want := regexp.MustCompile(args[0])
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		status, body := call(ts, []string{http.MethodGet, args[1]})
		if want.MatchString(body) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("status %d, and no %s in\n%s", status, args[0], body)
		}
	}
}

// call makes one request and keeps what was answered in the files header and body.
func call(ts *testscript.TestScript, args []string) (int, string) {
	body := strings.Join(args[2:], "")
	if file, found := strings.CutPrefix(body, "@"); found {
		body = ts.ReadFile(file)
	}
	request, err := http.NewRequest(args[0], args[1], strings.NewReader(body))
	ts.Check(err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token := ts.Getenv("TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if origin := ts.Getenv("ORIGIN"); origin != "" {
		request.Header.Set("Origin", origin)
	}
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	ts.Check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	ts.Check(err)
	var header strings.Builder
	ts.Check(response.Header.Write(&header))
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "header"), []byte(header.String()), 0o600))
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "body"), text, 0o600))
	return response.StatusCode, string(text)
}

func readCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: read VARIABLE FILE")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

func jsonCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: json VARIABLE PATH")
	}
	var value any
	text := ts.ReadFile(filepath.Join(ts.Getenv("WORK"), "body"))
	ts.Check(json.Unmarshal([]byte(text), &value))
	for _, step := range strings.Split(args[1], ".") {
		value = inside(value, step)
	}
	if value == nil {
		ts.Fatalf("no %s in %s", args[1], text)
	}
	ts.Setenv(args[0], fmt.Sprint(value))
}

// inside returns the member or the element of v, or nil.
func inside(v any, step string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[step]
	case []any:
		if n, err := strconv.Atoi(step); err == nil && n < len(v) {
			return v[n]
		}
	}
	return nil
}
