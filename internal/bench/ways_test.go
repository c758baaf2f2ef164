package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/throttle"
	"smsd/lua"
)

// way is one of the ways in which a limiter can decide about an event under the eight rules.
type way struct {
	name string
	// add puts what decides about an event of the n-th phone into a pipeline. Whoever counts by windows of the clock takes the
	// one in which the round began: were it to end in the midst of the round, what is to be refused would be allowed.
	add func(p redis.Pipeliner, n int, began time.Time)
	// allowed reads the decision from the answers to what add put there.
	allowed func(answers []redis.Cmder) bool
	rounds  map[int][]spent // by decisions a trip
}

// spent is what Redis spent per decision.
type spent struct {
	accepted, refused redisUsage
	memory            float64 // bytes that a phone leaves, with its address, network and block of numbers
}

// admitted is how many events each phone may have: the tightest of the eight rules says so.
const admitted = 3

// depths are how many decisions share a trip.
var depths = []int{1, 16}

// ways are all of them, the project's own last. The others are the textbook's, in their shortest form.
func ways(t testing.TB, w *watched) []*way {
	return []*way{
		scriptPerRule(), counterPerRule(), setPerRule(), oneScriptOfCounters(),
		ours(t, w, "smsd, every rule a counter", "counter"), ours(t, w, "smsd, every rule a log", "log"),
	}
}

// scriptPerRule is what libraries with one limit a call come to: a script for each rule, all in one pipeline.
func scriptPerRule() *way {
	script := redis.NewScript(gcraScript)
	return &way{name: "a GCRA script a rule", add: func(p redis.Pipeliner, n int, _ time.Time) {
		for _, r := range eightRules {
			script.EvalSha(context.Background(), p, []string{r.key(n)}, r.window.Milliseconds()/r.limit, r.limit)
		}
	}, allowed: func(answers []redis.Cmder) bool {
		all := true
		for _, a := range answers {
			ints, err := a.(*redis.Cmd).Int64Slice()
			all = all && err == nil && ints[0] == 1
		}
		return all
	}}
}

// counterPerRule counts first and asks afterwards, with a counter for each window of the clock.
func counterPerRule() *way {
	return &way{name: "INCR and EXPIRE a rule", add: func(p redis.Pipeliner, n int, began time.Time) {
		for _, r := range eightRules {
			key := r.bucket(n, began)
			p.Incr(context.Background(), key)
			p.Expire(context.Background(), key, r.window)
		}
	}, allowed: func(answers []redis.Cmder) bool {
		all := true
		for i, r := range eightRules {
			all = all && answers[2*i].(*redis.IntCmd).Val() <= r.limit
		}
		return all
	}}
}

// setPerRule keeps each event's instant in a sorted set for each rule, and asks afterwards.
func setPerRule() *way {
	events := 0
	return &way{name: "a sorted set a rule", add: func(p redis.Pipeliner, n int, _ time.Time) {
		ctx, now := context.Background(), time.Now()
		events++
		for _, r := range eightRules {
			key := r.key(n)
			p.ZRemRangeByScore(ctx, key, "-inf", strconv.FormatInt(now.Add(-r.window).UnixMicro(), 10))
			p.ZAdd(ctx, key, redis.Z{Score: float64(now.UnixMicro()), Member: events})
			p.ZCard(ctx, key)
			p.PExpire(ctx, key, r.window)
		}
	}, allowed: func(answers []redis.Cmder) bool {
		all := true
		for i, r := range eightRules {
			all = all && answers[4*i+2].(*redis.IntCmd).Val() <= r.limit
		}
		return all
	}}
}

