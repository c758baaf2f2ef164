// Package bench measures the whole service over HTTP beside a floor: the same echo with one handler that
// answers a fixed text of the same size. make bench runs it; docs/performance.md explains what it prints.
//
// Nothing here is part of the service. There is a process for each server, which is this package's test binary
// once more (see TestMain), a private redis-server and a private PostgreSQL, and the test itself, which is the load. So a server's CPU
// time is that process's own, without the load's.
//
// Absolute figures drift with what else the machine does, so each round of a row has a round of the floor
// before it and another after it, and the ratio to their mean is taken first, the median over the rounds last.
package bench
