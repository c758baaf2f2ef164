// Package redisstore keeps counters and codes in Redis or Valkey: [Client.Counters] is a
// [throttle.Store], [Client.Codes] a [sms.Codes].
//
// # One trip, one step
//
// Each call is one EVALSHA of a script in package lua. Redis runs scripts one at a time, so each is one
// atomic step; what it takes and what it answers stands at its head.
//
// A send charges and stores a code. Where one server has both, [Client.CountersBesideCodes] does both in one
// call: the code goes along as the errand of the charge ([sms.PutErrand]). A refusal, a call that came late and a server that is
// full leave neither. So it does with a verify that rules count ([sms.VerifyErrand]).
//
// Calls that come while others are on the wire share the next trip, see dispatcher. A server that does not answer is
// not asked for a moment: its calls fail at once, see breaker.
//
// # Keys
//
//	smsd:1:{tag}:name    one counted subject; the tag is a keyed hash, so it names nobody
//	smsd:1:c:{sms_id}    one verification
//	smsd:1:index         the check value of the index secret
//	smsd:1:resets        the number of the latest reset, and a channel that tells of resets
//
// "smsd" is [Options.Prefix], 1 the version of the layout. What stands in braces decides the slot in a
// cluster. Every key has a time to live, set by the command that writes it; no answer depends on a key
// having expired.
//
// # Several servers
//
// A call goes to the primary that holds its first key: the one server, the one that the sentinels name, or the one that
// serves the key's slot (topology). Each server has connections and a clock of its own (node). What an answer says of a
// slot that has moved or is moving is heeded at once (route), and then everything is looked at again.
//
// A script reaches one slot, so in a cluster the groups of a [throttle.Take] are asked tag by tag, all at once; if one
// tag refuses or fails, what the others have granted is given back (counters_parts.go). While a slot moves, its keys are
// asked one by one where they lie on two servers. A code has a slot of its own.
//
// # Late is never
//
// A call that nobody waits for any more must not happen: a server that hung for a minute would else
// charge, or use a code up, long after its caller was told 503. So every changing call carries the instant,
// on the server's clock, at which its caller gives up, and past it the script changes nothing. The
// client knows the server's clock from the replies (see serverClock), to within one round trip and on the safe side.
// The promise holds as far as that clock runs: if somebody sets it back by d between two replies, a
// late call may happen up to d late; and in a virtual machine that was suspended together with its clock
// the time away does not count. A clock set forward costs one more trip at most.
//
// # Exactly once enough
//
// Nothing is sent again but what surely was not executed: a script that the server did not know
// (NOSCRIPT), a call that the script itself called late while its caller still waits, and, where there are several
// servers, what one of them has refused to execute (see route) or could not be sent at all. go-redis's own
// retries are off: they repeat calls whose reply was lost. A call that fails otherwise may have been
// executed or not; its error unwraps to [throttle.ErrUnavailable] or [sms.ErrUnavailable].
//
// # Timers and memory
//
// A timer and the memory of a call once cost its client more than its part of a shared trip. So no call has a timer: its
// context only states its deadline ([ending], or the [smsd/internal/deadline] of the domain), and one timer of each dispatcher goes off
// for whoever gives up first (dispatcher_ends.go). What waits by itself, for a look at the servers or before another try,
// makes its context one that tells of its deadline ([timed]).
//
// What a call has used is used again: its arguments (request) and its place in the queue (queued). That holds for calls that
// ended well alone, since after an error go-redis, or a lane, may still read them.
//
// # What others have reset
//
// Processes remember refusals, and a reset by one of them must end what the others remember. So a reset publishes its tags,
// which name nobody, and raises a number. Who listens hears of it at once; and since messages get lost, while a
// connection is made anew or for want of the permission, each reads the number twice a second as well. Each message
// says which number it follows on: where one was missed, everything remembered is dropped.
package redisstore
