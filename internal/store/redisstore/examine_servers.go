package redisstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// find finds the servers that hold keys.
func (e *examiner) find(ctx context.Context) Checked {
	err := e.servers.refresh(ctx)
	switch {
	case err == nil:
		return fine("found")
	case refusal(err) || adviceFor(err) != "":
		return finding(doLogin, "%s", plainly(e.startFault(e.servers.kind.lookedUp(), err)))
	}
	return e.failure(e.servers.kind.lookedUp(), "", err)
}

// examineEach makes each check of every server, all at once, and puts together what they came to. If one can't be
// reached it ends with that.
func (e *examiner) examineEach(ctx context.Context) (all []Checked) {
	each := e.each()
	for i, c := range each[0].checks() {
		if made := makeOfEach(ctx, each, i); len(made) > 0 {
			all = append(all, together(c.name, made))
		}
		if all[0].State != OK {
			return all
		}
	}
	return all
}

// each returns an examiner of each server that holds keys.
func (e *examiner) each() (each []*examiner) {
	for _, n := range e.servers.layout().primaries {
		own := *e
		own.node = n
		each = append(each, &own)
	}
	return each
}

// made is what a check of one server came to.
type made struct {
	by *examiner
	Checked
}

// makeOfEach makes the check in place i of those servers that it is made of.
func makeOfEach(ctx context.Context, each []*examiner, i int) []made {
	all := make([]made, 0, len(each))
	var work sync.WaitGroup
	for _, e := range each {
		if c := e.checks()[i]; c.here == nil || c.here() {
			all = append(all, made{by: e})
			result := &all[len(all)-1].Checked
			work.Go(func() { *result = e.make(ctx, c) })
		}
	}
	work.Wait()
	return all
}

// together says in one line what a check came to on several servers: what was found, or else what was seen.
func together(name string, all []made) Checked {
	if len(all) == 1 {
		return all[0].Checked
	}
	if name == "keys" {
		if sum := keysOf(all); sum != nil {
			return sum.judged()
		}
	}
	worst := Checked{Check: name, State: Skipped}
	for _, state := range []State{OK, Finding} {
		if slices.ContainsFunc(all, func(m made) bool { return m.State == state }) {
			worst.State = state
		}
	}
	all = slices.DeleteFunc(all, func(m made) bool { return m.State != worst.State })
	worst.Seen = listed(all)
	var do []string
	for _, m := range all {
		if !slices.Contains(do, m.Do) {
			do = append(do, m.Do)
		}
	}
	worst.Do = strings.Join(do, "; ")
	return worst
}

// listed names each server with what was seen of it; what was seen of several stands once.
func listed(all []made) string {
	var seen, places []string
	for _, m := range all {
		at := slices.Index(seen, m.Seen)
		if at < 0 {
			at = len(seen)
			seen, places = append(seen, m.Seen), append(places, "")
		}
		places[at] += ", " + m.by.node.address
	}
	for i, what := range seen {
		seen[i] = fmt.Sprintf("%s: %s", strings.TrimPrefix(places[i], ", "), what)
	}
	return strings.Join(seen, "; ")
}

// keysOf adds up the keys of all servers; nil: they were not counted everywhere.
func keysOf(all []made) *keyCount {
	sum := &keyCount{}
	for _, m := range all {
		own := m.by.counted
		if own == nil {
			return nil
		}
		sum.keys, sum.immortal = sum.keys+own.keys, sum.immortal+own.immortal
		if own.immortal > 0 {
			sum.places = append(sum.places, m.by.node.address)
		}
		if own.early != "" {
			sum.early = own.early
		}
	}
	return sum
}

func (e *examiner) first() bool { return e.node == e.servers.layout().primaries[0] }

func (e *examiner) watched() bool { return e.servers.kind == sentinel }

func (e *examiner) holdsIndex() bool { return e.servers.layout().holder(e.keys.index()) == e.node }
