// Package gateway gets one message out, and says what became of it.
//
// A [Driver] is one account at a carrier: it sends once and reports. A [Router] holds the drivers, each
// under its gateway's name. It tries those of a message's [Route] in turn, bounds the time they take, counts
// what they do, and decides whether another may be tried. It keeps messages from a gateway that fails, and
// gives one no more than its rate. Callers hold a Router and hand it a [Dispatch]; who connects a carrier
// writes a Driver, in a folder of its own below this one, and proves it with package gatewaytest.
//
// Every send ends in one of three ways:
//
//   - nil: a carrier took the message.
//   - an [*Error] with [NotSent]: surely no carrier took it. Whatever was charged for it may be given back.
//   - an [*Error] with [MaybeSent]: nobody can tell. It is neither given back nor sent again: a second
//     message costs money and trust, and the first may be on its way.
//
// In doubt it is MaybeSent: that is the zero [Sent], and what the Router makes of an error of an unknown
// type, of a driver that panics and of one that does not come back in time.
//
// A driver may ignore its context, so each call runs on a goroutine of its own, which its caller leaves when the time is up.
// Those goroutines are kept for the next call: see workers. [Router.Close] lets go of them.
//
// What a carrier says later of a message that it took is a [Receipt], which the driver reads if it is a
// [ReceiptReader]. Whether messages would go at all an [Examiner] can ask the carrier.
//
// [Segments] counts what a carrier will bill for a text; [Measure] tells people why it is as much.
//
// No error of this package holds a number, a code or a text; see [Error].
package gateway