// oneScriptOfCounters asks every rule's counter and then counts in all of them or none.
func oneScriptOfCounters() *way {
	script := redis.NewScript(countersScript)
	return &way{name: "one script, a counter a rule", add: func(p redis.Pipeliner, n int, began time.Time) {
		keys, args := make([]string, len(eightRules)), make([]any, 0, 2*len(eightRules))
		for i, r := range eightRules {
			keys[i] = r.bucket(n, began)
			args = append(args, r.limit, r.window.Milliseconds())
		}
		script.EvalSha(context.Background(), p, keys, args...)
	}, allowed: func(answers []redis.Cmder) bool {
		n, err := answers[0].(*redis.Cmd).Int64()
		return err == nil && n == 0
	}}
}

// ours is the script of the service, with all rules of one algorithm. Its arguments are recorded from the store
// itself, and the keys then made each phone's.
func ours(t testing.TB, w *watched, name, algorithm string) *way {
	t.Helper()
	call := recordedTake(t, w, algorithm)
	return &way{name: name, add: func(p redis.Pipeliner, n int, _ time.Time) {
		p.Do(context.Background(), call.of(n)...)
	}, allowed: func(answers []redis.Cmder) bool {
		ints, err := answers[0].(*redis.Cmd).Int64Slice()
		return err == nil && ints[0] == 1
	}}
}

// recorded is an EVALSHA as its words.
type recorded struct {
	words []string
	keys  int
}

// recordedTake has the store decide once, and returns what it sent.
func recordedTake(t testing.TB, w *watched, algorithm string) recorded {
	t.Helper()
	r := record(t, strings.TrimPrefix(w.url, "unix://"))
	l := newLedger(t, inRedis(t, r.url), rulesOf(t, eightPolicy(algorithm)))
	if wait := l.ask(throttle.Send, "login", person(1, 1)); wait != 0 {
		t.Fatal("the first event is refused")
	}
	sha := lua.Load().Take.SHA
	for _, words := range r.commands() {
		if strings.EqualFold(words[0], "evalsha") && words[1] == sha {
			keys, _ := strconv.Atoi(words[2])
			return recorded{words, keys}
		}
	}
	t.Fatal("the store has sent no EVALSHA of take")
	return recorded{}
}

// of returns the words for the n-th phone. Package lua says what they are: the server's clock decides, and the call is
// not late for an hour.
func (r recorded) of(n int) []any {
	const tagDigits = 10
	words := make([]any, len(r.words))
	for i, word := range r.words {
		words[i] = word
	}
	for i := 3; i < 3+r.keys; i++ {
		head, tail, _ := strings.Cut(r.words[i], "{")
		words[i] = fmt.Sprintf("%s{%0*d%s", head, tagDigits, n, tail[tagDigits:])
	}
	words[3+r.keys], words[4+r.keys] = 0, time.Now().Add(time.Hour).UnixMilli()
	return words
}

// decide makes a decision about each of n phones, so many at a time, in the round that began then, and counts those that are allowed.
func (w *watched) decide(way *way, began time.Time, n, atOnce int) (allowed int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for from := 0; from < n; from += atOnce {
		p, ends := w.client.Pipeline(), []int{}
		for i := from; i < min(from+atOnce, n); i++ {
			way.add(p, i, began)
			ends = append(ends, p.Len())
		}
		answers, err := p.Exec(ctx)
		if err != nil {
			w.t.Fatalf("%s: %v", way.name, err)
		}
		begin := 0
		for _, end := range ends {
			if way.allowed(answers[begin:end]) {
				allowed++
			}
			begin = end
		}
	}
	return allowed
}

// round measures one way on an empty server: so many phones that are allowed everything, and then refused as often.
func (w *watched) round(way *way, phones, atOnce int) (s spent) {
	w.t.Helper()
	w.empty()
	began, free, before := time.Now(), w.usedMemory(), w.usage()
	for range admitted {
		if allowed := w.decide(way, began, phones, atOnce); allowed != phones {
			w.t.Fatalf("%s: %d of %d are allowed", way.name, allowed, phones)
		}
	}
	between := w.usage()
	s.memory = float64(w.usedMemory()-free) / float64(phones)
	after := w.usage()
	for range admitted {
		if allowed := w.decide(way, began, phones, atOnce); allowed != 0 {
			w.t.Fatalf("%s: %d are allowed beyond the limit", way.name, allowed)
		}
	}
	n := float64(admitted * phones)
	s.accepted, s.refused = between.minus(before).per(n), w.usage().minus(after).per(n)
	return s
}

