package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Two carriers behind webhooks, of which the second is asked when the first surely did not take a message, lose answers at random,
// and the service is killed when one of them has a message and it has no answer.
// OpenWA-plugins PR 119, courier#21, zitadel 7186.

// ending is what becomes of a message at a carrier.
type ending int

const (
	taken        ending = iota // and said so
	refusedHere                // surely: the other carrier may have it
	lostBefore                 // the connection is cut, and nobody has the message
	lostAfter                  // the message is there, and the connection is cut
	lostInMiddle               // the message is there, and half of the answer
	lostToPage                 // the message is there, and something in between says 502
	killed                     // the message is there, and the service dies
)

// carriers are both, what they took, and the service's processes, one after the other.
type carriers struct {
	t           *testing.T
	environment []string
	settings    string
	kill        chan struct{} // one is to be killed

	mu       sync.Mutex
	now      *instance
	random   *rand.Rand
	accepted map[string][]string // who has a message, by number
	ids      map[string]string   // of the message, by number, in the process that is now
	endings  map[ending]int
	asked    []asked
	open     []asked // of which nobody knows
	kills    int     // that are still to come
}

// asked is one send.
type asked struct{ key, phone string }

func newCarriers(t *testing.T, kills int) *carriers {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := &carriers{
		t: t, kill: make(chan struct{}), kills: kills, random: rand.New(rand.NewPCG(seed, 0)),
		accepted: map[string][]string{}, ids: map[string]string{}, endings: map[ending]int{},
	}
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.yaml")
	c.settings = filepath.Join(dir, "smsd.yaml")
	blocks := "gateway: first,second\ngateways:\n"
	for _, name := range []string{"first", "second"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.receive(name, w, r) }))
		t.Cleanup(server.Close)
		blocks += fmt.Sprintf("  %s: {kind: webhook, url: %q, secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, allow_private: true}\n", name, server.URL)
	}
	for path, text := range map[string]string{policy: wideOpen, c.settings: blocks} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.environment = []string{
		"PATH=" + os.Getenv("PATH"), "SMSD_DATA_DIR=" + dir, "SMSD_POLICY_FILE=" + policy,
		"SMSD_LOCAL_IP_RATE=100000", "SMSD_LOCAL_IP_BURST=100000", "SMSD_LOCAL_RATE=100000", "SMSD_LOCAL_BURST=100000",
	}
	return c
}

// next starts the next process.
func (c *carriers) next() *instance {
	c.t.Helper()
	i, err := start(c.t.TempDir(), c.environment, "--config", c.settings)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(i.kill)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.ids = i, map[string]string{} // a send that surely failed and whose answer was lost with its process may be asked for again
	return i
}

// receive is what a carrier does with a call.
func (c *carriers) receive(name string, w http.ResponseWriter, r *http.Request) {
	var m struct {
		Data struct{ ID, Phone string }
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.Data.Phone == "" {
		return // cut off by a kill
	}
	switch f := c.draw(name, m.Data.Phone, m.Data.ID); f {
	case taken:
		fmt.Fprint(w, "ok")
	case refusedHere:
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"reason": "temporary"}`)
	case lostToPage:
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html>502</html>")
	case lostInMiddle:
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, `{"id": "`)
	case killed:
		select {
		case c.kill <- struct{}{}:
			<-r.Context().Done()
		case <-r.Context().Done(): // with another one
		}
	default:
		cut(w)
	}
}

// cut closes a connection, at random with a reset.
func cut(w http.ResponseWriter) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := connection.(*net.TCPConn); ok && rand.IntN(2) == 0 {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}

// draw says what becomes of a message, and takes down who has it. Most answers arrive: a gateway of which none does is left alone.
func (c *carriers) draw(name, phone, id string) ending {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := taken
	switch n := c.random.IntN(100); {
	case n < 4 && c.kills > 0:
		f, c.kills = killed, c.kills-1
	case n < 20:
		f = lostBefore + ending(c.random.IntN(4))
	case n < 35:
		f = refusedHere
	}
	c.endings[f]++
	if f != refusedHere && f != lostBefore {
		c.accepted[phone] = append(c.accepted[phone], name)
	}
	if known := c.ids[phone]; known != "" && known != id {
		c.t.Errorf("one message has two ids")
	}
	c.ids[phone] = id
	return f
}

// lost is how many answers did not arrive.
func (c *carriers) lost() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for f := lostBefore; f <= killed; f++ {
		n += c.endings[f]
	}
	return n
}

// work sends one message after the other, until enough answers were lost. A client that is not answered asks the next process
// under its key, at once or when all is over.
func (c *carriers) work(enough int) {
	for c.lost() < enough && !c.t.Failed() {
		c.mu.Lock()
		i, n := c.now, len(c.asked)
		one := asked{"key-" + strconv.Itoa(n), fmt.Sprintf("+86138%08d", n)}
		c.asked = append(c.asked, one)
		c.mu.Unlock()
		got := i.sendOne(one)
		if got.status == 0 {
			got = c.after(i).sendOne(one)
		}
		if got.status == 0 || got.status == http.StatusConflict {
			c.mu.Lock()
			c.open = append(c.open, one)
			c.mu.Unlock()
		}
	}
}

// after waits for the process that comes after i.
func (c *carriers) after(i *instance) *instance {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		c.mu.Lock()
		now := c.now
		c.mu.Unlock()
		if now != i {
			return now
		}
	}
	return i
}

func (i *instance) sendOne(a asked) keyed { return i.keyedSend(a.key, a.phone) }

// Never are there two messages for one send: not when an answer is lost, wherever and however often, not when the service is killed
// between a carrier's acceptance and its answer, and not when the client then asks again.
func TestNeverTwoMessagesForOneSend(t *testing.T) {
	t.Parallel()
	answers, kills := 150, 6
	if os.Getenv("SMSD_FULL") == "1" {
		answers, kills = 1000, 100
	}
	c := newCarriers(t, kills)
	i := c.next()
	over := make(chan struct{})
	go func() {
		defer close(over)
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() { c.work(answers) })
		}
		clients.Wait()
	}()
	for ended := false; !ended; {
		select {
		case <-c.kill:
			i.kill()
			i = c.next()
		case <-over:
			ended = true
		}
	}
	for _, one := range c.open {
		for end := time.Now().Add(patience); i.sendOne(one).text("code") == "request_in_progress" && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
	}
	c.judge()
}

// judge says of all that the carriers took whether it was taken once, and whether everything happened that can. Carriers may still
// be at work for a process that is gone.
func (c *carriers) judge() {
	t := c.t
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	by := map[string]int{}
	for phone, names := range c.accepted {
		if len(names) > 1 {
			t.Errorf("%s has the message from %v", phone, names)
		}
		by[names[0]]++
	}
	if c.endings[refusedHere] == 0 || by["second"] == 0 || c.endings[killed] == 0 {
		t.Errorf("endings %v, taken by %v: not everything happened", c.endings, by)
	}
	t.Logf("%d sends, taken by %v; endings %v (taken, refused, lost before, after, in the middle, to a page, killed); %d asked again when all was over", len(c.asked), by, c.endings, len(c.open))
}
