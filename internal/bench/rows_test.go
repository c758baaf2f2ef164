package bench

import (
	"regexp"
	"slices"
	"testing"
)

// row is one line of the table.
type row struct {
	name     string // for benchstat; store, policy and event, where they say something
	on       *service
	requests func(n int) []request
	rounds   []figures
}

// rig is all that is measured.
type rig struct {
	floor       *service
	floorRounds []figures
	redis       *watched
	rows        []*row
}

// newRig starts every server. A refusal stands behind the sends that it refuses to repeat.
func newRig(t testing.TB) *rig {
	t.Helper()
	r := startRedis(t)
	seven, whole := policyFile(t, sevenRules), policyFile(t, builtInUnbound(t))
	embedded, embeddedWhole := inOne(t, seven), inOne(t, whole)
	remote, remoteWhole := onRedis(t, r, "seven", seven), onRedis(t, r, "whole", whole)
	busy := onRedis(t, r, "busy", append(exhausted("SMSD_LOCAL_"), seven)...)
	crowded := onRedis(t, r, "crowded", append(exhausted("SMSD_LOCAL_IP_"), seven)...)
	busy.do(busy.sends(1))
	crowded.do(crowded.sends(1))
	floor := &service{instance: start(t, roleFloor)}
	warm(floor, embedded, embeddedWhole, remote, remoteWhole)
	return &rig{floor: floor, redis: r, rows: []*row{
		{name: "floor=decode", on: floor, requests: floor.decoded},
		{name: "store=process/policy=seven/send", on: embedded, requests: embedded.sends},
		{name: "store=process/policy=seven/refused=cooldown", on: embedded, requests: embedded.again},
		{name: "store=process/policy=seven/verify", on: embedded, requests: embedded.verifies},
		{name: "store=process/policy=seven/mix", on: embedded, requests: embedded.mix},
		{name: "store=process/policy=builtin/send", on: embeddedWhole, requests: embeddedWhole.sends},
		{name: "store=redis/policy=seven/send", on: remote, requests: remote.sends},
		{name: "store=redis/policy=seven/refused=cooldown", on: remote, requests: remote.again},
		{name: "store=redis/policy=seven/refused=again", on: remote, requests: remote.hammered},
		{name: "store=redis/policy=seven/refused=block", on: remote, requests: remote.blocked},
		{name: "store=redis/policy=seven/verify", on: remote, requests: remote.verifies},
		{name: "store=redis/policy=seven/verify=wrong", on: remote, requests: remote.guesses},
		{name: "store=redis/policy=seven/mix", on: remote, requests: remote.mix},
		{name: "store=redis/policy=builtin/send", on: remoteWhole, requests: remoteWhole.sends},
		{name: "store=redis/policy=seven/refused=address", on: crowded, requests: crowded.flood},
		{name: "store=redis/policy=seven/refused=process", on: busy, requests: busy.overrun},
	}}
}

// inOne starts an instance with its stores in the process, and its records in SQLite.
func inOne(t testing.TB, settings ...string) *service {
	t.Helper()
	return &service{instance: start(t, roleSMSD, append(common(t), settings...)...), recorded: true}
}

// onRedis starts an instance on Redis, with its records in SQLite, where the settings say nothing else.
func onRedis(t testing.TB, r *watched, prefix string, settings ...string) *service {
	t.Helper()
	s := inOne(t, append(production(r.url, prefix), settings...)...)
	s.redis = servers{r}
	return s
}

// keep drops the rows whose names do not match.
func (r *rig) keep(name *regexp.Regexp) {
	r.rows = slices.DeleteFunc(r.rows, func(row *row) bool { return !name.MatchString(row.name) })
}

// warm has each service do what it does once in its life: the plans of numbers and the scripts are compiled.
func warm(services ...*service) {
	for _, s := range services {
		s.do(s.sends(4 * connections))
	}
}

// round measures each row once, with n requests, and the floor before and after each.
func (r *rig) round(n int) error {
	before, err := r.floorRound(n)
	for _, row := range r.rows {
		if err != nil {
			return err
		}
		requests := row.requests(n)
		var f, after figures
		if f, err = measure(row.on, requests); err != nil {
			return err
		}
		if after, err = r.floorRound(n); err != nil {
			return err
		}
		f.OfFloor = 2 * f.Rate / (before.Rate + after.Rate)
		row.rounds, before = append(row.rounds, f), after
	}
	return err
}

// floorRound sends the floor what a service is sent, twice as much of it: it is several times as fast, and on a
// busy machine a short burst finds a free core more easily than a long one.
func (r *rig) floorRound(n int) (figures, error) {
	f, err := measure(r.floor, r.floor.sends(2*n))
	f.OfFloor = 1
	r.floorRounds = append(r.floorRounds, f)
	return f, err
}
