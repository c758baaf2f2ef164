// Package carrier is the HTTP that drivers share: one call to a carrier's API, and what surely can be said of it.
//
// A driver has a [Client], makes a [Request] of a message, and reads the [Answer]:
//
//	answer, err := g.client.Do(ctx, carrier.Request{URL: g.url, Header: header, Body: body})
//	if err != nil {
//		return gateway.Accepted{}, err // a *gateway.Error already
//	}
//	var a struct{ Code, ID string }
//	if err := answer.JSON(&a); err != nil {
//		return gateway.Accepted{}, err
//	}
//	if a.Code == "OK" {
//		return gateway.Accepted{ProviderID: a.ID}, nil
//	}
//	if reason, known := reasons[a.Code]; known {
//		return gateway.Accepted{}, carrier.Refused(reason, a.Code)
//	}
//	return gateway.Accepted{}, carrier.Untold(a.Code)
//
// What Do decides, so that no driver has to:
//
//   - Until there is a connection (name, dial, proxy, TLS) nothing has left: Temporary, NotSent.
//   - From then on bytes may have left, and without a whole answer nobody can tell: Ambiguous, MaybeSent. Nothing is
//     ever repeated after that; the transport's own repetition of a GET, or of what has an Idempotency-Key, is off.
//   - A redirect is not followed: it would hand the message to whoever the answer names. 307 and 308 say that
//     the request was not carried out: Configuration, NotSent. The others are what a page says after it took a form.
//   - An answer of more than [MaxAnswer] bytes, and one that ends early, are Ambiguous.
//
// Everything else is an Answer, whatever its status: what a status means is the carrier's affair. [Answer.JSON] makes
// what is not JSON (empty, a page of HTML, half an object) Ambiguous. Mind that a 5xx is mostly something in between:
// unless the carrier's own code is in the body, it is [Answer.Unclear].
//
// Errors of this package are made of words from closed lists, and of a carrier's code if it looks like one. They hold no
// URL, host, header, body or key, and no error of net/http, which print some of these.
//
// For receipts there are [FromPath], where a carrier signs nothing, [Reports] for batches, and readers of what carriers write
// in their own ways ([Scalar], [ChinaTime]).
//
// [Examination] is for drivers that are a [gateway.Examiner] as well: the same calls, and findings in the same words.
//
// The connections: kept alive for a moment, so that a busy gateway need not shake hands for each message; HTTP/1.1, one
// call on each, so that one that hangs holds up one call. There are no cookies. A proxy comes from the environment
// (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, as [net/http.ProxyFromEnvironment] reads them), but not for a client whose
// [Options.Networks] is set: what a proxy dials nobody here can judge.
package carrier
