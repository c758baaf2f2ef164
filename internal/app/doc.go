// Package app wires the service: settings in, a running instance out.
//
// # From settings to an instance
//
//	config.Config ─ Check ─ every reason not to start, at once
//	      │
//	     New ─── secrets ─ keyring, index secret        secrets.go
//	      │      stores  ─ memory or Redis              stores.go
//	      │      database ─ SQLite or PostgreSQL        database.go
//	      │      policy, gateways, service, handlers    wire.go, gateways.go
//	      │
//	    Start ── opens stores and database once, listens, and watches all until Stop
//	      │
//	     Run ─── Start, then signals: HUP reads the policy again, TERM and INT drain, a second one forces
//
// An App owns nothing that is global: two of them run side by side in one test, on port 0.
//
// # When Redis is away
//
// At the start, an instance whose Redis does not answer listens all the same: it is not ready, answers
// sends and verifies 503, and tries again in the background until it gets through. What cannot pass (another
// index secret, a missing permission) ends it. Once reached, a Redis that is lost makes the instance
// degraded and no longer unready, since a load balancer that took every instance out at one blip of a Redis
// they share would make an outage of it.
//
// So it is with a PostgreSQL: it is reached once, and its schema brought up to date, before the instance is ready, and one
// that is lost makes it degraded.
//
// # What survives the process
//
// Without Redis, counters and codes are saved in data_dir on a clean stop. The codes' file is removed as it
// is read, so that after a crash no code can be used twice; the counters' file stays, so that a crash gives
// nobody more than an older count. One process at a time uses a data_dir this way; a lock sees to it.
package app
