package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"smsd/internal/throttle"
	"smsd/lua"
)

// State is what a check came to.
type State int

// The states.
const (
	OK      State = iota // as it should be
	Finding              // the operator should change something
	Skipped              // not examined, because of another finding
)

// String returns how people read it in a table.
func (s State) String() string {
	switch s {
	case OK:
		return "ok"
	case Finding:
		return "FINDING"
	}
	return "skipped"
}

// Checked is what one check of [Examine] came to. Nothing in it is secret: no password, no whole key.
type Checked struct {
	Check string // one word
	State State
	Seen  string // what was seen, one line
	Do    string // what to do about it, one line; of findings only
}

// Examine looks at the servers that hold keys as [Open] does, and further, and says everything at once; of several
// servers what is found names the ones it was found of. It takes 10 s at most,
// and about two where the server does not answer. It changes nothing: the permissions are tried by the
// start's own probe, which sets and deletes one key within one step (where DEL is forbidden, that key
// lives for one millisecond). counters says whether the server is to hold counters too, or codes alone.
// Of o, Budget, PoolSize, Registerer and Now do not matter. The error is a faulty URL.
func Examine(ctx context.Context, o Options, counters bool) ([]Checked, error) {
	e, err := newExaminer(o, counters, examinerLimits)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.servers.close() }()
	return e.examine(ctx), nil
}

// limits bound an examination.
type limits struct {
	step  time.Duration // for one check but that of the keys
	scan  time.Duration // for that of the keys; the call under way when it ends may take a step more
	total time.Duration
	keys  int // that are looked at
}

// Somebody waits for it. A million keys take about three seconds on one core of 2020.
var examinerLimits = limits{step: 2 * time.Second, scan: 3 * time.Second, total: 10 * time.Second, keys: 1_000_000}

// examiner examines the servers that a URL points at, each by an examiner of its own, or one server.
type examiner struct {
	*Client
	node     *node // the one that is examined; nil: all of them
	limits   limits
	counters bool
	local    func() time.Time // this machine's clock
	hidden   []string         // never printed

	// What the checks so far have seen.
	info    string    // INFO's text, or ""
	lost    bool      // the server has stopped answering
	counted *keyCount // nil: the keys were not counted
}

func newExaminer(o Options, counters bool, l limits) (*examiner, error) {
	logging.Disable() // see Open
	o.Budget, o.PoolSize = l.step, 1
	o = o.withDefaults()
	servers, err := newServers(o)
	if err != nil {
		return nil, err
	}
	c := &Client{
		servers: servers, scripts: lua.Load(), keys: newKeyspace(o.Prefix),
		metrics: &metrics{}, budget: l.step, indexCheck: o.IndexCheck,
	}
	return &examiner{Client: c, limits: l, counters: counters, local: time.Now, hidden: servers.hidden}, nil
}

// check is one look at the server.
type check struct {
	name    string
	run     func(context.Context) Checked
	time    time.Duration
	hinders func() string // why it can't be made; "" if it can
	here    func() bool   // whether it is made of this server; nil: of each
}

func (e *examiner) checks() []check {
	step := e.limits.step
	return []check{
		{"reach", e.reach, step, e.never, nil},
		{"version", e.version, step, e.never, nil},
		{"role", e.role, step, e.withoutInfo, nil},
		{"cluster", e.cluster, step, e.withoutInfo, e.first},
		{"sentinels", e.sentinels, step, e.never, e.watched},
		{"eviction", e.eviction, step, e.withoutInfo, nil},
		{"persistence", e.persistence, step, e.withoutInfo, nil},
		{"clock", e.skew, step, e.never, nil},
		{"keys", e.immortal, e.limits.scan + step, e.never, nil},
		{"index", e.index, step, e.onCluster, e.holdsIndex},
		{"permissions", e.permissions, step, e.onReplica, nil},
	}
}

func (e *examiner) examine(ctx context.Context) []Checked {
	ctx, cancel := context.WithTimeout(ctx, e.limits.total)
	defer cancel()
	var all []Checked
	if found := e.make(ctx, check{"reach", e.find, e.limits.step, e.never, nil}); found.State != OK {
		all = []Checked{found}
	} else {
		all = e.examineEach(ctx)
	}
	if len(all) == 1 {
		all = append(all, Checked{Check: "others", State: Skipped, Seen: "they need servers that answer"})
	}
	return all
}

// make makes one check, unless something hinders it.
func (e *examiner) make(ctx context.Context, c check) Checked {
	ctx, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	made := Checked{State: Skipped, Seen: e.hindrance(c)}
	if made.Seen == "" {
		made = c.run(ctx)
	}
	made.Check, made.Seen = c.name, e.printable(made.Seen)
	return made
}

func (e *examiner) hindrance(c check) string {
	if e.lost {
		return "the server has stopped answering"
	}
	return c.hinders()
}

func (e *examiner) never() string { return "" }

func (e *examiner) withoutInfo() string {
	if e.info == "" {
		return "it needs INFO"
	}
	return ""
}

func (e *examiner) onCluster() string {
	if e.clustered() && e.servers.kind != cluster {
		return "the key may be on another server of the cluster"
	}
	return ""
}

func (e *examiner) onReplica() string {
	if e.replica() {
		return "a replica takes no writes"
	}
	return e.onCluster()
}

func fine(format string, args ...any) Checked {
	return Checked{State: OK, Seen: fmt.Sprintf(format, args...)}
}

func finding(do, format string, args ...any) Checked {
	return Checked{State: Finding, Seen: fmt.Sprintf(format, args...), Do: do}
}

// failure is a check whose call failed: refused by the server, for which permit says what to do, or not
// answered, after which nothing else is asked.
func (e *examiner) failure(command, permit string, err error) Checked {
	if refusal(err) {
		return finding(permit, "%s is refused: %s", command, plainly(err))
	}
	e.lost = true
	if silent, ok := errors.AsType[net.Error](err); ok && silent.Timeout() { // a context's deadline is one too
		return finding(doReach, "no answer to %s within %s", command, e.limits.step)
	}
	return finding(doReach, "no answer to %s: %s", command, plainly(err))
}

// plainly is err's text without what says only that it is one of a store.
func plainly(err error) string {
	text := strings.TrimPrefix(err.Error(), throttle.ErrUnavailable.Error()+": ")
	return strings.TrimPrefix(text, "redis: ")
}

const doReach = "check that the server runs, the way to it, and host, port and TLS in the URL"

// refusal reports whether the server has answered, with an error.
func refusal(err error) bool {
	_, answered := errors.AsType[redis.Error](err)
	_, inScript := errors.AsType[redisError](err)
	return answered || inScript || errors.Is(err, errReply)
}
