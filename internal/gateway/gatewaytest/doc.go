// Package gatewaytest proves that a gateway.Driver keeps its contract. One call runs the whole suite:
//
//	func TestConformance(t *testing.T) {
//		gatewaytest.Run(t, gatewaytest.Harness{
//			Open: func(t *testing.T, v *gatewaytest.Vendor) gateway.Driver {
//				server := httptest.NewServer(fakeCarrier(v))
//				t.Cleanup(server.Close)
//				return acme.Open(acme.Config{URL: server.URL, Key: secret.New("key-1234")})
//			},
//			Secrets: []string{"key-1234"},
//		})
//	}
//
// The harness makes things and never asserts. What it makes is a driver, the real one, in front of a fake
// carrier that behaves as [Vendor.Scenario] says and calls [Vendor.Reached] for each send that arrives.
// Let the fake echo the number, the text and the credentials it was sent in its refusals and its
// gibberish: carriers do, and whether they get from there into an error is what the suite looks for.
// The tests of this package hold such a fake and a small driver over HTTP, to start from.
//
// The suite shows that
//
//   - each scenario gives the right gateway.Reason and gateway.Sent, as a *gateway.Error that is not wrapped;
//   - one Send reaches the carrier once, whatever becomes of it: drivers do not retry;
//   - a Send ends when its context does, and what was on its way by then is gateway.MaybeSent;
//   - many may send at the same time (run it under -race);
//   - no error, nor any error inside one, prints a number, a code, a text or a credential.
package gatewaytest
