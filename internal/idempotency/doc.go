// Package idempotency lets a client repeat a request whose answer was lost: under one Idempotency-Key a request is
// executed once, and repetitions get the first answer (draft-ietf-httpapi-idempotency-key-header-06).
//
// [Ledger.Do] executes a [Request], or answers what is known of it. The order of things is what makes it true:
//
//	1  the gate: may this client ask at all?            no I/O, takes nothing
//	2  is a twin running in this process?               no I/O
//	3  is there an entry?                               one read; without the store the request ends here, uncharged
//	4  run: limits, a charge, a code                    a request that is refused has written nothing
//	5  Turn.Begin: the entry is on disk                 before anything leaves; of several twins one succeeds
//	6  run goes on: the message leaves, the code is used
//	7  the answer is sealed and stored; or, if surely nothing was done, the entry is forgotten
//
// So whatever ends a process, and wherever, there are two cases. Before step 5 nothing has happened, and a repetition is
// a new attempt. After it there is an entry, and no repetition ever runs again: it gets the answer, or, if nobody lived
// to store one, what [Request].Rebuild can still tell, and if that is nothing, [ErrOutcomeUnknown].
//
// Twins on two instances may both be charged before one of them begins: the other one's Begin is refused, its charge
// is undone, and it answers like one that came later. A twin that was refused because of the other's charge looks
// again before it says so.
//
// What is stored holds no key, no number and no code: ids and contents are keyed hashes under the index secret, which
// does not rotate, and answers are sealed with the newest secret.
package idempotency
