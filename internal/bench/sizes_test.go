package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"smsd/internal/policy"
	"smsd/internal/throttle"
)

// size is what one subject takes.
type size struct {
	policy, subject, happened string
	value                     int64 // bytes of the value; 0: not told
	memory                    int64 // MEMORY USAGE: with the key, and Redis's own
}

// subjects are whose sizes are told: what happens to each, and how its key is named.
var subjects = []struct {
	subject, name, happened string
	live                    func(*ledger)
}{
	{"phone", "p", "1 send", func(l *ledger) { l.history(1) }},
	{"phone", "p", "5 sends", func(l *ledger) { l.history(5) }},
	{"phone", "p", "8 sends and 2 wrong codes", func(l *ledger) { l.history(10) }},
	{"phone", "p", "8 sends and 12 wrong codes", func(l *ledger) { l.history(20) }},
	{"phone", "p", "as much as the rules let anybody do", (*ledger).worst},
	{"address", "i+", "1 send", func(l *ledger) { l.history(1) }},
	{"address", "i+", "as many sends and verifies as it may have", (*ledger).flood},
	{"network", "n", "1 send, or any number", func(l *ledger) { l.history(1) }},
	{"block of numbers", "x", "1 send", func(l *ledger) { l.history(1) }},
	{"everybody together", "t", "1 send, or any number", func(l *ledger) { l.history(1) }},
	{"phone with a network", "pn+", "1 send", func(l *ledger) { l.history(1) }},
}

// history is n events of one phone: 8 sends at most, and then wrong codes.
func (l *ledger) history(n int) {
	scenes := l.scenes()
	for i := range min(n, 8) {
		if !l.insist(throttle.Send, scenes[i%len(scenes)], person(1, 1), 24*time.Hour) {
			l.t.Fatal("a send must wait for longer than a day")
		}
	}
	for i := range n - 8 {
		l.guess(scenes[i%len(scenes)], person(1, 1))
	}
}

// The numbers that worst knows of the policies: a code lives five minutes and may be guessed at five times, and ten
// wrong codes in an hour for a phone and a scene end its sends.
const (
	codeLife     = 5 * time.Minute
	codeAttempts = 5
	guessesLimit = 10
)

// worst is what makes the most entries of one phone: twice, an hour apart, as many sends as the rules allow, each from
// an address of its own, and then wrong codes: the first time as late and as many as do not end the sends, the second
// time until every code is used up.
func (l *ledger) worst() {
	first := l.sendAll(0)
	l.clock.Advance(codeLife - time.Minute - time.Second)
	for scene, codes := range first {
		l.guessTimes(scene, min(codes*codeAttempts, guessesLimit-1))
	}
	l.clock.Advance(l.ask(throttle.Send, l.scenes()[0], person(1, 99)))
	for scene, codes := range l.sendAll(100) {
		l.guessTimes(scene, codes*codeAttempts)
	}
}

// sendAll sends to one phone in all scenes by turns until it would have to wait for minutes, and returns how many codes
// each got.
func (l *ledger) sendAll(address int) map[string]int {
	codes := map[string]int{}
	for sent := true; sent; {
		sent = false
		for _, scene := range l.scenes() {
			if l.insist(throttle.Send, scene, person(1, address), 2*time.Minute) {
				codes[scene]++
				address++
				sent = true
			}
		}
	}
	return codes
}

func (l *ledger) guessTimes(scene string, n int) {
	for range n {
		l.guess(scene, person(1, 1))
	}
}

// flood is all that one address may do at once.
func (l *ledger) flood() {
	for n := 0; l.ask(throttle.Send, l.scenes()[0], person(n, 1)) == 0; n++ {
	}
	if !l.counts(throttle.Verify) {
		return
	}
	for l.ask(throttle.Verify, l.scenes()[0], person(1, 1)) == 0 {
	}
}

func (l *ledger) counts(e throttle.Event) bool {
	for _, r := range l.rules.Rules() {
		if r.On == e {
			return true
		}
	}
	return false
}

// scenes are those that rules name, in their order; a policy of this package has one with rules of its own at least.
func (l *ledger) scenes() (all []string) {
	for _, r := range l.rules.Rules() {
		if r.Scene != "" && (len(all) == 0 || all[len(all)-1] != r.Scene) {
			all = append(all, r.Scene)
		}
	}
	return all
}