func (u redisUsage) per(n float64) redisUsage {
	return redisUsage{time.Duration(float64(u.CPU) / n), u.Commands / n, u.Reads / n, u.Bytes / n}
}

// TestWays measures what Redis spends on a decision, by each way.
func TestWays(t *testing.T) {
	measuring(t)
	w := startRedis(t)
	all := prepared(t, w)
	phones := max(1, *requests/8)
	for range upTo(*repeats, *briefly) {
		measureWays(os.Stdout, w, all, phones)
	}
	printWays(os.Stdout, all)
}

// prepared has Redis know every script.
func prepared(t testing.TB, w *watched) []*way {
	t.Helper()
	for _, text := range []string{gcraScript, countersScript, lua.Load().Take.Text} {
		if err := w.client.ScriptLoad(context.Background(), text).Err(); err != nil {
			t.Fatal(err)
		}
	}
	return ways(t, w)
}

func measureWays(out io.Writer, w *watched, all []*way, phones int) {
	for _, atOnce := range depths {
		for _, way := range all {
			s := w.round(way, phones, atOnce)
			if way.rounds == nil {
				way.rounds = map[int][]spent{}
			}
			way.rounds[atOnce] = append(way.rounds[atOnce], s)
			name := strings.NewReplacer(" ", "-", ",", "").Replace(way.name)
			fmt.Fprintf(out, "BenchmarkWay/way=%s/a-trip=%d \t%d\t%.1f accepted-us/op\t%.1f refused-us/op\t%.1f redis-cmds/op\t%.0f B-memory\n",
				name, atOnce, admitted*phones, microseconds(s.accepted.CPU), microseconds(s.refused.CPU), s.accepted.Commands, s.memory)
		}
	}
}

// printWays writes the medians, and how many times our own each is.
func printWays(w io.Writer, all []*way) {
	fmt.Fprintf(w, "\n| %-28s | decisions a trip | Redis µs, accepted | of ours | Redis µs, refused | of ours | commands | bytes a phone |\n", "eight rules")
	fmt.Fprintf(w, "|:%s|-----------------:|-------------------:|--------:|------------------:|--------:|---------:|--------------:|\n", dashes(29))
	for _, atOnce := range depths {
		own := all[len(all)-1].medians(atOnce)
		for _, way := range all {
			s := way.medians(atOnce)
			fmt.Fprintf(w, "| %-28s | %16d | %18.1f | %7.2f | %17.1f | %7.2f | %8.1f | %13.0f |\n", way.name, atOnce,
				microseconds(s.accepted.CPU), float64(s.accepted.CPU)/float64(own.accepted.CPU),
				microseconds(s.refused.CPU), float64(s.refused.CPU)/float64(own.refused.CPU), s.accepted.Commands, s.memory)
		}
	}
}

func (way *way) medians(atOnce int) (m spent) {
	var accepted, refused, commands, memory []float64
	for _, s := range way.rounds[atOnce] {
		accepted, refused = append(accepted, float64(s.accepted.CPU)), append(refused, float64(s.refused.CPU))
		commands, memory = append(commands, s.accepted.Commands), append(memory, s.memory)
	}
	m.accepted.CPU, m.refused.CPU = time.Duration(median(accepted)), time.Duration(median(refused))
	m.accepted.Commands, m.memory = median(commands), median(memory)
	return m
}

// Every way lets each phone have what the tightest rule allows, and refuses the next.
func TestAllWaysDecideTheSame(t *testing.T) {
	t.Parallel()
	w := startRedis(t)
	all := prepared(t, w)
	measureWays(io.Discard, w, all, 20)
	printWays(io.Discard, all)
}
