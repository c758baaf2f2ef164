package redisstore

import (
	"context"
	"time"
)

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
	defer func() { _ = e.Close() }()
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
	o.Budget, o.PoolSize, o.Now = l.step, 1, nil
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	return &examiner{Client: c, limits: l, counters: counters, local: time.Now, hidden: c.servers.hidden}, nil
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
