// Package sqlstore keeps records, API keys, the answers of idempotent requests and consumed tokens in SQL: in one file of
// SQLite, or in PostgreSQL.
//
// [New] checks the options and touches nothing; [DB.Open] reaches the database, brings its schema up to date, and may be
// called again until it succeeds. Until then every call is [ErrUnavailable]. [DB.Records], [DB.Keys], [DB.Idempotency] and
// [DB.Proofs] are the drivers of those packages, over the same connections.
//
// # One text for both
//
// Statements are written once, with ? for a value; [dialect] has the few things in which the two differ. A row is
// described once too, as a list of fields: the same list writes it, alone or many at once, and reads it.
// Instants are milliseconds since 1970 in UTC, and NULL is never; hashes are bytes.
//
// # What a batch costs
//
// A batch is one transaction. Its statements take many rows each, and have few texts (see [writing]), so that they are compiled
// once: by pgx for each connection, in SQLite by [prepared]. What became of a verification goes into its own row where the batch has both: see [fold]. To PostgreSQL it is one trip, but for
// a batch with handles. Most of what is left are the pages of indexes that it touches, of which those over random values are one
// for each row: so an id that need not be random should grow with time. BenchmarkSend tells.
//
// # What is promised
//
// What a call wrote is on disk before it returns: SQLite runs with a write-ahead log and synchronous=FULL, PostgreSQL
// as it is set up (synchronous_commit). A call that failed left nothing, unless nobody can tell, and then it may be
// made again. Every call is bounded by its context and by [callTimeout].
//
// # SQLite
//
// One connection writes, since the file takes one writer at a time, and a few read. What is erased is overwritten
// (secure_delete), and the log emptied. In PostgreSQL old rows stay on the disk until a vacuum, and in its own logs as long as
// those are kept. The file and its companions are for their owner alone (0600).
//
// # Errors
//
// An error names what failed and, of PostgreSQL, the SQLSTATE. It never holds a value of a row, nor the password of
// the URL, and it does not unwrap to the driver's, which may.
package sqlstore
