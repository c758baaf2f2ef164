// Package testserver starts private servers for tests: each on a unix socket in a folder of its own,
// without a port or anything shared, so that a test may freeze it, kill it or read all that it holds.
//
// A machine that lacks the program skips the test; with SMSD_REQUIRE_SERVERS=1, as in continuous
// integration, that is a failure. [Proxy] stands between a client and a server and loses
// or holds up what it is told to; [RedisWithClock] has a wall clock that can be set.
package testserver
