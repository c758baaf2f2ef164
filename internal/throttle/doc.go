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
// # Four ways of counting
//
// A Log keeps the instant of every event. It is exact: at most Limit events in any interval as long as
// the window, and the retry-after is right to the millisecond. A Counter keeps two numbers, the count of the current
// bucket and that of the previous one, which it weighs by how much of it still lies in the window. It
// takes no more memory for a limit of a million than for one of ten, assumes that events came evenly, and lets
// at most 2·Limit-1 through in the worst window. A Bucket keeps a level: each event adds one, Limit leak away in each window,
// evenly, and it takes no more than Burst; so at most Burst+Limit-1 pass in the worst window. It is a level and never the instant at
// which it will be empty, so that a raised limit frees at once. A Fixed keeps one number for one window, which begins with the
// first event and not at a full hour: so at most 2·Limit-1 pass in the worst window, and not 2·Limit. Auto takes a Log up to
// [MaxAutoLog], where each event matters, and a Counter above.
//
// A phone's log, with a limit of 2 in 60 s; a counter and a fixed window of the same numbers, and a bucket of them,
// whose Burst is so 2 and which leaks one event in 30 s:
//
//	 s | event   | log               | counter: current, previous·weight     | fixed         | bucket
//	---+---------+-------------------+---------------------------------------+---------------+---------------
//	 0 | send    | 0                 | 1                                     | 1, until 60 s | 1
//	20 | send    | 0 20              | 2                                     | 2             | 1 - 20/30 + 1 = 1.33
//	30 | send    | refuses for 30 s: | refuses for 60 s:                     | refuses for   | 1.33 - 10/30 + 1 = 2
//	   |         | 0 leaves at 60 s  | 2·(60-w)/60 <= 1 at 90 s              | 30 s          |
//	40 | send    | refuses for 20 s  | refuses for 50 s                      | refuses for   | 2 - 10/30 = 1.67: refuses for
//	   |         |                   |                                       | 20 s          | 20 s, until 1 is left
//	60 | send    | 20 60             | 0 + 2·60/60 = 2: refuses for 30 s     | 1, until 120 s| 1.67 - 20/30 + 1 = 2
//	80 | send    | 60 80             | 0 + 2·40/60 = 1.33: refuses for 10 s  | 2             | 2 - 20/30 = 1.33: refuses for 10 s
//	90 | send    | refuses for 30 s  | 1 + 2·30/60 = 2                       | refuses for   | 1.33 - 10/30 + 1 = 2
//	   |         |                   |                                       | 30 s          |
//
// The example of [Limiter.Reserve] runs the log's column, and a test of this package all four.
//
// # What a rule's change does
//
// Logs hold raw instants, and any other record belongs to the rule's name, not to its numbers: another limit, window
// or burst applies at once to what was counted before. Raising a limit frees, lowering it holds, a shorter
// window leaves nobody waiting longer than the new rule can make anyone wait, and a rule that changes its algorithm takes over
// what the other one knows. [Store] says how, for each pair. So does a rule that goes from [Shadow] to [Enforce]: who is over
// the limit is refused at once. The other way a Log counts anew, since what it enforced is not all that it will see.
//
// # Keys
//
// A store sees no subject: a [Key] is a keyed hash, made with the index secret. Rules that count by the same kinds
// share a key, and a phone's scenes are marks on the entries of the phone's key. Rules in [Shadow] mode
// share it too, but the events that they count stand apart, so that they can't touch an enforced count.
//
// # Errands
//
// What the caller does next if the event is allowed, a store may do for it in the step of the charge, where it shares
// the place: [Prepared.Carry] sends it along, and [Reservation.ErrandDone] tells. This package never looks inside. An
// errand may come to something that costs nothing: then the event is allowed, and not charged.
//
// # In front of the store
//
// Three layers refuse in this process, before any I/O. The deny cache ([Options].DenyClock) repeats what the store
// refused, or said that it would refuse next, for two seconds at most: it never allows, never fails, holds nothing of
// rules in [Shadow] mode, and drops what rests on a key that was given back, on a reset subject, or on another policy
// version. The block refuses an address or a device that was refused five times within ten seconds: the next part is
// about it. [Local] refuses floods: for each client address, then for the process.
//
// A refusal's wait is true only if it is the longest of all layers'. So who stands before them asks in this order,
// and tells the longer one where a layer refuses:
//
//	p, err := limiter.Prepare(request)
//	err = p.Denied()              // the block, then the deny cache; else, with the wait of local.Ask
//	err = local.Allow(event, ip)  // else, with the wait of p.Known, which remembers whole deadlines
//	res, err := p.Reserve(ctx)    // else, with the wait of local.Ask
//
// A repeated refusal takes no token of its address, since it costs nobody a trip; one that the store has to make does.
// What another process has charged or given back is seen two seconds later at the latest, what it has reset within one, if
// the store is a [Herald]; where [Local] refuses, the
// wait tells what this process knows.
//
// # The local block
//
// Who tries one number after another is refused by the rules on its address, each time by the store, since the deny
// cache knows whole requests only. So an address (an IPv4 one, an IPv6 /64) or a device that was refused five times within
// ten seconds is refused here for [Request].Block, whatever it asks for.
//
// An address is refused where a rule refuses that counts it: by: [ip], or [ip, scene]. A rule by phone refuses
// a number, from wherever it is asked for: a hundred people behind one address, each pressing "send again" during the own
// cooldown, never block it, nor can one of them do it to the others. So a block begins only where the rules refuse the
// address anyway, whoever asks. For the same reason a rule by [phone, ip], [ip, prefix], [ip, country], [ip, device] or ip_net blocks nobody. A phone is never blocked: its owner is not who
// floods it. It counts who refuses, so the store and the deny cache alike, and rules on guesses too, but not [Local],
// whose refusals cost no trip. Sends alone are counted and refused: a code that is out can be verified.
//
// The fifth refusal already tells the block's wait. What is refused by a block is counted nowhere and does not prolong it:
// its end is what the fifth was told, and one who hammers can't hold it up for all who share the address. After
// it the store decides again, and five more refusals make another one. A refund or a reset of the address ends the block, as it
// ends what the deny cache holds, and so does another policy version.
//
// Blocks are of this process alone, in a table of fixed size. Where many are refused at once, who was refused longest ago
// gives way, and of the blocked the one whose block ends first; what that costs is five trips to the store.
package throttle
