package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what should happen at once, on the slowest machine.
const patience = time.Minute

// instance is smsd as a process of its own, on free ports.
type instance struct {
	api, admin     string
	process        *os.Process
	stdout, stderr output
	exited         chan struct{}
	code           int // once exited
}

// serving is the log line of an instance that listens, as text or as JSON.
var serving = regexp.MustCompile(`msg"?[=:]"?serving"?.*api"?[=:]"?(http://[^ ",]+)"?.*admin"?[=:]"?(http://[^ ",]+)`)

// patient is the largest budget, for a machine that compiles other things meanwhile. An environment that states one wins.
const patient = "SMSD_REDIS_BUDGET=5s"

// longTry has a gateway keep a message for as long as may be: an instance that is to be killed meanwhile has not answered yet.
const longTry = "SMSD_GATEWAY_TIMEOUT=8s"

// start starts smsd serve in dir, with the environment env, and waits until it is ready: on a busy machine that may be later than when
// it listens.
func start(dir string, env []string, args ...string) (*instance, error) {
	free := []string{"serve", "--http-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}
	cmd := exec.Command("smsd", append(free, args...)...)
	i := &instance{exited: make(chan struct{})}
	cmd.Dir, cmd.Env = dir, append([]string{patient}, env...)
	cmd.Stdout, cmd.Stderr = &i.stdout, &i.stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	i.process = cmd.Process
	go func() {
		defer close(i.exited)
		_ = cmd.Wait() // the exit code says it
		i.code = cmd.ProcessState.ExitCode()
	}()
	if err := i.listening(); err != nil {
		return i, err
	}
	return i, i.ready()
}

// begin starts smsd serve in a folder of its own, until the end of the test.
func begin(t *testing.T, environment []string) *instance {
	t.Helper()
	i, err := start(t.TempDir(), environment)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.kill)
	return i
}

// listening waits for the addresses.
func (i *instance) listening() error {
	found := i.stderr.find(serving, i.exited)
	if found == nil {
		i.kill()
		return fmt.Errorf("smsd does not listen:\n%s", i.stderr.String())
	}
	i.api, i.admin = found[1], found[2]
	return nil
}

// ready waits until it serves.
func (i *instance) ready() error {
	for deadline := time.Now().Add(patience); ask(http.MethodGet, i.api+"/readyz", nil, nil) != http.StatusOK; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			i.kill()
			return fmt.Errorf("smsd is not ready:\n%s", i.stderr.String())
		}
	}
	return nil
}

// stop sends s and waits for the end; it returns the exit code.
func (i *instance) stop(s os.Signal) (int, error) {
	if err := i.process.Signal(s); err != nil {
		return 0, err
	}
	select {
	case <-i.exited:
		return i.code, nil
	case <-time.After(patience):
		i.kill()
		return 0, errors.New("smsd did not stop")
	}
}

// kill ends the process, if it has not ended, with no chance to put anything in order.
func (i *instance) kill() {
	_ = i.process.Kill() // it may have ended
	<-i.exited
}

// ask makes one request, where body is no nil as JSON, and returns its status; 0: nobody answered.
func ask(method, url string, body, into any) int {
	var text io.Reader = http.NoBody
	if body != nil {
		encoded, _ := json.Marshal(body)
		text = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, url, text)
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if into != nil && json.NewDecoder(response.Body).Decode(into) != nil {
		return 0
	}
	return response.StatusCode
}

// output collects what a process writes. Safe for concurrent use.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{} // closed at the next write
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// look returns the text and a channel that is closed at the next write.
func (o *output) look() (string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed == nil {
		o.changed = make(chan struct{})
	}
	return o.text.String(), o.changed
}

// find waits for what matches, and returns nil if the writer ended or nobody has patience any more.
func (o *output) find(what *regexp.Regexp, ended <-chan struct{}) []string {
	deadline := time.After(patience)
	for over := false; ; {
		text, changed := o.look()
		if found := what.FindStringSubmatch(text); found != nil || over {
			return found
		}
		select {
		case <-changed:
		case <-ended:
			over = true
		case <-deadline:
			over = true
		}
	}
}
