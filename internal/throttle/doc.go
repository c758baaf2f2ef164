// Package throttle answers one question: may this event happen? It knows nothing of messages.
//
// # The model
//
// A [Rule] allows at most Limit events in a Window for each subject: for each phone, each phone and
// network, each scene of a phone, or over all. [Compile] turns a policy's rules into a [RuleSet]; a
// [Limiter] asks all of them about a [Request] in one step of its [Store], and charges all of them or none:
//
//	res, err := limiter.Reserve(ctx, throttle.Request{Rules: rules, Event: throttle.Send, Scene: "login", Subjects: subjects})
//	// *Denied: refused, nothing was charged. ErrUnavailable: nobody can tell, nothing was charged.
//	if notSent {
//		err = res.Refund(ctx)
//	}
//
// Three events are counted: a Send, a Verify, and a Guess, a verify whose code was wrong. A Guess is
// counted by [Limiter.Charge] after it happened; rules on guesses refuse later sends, and never a verify:
// so nobody can end the life of another's code.
//
// # Two ways of counting
//
// A Log keeps the instant of every event. It is exact: at most Limit events in any interval as long as
// the window, and the retry-after is right to the millisecond. A Counter keeps two numbers, the count of the current
// bucket and that of the previous one, which it weighs by how much of it still lies in the window. It
// takes no more memory for a limit of a million than for one of ten, assumes that events came evenly, and lets
// at most 2·Limit-1 through in the worst window. Auto takes a Log up to [MaxAutoLog], where each event matters,
// and a Counter above.
//
// A phone's log, with a limit of 2 in 60 s, and a counter of the same numbers:
//
//	 s | event   | log               | counter: current, previous·weight     | answer
//	---+---------+-------------------+---------------------------------------+------------------------
//	 0 | send    | 0                 | 1                                     | allowed
//	20 | send    | 0 20              | 2                                     | allowed
//	30 | send    | 0 20              | 2                                     | log: retry after 30 s, when 0 leaves the window
//	   |         |                   |                                       | counter: after 60 s, when 2·(60-w)/60 <= 1
//	60 | send    | 20 60             | 0 + 2·60/60 = 2                       | log: allowed
//	80 | send    | 60 80             | 0 + 2·40/60 = 1.3                     | log: allowed, as 20 has left
//	90 | send    | 60 80             | 1 + 2·30/60 = 2                       | counter: allowed
//
// The example of [Limiter.Reserve] runs the log's column.
//
// # What a rule's change does
//
// Logs hold raw instants, and a counter's record belongs to the rule's name, not to its numbers: another limit or
// window applies at once to what was counted before. Raising a limit frees, lowering it holds, a shorter
// window leaves nobody waiting longer than the new one, and a rule that changes its algorithm takes over what the other one
// knows.
//
// # Keys
//
// A store sees no subject: a [Key] is a keyed hash, made with the index secret. Rules that count by the same kinds
// share a key, and a phone's scenes are marks on the entries of the phone's key. Rules in [Shadow] mode have keys of
// their own, so that they can't touch an enforced count.
//
// # In front of the store
//
// Two layers refuse in this process, before any I/O. The deny cache ([Options].DenyClock) repeats what the store
// refused, or said that it would refuse next, for two seconds at most: it never allows, never fails, holds nothing of
// rules in [Shadow] mode, and drops what rests on a key that was given back, on a reset subject, or on another policy
// version. [Local] refuses floods: for each client address, then for the process.
//
// A refusal's wait is true only if it is the longest of all layers'. So who stands before them asks in this order,
// and tells the longer one where a layer refuses:
//
//	p, err := limiter.Prepare(request)
//	err = p.Denied()              // else, with the wait of local.Ask
//	err = local.Allow(event, ip)  // else, with the wait of p.Known, which remembers whole deadlines
//	res, err := p.Reserve(ctx)    // else, with the wait of local.Ask
//
// A repeated refusal takes no token of its address, since it costs nobody a trip; one that the store has to make does.
// What another process has charged or given back is seen two seconds later at the latest; where [Local] refuses, the
// wait tells what this process knows.
package throttle
