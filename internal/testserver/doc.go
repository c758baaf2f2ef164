// Package testserver starts private servers for tests: each on a unix socket in a folder of its own,
// without anything shared, so that a test may freeze it, kill it or read all that it holds.
//
// A machine that lacks the program skips the test; with SMSD_REQUIRE_SERVERS=1, as in continuous
// integration, that is a failure. SMSD_TEST_REDIS_SERVER names a program to be started in the place of redis-server, as
// /usr/bin/valkey-server.
//
// [Postgres] has its programs where Debian and Homebrew put them, and runs as another user where the test runs as root. A
// server takes a second or two to make; [PostgresServer.Database] gives each test of a package a database of its own in it.
//
// Servers that find each other by their address, as [RedisCluster] and [RedisSentinel], have a port of the loopback
// address beside their socket, and so has one that speaks TLS ([Authority]). [Proxy] stands between a client and a server and loses
// or holds up what it is told to; [RedisWithClock] has a wall clock that can be set.
package testserver
