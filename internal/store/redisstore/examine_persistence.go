package redisstore

import (
	"context"
	"strings"
)

// What to do about counters that are on no disk.
const doPersist = "set appendonly yes (with appendfsync everysec), so that a restart of the server lifts no limit"

// persistence finds out what a restart of the server would cost.
func (e *examiner) persistence(ctx context.Context) Checked {
	log := e.field("aof_enabled") == "1"
	if fault := e.failedWrite(log); fault != "" {
		return finding("look at the server's log and disk: until a write succeeds it may refuse smsd's",
			"the last write of the %s has failed", fault)
	}
	if log {
		return fine("append-only file (AOF)")
	}
	saves, err := e.node.redis.ConfigGet(ctx, "save").Result()
	switch {
	case err != nil && !refusal(err):
		return e.failure("CONFIG GET", "", err)
	case saves["save"] != "" || err != nil && e.field("rdb_saves") > "0":
		return fine("snapshots (RDB) without an append-only file: a crash loses what was counted since the last one")
	case err != nil:
		return e.unknownSnapshots()
	}
	return e.unpersisted("neither append-only file (AOF) nor snapshots (RDB)")
}

// unknownSnapshots is for providers that forbid CONFIG.
func (e *examiner) unknownSnapshots() Checked {
	seen := e.unpersisted("no append-only file (AOF), and none can see whether snapshots (RDB) are made, since CONFIG GET is refused")
	if seen.State == Finding {
		seen.Do += "; or permit +config|get to this user, to see"
	}
	return seen
}

// unpersisted is a finding where counters are. Codes live for minutes, and people ask for another one.
func (e *examiner) unpersisted(seen string) Checked {
	if e.counters {
		return finding(doPersist, "%s: a restart lifts every limit", seen)
	}
	return fine("%s: a restart loses the codes that are out, and no counter", seen)
}

// failedWrite names what could not be written last, if anything.
func (e *examiner) failedWrite(log bool) string {
	failed := func(field string) bool { s := e.field(field); return s != "" && !strings.EqualFold(s, "ok") }
	switch {
	case log && failed("aof_last_write_status"):
		return "append-only file"
	case failed("rdb_last_bgsave_status"):
		return "snapshot"
	}
	return ""
}