// sizes measures each subject that a policy has, alone on an empty server.
func sizes(t testing.TB, w *watched, name, text string) (table []size) {
	t.Helper()
	for _, s := range subjects {
		w.empty()
		s.live(newLedger(t, inRedis(t, w.url), rulesOf(t, text)))
		if found, has := w.largest(s.name); has {
			found.policy, found.subject, found.happened = name, s.subject, s.happened
			table = append(table, found)
		}
	}
	return table
}

func (w *watched) empty() {
	w.t.Helper()
	if err := w.client.FlushAll(context.Background()).Err(); err != nil {
		w.t.Fatal(err)
	}
}

// largest measures the largest key with a name, or with one that begins so if it ends in +.
func (w *watched) largest(name string) (largest size, has bool) {
	w.t.Helper()
	ctx := context.Background()
	keys, err := w.client.Keys(ctx, "*").Result()
	for _, key := range keys {
		own := strings.Trim(key[strings.LastIndexByte(key, ':')+1:], "{}")
		if own != name && (!strings.HasSuffix(name, "+") || !strings.HasPrefix(own, name)) || err != nil {
			continue
		}
		var s size
		if s.value, err = w.client.StrLen(ctx, key).Result(); err == nil {
			s.memory, err = w.client.MemoryUsage(ctx, key).Result()
		}
		if s.memory > largest.memory {
			largest, has = s, true
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return largest, has
}

// TestSizes measures bytes per subject.
func TestSizes(t *testing.T) {
	measuring(t)
	w := startRedis(t)
	printSizes(os.Stdout, append(redisSizes(t, w, 5000), heapSizes(t, w, 20_000)...))
}

// redisSizes measures the keys, and all that one of so many sends leaves.
func redisSizes(t testing.TB, w *watched, sends int) []size {
	t.Helper()
	table := append(sizes(t, w, "seven", sevenRules), sizes(t, w, "builtin", string(policy.BuiltInText()))...)
	code, left := w.sent(sends)
	return append(table, code, left)
}

// sent has the service send n messages, to fresh numbers, and measures the code's key, and all that one send leaves.
func (w *watched) sent(n int) (code, left size) {
	w.t.Helper()
	w.empty()
	s := &service{instance: start(w.t, roleSMSD, append(append(common(w.t), production(w.url, "smsd")...), policyFile(w.t, sevenRules))...), redis: servers{w}}
	warm(s)
	before := w.usedMemory()
	s.do(s.sends(n))
	after := w.usedMemory()
	code, _ = w.largest(s.inbox(1)[0].SMSID)
	code.policy, code.subject, code.happened = "seven", "verification", "1 send"
	return code, size{"seven", "all that it leaves", "1 send, a quarter of an address", 0, (after - before) / int64(n)}
}

func (w *watched) usedMemory() int64 {
	w.t.Helper()
	text, err := w.client.Info(context.Background(), "memory").Result()
	if err != nil {
		w.t.Fatal(err)
	}
	for name, value := range lines(text) {
		if name == "used_memory" {
			return int64(number(value))
		}
	}
	w.t.Fatal("INFO tells no used_memory")
	return 0
}

func printSizes(w io.Writer, table []size) {
	for _, s := range table {
		fmt.Fprintf(w, "BenchmarkSize/policy=%s/%s \t1\t%d B-value\t%d B-memory\n", s.policy, strings.ReplaceAll(s.subject+"="+s.happened, " ", "-"), s.value, s.memory)
	}
	fmt.Fprintf(w, "\n| %-7s | %-24s | %-41s | value, bytes | memory, bytes |\n", "policy", "subject", "what happened")
	fmt.Fprintf(w, "|:%s|:%s|:%s|-------------:|--------------:|\n", dashes(8), dashes(25), dashes(42))
	for _, s := range table {
		value := "" // of memory alone
		if s.value > 0 {
			value = fmt.Sprint(s.value)
		}
		fmt.Fprintf(w, "| %-7s | %-24s | %-41s | %12s | %13d |\n", s.policy, s.subject, s.happened, value, s.memory)
	}
}

// The sizes asked for depend on no machine's load.
func TestSizesAreWhatIsAsked(t *testing.T) {
	t.Parallel()
	most := map[string]int64{"8 sends and 2 wrong codes": 260, "as much as the rules let anybody do": 850}
	for _, s := range redisSizes(t, startRedis(t), connections) {
		if limit := most[s.happened]; limit > 0 && s.policy == "seven" && s.memory > limit {
			t.Errorf("%s after %s: %d bytes, at most %d are asked for", s.subject, s.happened, s.memory, limit)
		}
		if s.memory <= 0 && s.value > 0 { // of a few sends the rest is less than what a connection takes
			t.Errorf("%+v", s)
		}
	}
}
