package redisstore

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"smsd/internal/throttle"
)

// leastVersion is the oldest major version that the scripts are written for.
const leastVersion = 7

// reach asks what every connection begins with, and the clock.
func (e *examiner) reach(ctx context.Context) Checked {
	err := e.node.readClock(ctx)
	switch {
	case err == nil:
		o := e.node.redis.Options()
		if e.servers.kind == cluster {
			return fine("it answers") // listed with its address
		}
		return fine("answers at %s, database %d", o.Addr, o.DB)
	case refusal(err) || adviceFor(err) != "":
		return finding(doLogin, "%s", plainly(e.startFault("TIME", err)))
	}
	return e.failure("TIME", "", err)
}

const doLogin = "change the URL, the ACL of the user, or the certificates"

// version reads INFO, for itself and the checks behind it.
func (e *examiner) version(ctx context.Context) Checked {
	info, err := e.node.redis.Info(ctx).Result()
	if err != nil {
		return e.failure("INFO", "permit it to this user (+info)", err)
	}
	return e.versioned(info)
}

func (e *examiner) versioned(info string) Checked {
	e.info = info
	version := e.field("redis_version")
	major, _, _ := strings.Cut(version, ".")
	name := e.product(version)
	if n, err := strconv.Atoi(major); err != nil || n < leastVersion {
		return finding("use Redis 7 or later", "%s; smsd is made for 7 and later", name)
	}
	return fine("%s", name)
}

func (e *examiner) product(version string) string {
	if valkey := e.field("valkey_version"); valkey != "" {
		return "Valkey " + valkey + ", which speaks as Redis " + version
	}
	if version == "" {
		return "a server that does not say its version"
	}
	return "Redis " + version
}

func (e *examiner) field(name string) string { return infoField(e.info, name) }

func (e *examiner) replica() bool { return e.field("role") == "slave" }

func (e *examiner) role(context.Context) Checked {
	if e.replica() {
		return finding("give the URL of the primary", "a replica: it refuses every write (READONLY)")
	}
	if e.field("role") != "master" {
		return finding("see that it is a primary", "the server does not say whether it is a primary")
	}
	replicas := e.field("connected_slaves")
	if e.servers.kind != one && replicas == "0" {
		return finding("add a replica, which takes its place when it dies", "a primary without a replica")
	}
	return fine("a primary, %s connected", plural(replicas, "replica"))
}

func plural(n, noun string) string {
	if n == "1" {
		return n + " " + noun
	}
	return n + " " + noun + "s"
}

func (e *examiner) clustered() bool { return e.field("cluster_enabled") == "1" }

func (e *examiner) eviction(context.Context) Checked {
	limit := "at most " + e.field("maxmemory_human")
	if e.field("maxmemory") == "0" {
		limit = "without a maxmemory"
	}
	policy := e.field("maxmemory_policy")
	if policy == "" {
		return finding("see that its maxmemory-policy is noeviction", "the server does not say its maxmemory-policy")
	}
	if policy != "noeviction" {
		return finding("set it to noeviction (in redis.conf, or at your provider)",
			"maxmemory-policy is %s: a full server drops counters and codes", policy)
	}
	return fine("noeviction; %s in use, %s", e.field("used_memory_human"), limit)
}

// index compares the check value of the index secret, and unlike the start sets none.
func (e *examiner) index(ctx context.Context) Checked {
	held, err := e.node.redis.MGet(ctx, e.keys.index()).Result()
	if err == nil && len(held) != 1 {
		err = errReply
	}
	switch {
	case err != nil:
		return e.failure("MGET", "permit it and smsd's keys to this user (~"+string(e.keys)+"* +mget)", err)
	case held[0] == nil:
		return fine("none was used here yet")
	case held[0] == string(e.indexCheck) && len(e.indexCheck) > 0:
		return fine("the one that the counters here are made with")
	}
	return finding("look at index_secret (SMSD_INDEX_SECRET), or at the oldest secret, from which it is derived; or use another redis.prefix",
		"the counters here are made with another index secret")
}

// permissions tries what every start tries.
func (e *examiner) permissions(ctx context.Context) Checked {
	err := e.checkCommands(ctx, e.servers.layout(), e.node)
	switch {
	case err == nil:
		return fine("smsd may run its scripts and every command in them")
	case !refusal(err):
		return e.failure("EVAL", "", err)
	case errors.Is(err, throttle.ErrUnavailable):
		return finding("see what the server says", "a script of smsd fails: %s", plainly(err))
	}
	return finding("change the ACL of the user", "%s", plainly(err))
}
