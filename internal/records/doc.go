// Package records keeps what was accepted and what was decided: a row for each verification, and a log of every
// attempt for fraud teams. It knows nothing of how a message is sent.
//
// A [Store] is the driver below, in SQLite or PostgreSQL. Nothing in it is a person's in clear: whom a row is about
// is a keyed hash, beside which the number is sealed, so that it can be shown masked and given to its owner. [Keys]
// make both.
//
// # Writing
//
// A [Book] writes. A send asks [Book.Ready] before anything is charged, hands its row over with [Book.Accept] while
// the message goes to its gateway, and answers when [Pending.Wait] says that the row is on disk. [Book.Change] is what
// became known later. [Book.Decide] logs an attempt, and never waits.
//
//	pending := book.Accept(row)
//	accepted, err := gateway.Send(ctx, message)
//	err = pending.Wait(ctx) // ErrUnavailable: nobody can tell that the row is kept
//
// Rows go together: the first after a quiet time leaves at once, those that come meanwhile are the next batch, up to 500
// of them, begun no sooner than 2 ms after the last. One batch is under way at a time, which keeps the order: of
// one instance a change is never before its row. One that is, since another instance has the row in its spool, waits in the
// store until the row comes. Each batch has a number, by which the store has it once, however often the call is made.
//
// # What is told later
//
// A row keeps instants and sums, not a state, and a [Change] adds to them: in whatever order changes are told, they lead to
// the same row. What receipts tell may be told twice as well; what a message costs by our prices is told once for each, and
// added up. What the carrier says that one costs is a [Bill]: it stands beside that cost, and is shown in its place unless the
// verification had several messages.
//
// For a carrier whose receipts name a message by its own id alone there is a [Handle], the message by that name. The send
// says whose it is, receipts what became of it, and whichever comes second has the row changed. [Owners] tells whose
// messages are. What is nobody's is kept for a few hours, since its owner may be told later ([UnclaimedKept]).
//
// # The database away
//
// A batch that the database does not take in time goes to the spool, a bounded row of files, and so does all that comes
// until the spool has been replayed: in order, and once. What an earlier run left is replayed first. A row that is in the
// spool counts as kept, since it is as much on disk as one in the database. With [Refuse] nothing goes there: nothing is
// accepted while the database is away.
//
// A row that the database refuses for what is in it ([ErrContent]) would hold up all behind it for ever. So it is set aside, in files as
// the spool's, and counts as kept; the next run tries it again. It is kept there for as long as in the database ([Book.Forget]).
// A database that refuses everything is away, once there is no room aside.
//
// No caller waits longer than [MaxWait] in any of this, and memory is bounded: at most 32,768 rows wait.
//
// # Decisions in a flood
//
// Whatever costs money has a row of its own. What clients can cause at will is folded, see [Book.Decide]: 40,000 refusals
// a second from ever new numbers and addresses are 55 rows a second in the long run, counts included.
package records
