// Package gatewaytest proves that a gateway.Driver keeps its contract. One call runs the whole suite:
//
//	func TestConformance(t *testing.T) {
//		gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
//			Open: func(t *testing.T, url string) gateway.Driver {
//				return acme.Open(acme.Config{URL: url, Key: secret.New("key-1234")})
//			},
//			Carrier: fakeCarrier,
//			Secrets: []string{"key-1234"},
//		})
//	}
//
// The harness makes things and never asserts. What it makes is a driver, the real one, and a fake of the carrier that sees that
// the request is signed as it must be and answers in the carrier's own words: that it took the message, and each class of
// failure that it has. Whatever else happens to calls over HTTP the suite does by itself, between the two. Let the fake echo the
// number, the text and the credentials it was sent in its refusals: carriers do, and whether they get from there into an
// error is what the suite looks for. The tests of this package hold such a fake and a small driver, to start from.
//
// A driver that speaks something else than HTTP is for [Run], whose harness plays every [Scenario] itself.
//
// The suite shows that
//
//   - each class of failure gives the right gateway.Reason and gateway.Sent, as a *gateway.Error that is not wrapped;
//   - one Send reaches the carrier once, whatever becomes of it: drivers do not retry;
//   - what comes in place of an answer (nothing, half of it, a page, an empty body, a list, an answer without an end, one that is
//     compressed, an error with a good status, see [Answers]) is gateway.MaybeSent, unless the carrier's contract has it otherwise;
//   - a redirect is not followed: nothing arrives at another host;
//   - an answer is waited for as long as the context lasts, and a Send ends when its context does;
//   - in a thousand messages whose answers are lost at random, before they were read or after they were taken, by a farewell or a
//     reset, none is sent twice and none that arrived is gateway.NotSent;
//   - many may send at the same time (run it under -race);
//   - no error, nor any error inside one, prints a number, a code, a text or a credential, and behind a real router neither does
//     the log nor any metric.
//
// [RunReceipts] is the same for a [gateway.ReceiptReader]: what is genuine is read, what was changed, is old or is another's is not,
// and nothing of a call is in any error.
//
// [RunKept] is for a driver whose carrier keeps the texts: what stands in for a signature or a template that a message lacks.
//
// Beside the suites there is what tests of drivers need: [WantFaults] for settings, [WantRefusals] for what must not be sent, [Documented] for the table of codes that users read, [Findings] for a
// [gateway.Examiner], [Judgement] and [CheckReceipts] for fuzz tests, [WantError] for one error.
package gatewaytest
