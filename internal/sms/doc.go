// Package sms is the domain: a verification's life from send to its end.
//
// [Service.Send] reads the request, asks the policy and the limits, stores a code, and hands a message
// to the gateway; [Service.Resend] repeats that message; [Service.Verify] compares what a person typed, counts
// it, and uses the code up. File send.go is the only place that knows the order of these steps, and
// deliver.go holds the table of what a gateway's answer gives back.
//
// # What a verification is
//
// It is known by its sms_id, a random UUID: whoever knows it may verify. It is live until it is used,
// its attempts are exhausted, or it expires; then it is told apart by how it ended for ten minutes more,
// and after that it never was. [Codes] keeps it, in one process or in Redis, by the store's own clock.
//
// A code is drawn before the limits are asked, and goes along with the question as a [PutErrand]: where one Redis keeps
// counters and codes, it is stored in the step that charges. Elsewhere it is stored next. A guess goes along with the
// limits on verifies in the same way, as a [VerifyErrand].
//
//	06:00:00.0  send: limits charged, code stored, good until 06:05:00.0
//	06:00:02.3  the gateway accepts: the end moves to 06:05:02.3, which the answer states
//	06:01:00    a wrong code: 4 attempts left, and one of the guesses that refuse later sends
//	06:01:30    resend: the same code, "works for 3 minutes"; neither end nor attempts change
//	06:02:00    the right code: used, exactly once, whatever else arrives
//	06:15:02.3  forgotten
//
// # What a message says
//
// A scene has a [Template] for each language ([Templates]), which a request names by its locale, or leaves to the list of
// languages that its client takes. A template is made of a text with places for the code and the minutes, and has signature,
// variables and last line in it. A gateway may have a wording of its own: another text, or the values of a template that its
// carrier keeps ([gateway.Wording], [gateway.Template]). The policy's [Routes] say which gateways may take a message; in
// what order, and which failure lets the next one try, is for package gateway.
//
// # What a message costs
//
// The cost is the message's segments by the price of the gateway that took it, or may have, for the number's country
// ([Prices]). A [Budget] bounds it where a policy is read, never where a message is sent. What the carrier says later is the
// bill ([records.Bill]), and stands beside the cost.
//
// # What carriers report
//
// [Service.Receive] adds receipts to the row of their verification: in whatever order they come, and however often. The id of
// a message tells whose it is. For a carrier that knows no id but its own, the owner is kept under that ([records.Handle]). A
// receipt touches no code, and verifies nothing.
//
// # What is promised
//
// Bad input costs nothing: no quota, no attempt, no message. A message that surely did not leave
// is refunded before the client hears of it; one that may have left is never refunded, never sent again,
// and its code can be verified. A client that hangs up changes nothing, since all work is done on a context
// of its own; every call to a store has a deadline. Where a store can't tell, the answer is
// [ErrUnavailable]: never a success, and never a wrong code.
//
// # What is kept secret
//
// A store gets keyed hashes ([Keyring]) and sealed bytes, nothing in clear. Codes, numbers and addresses
// travel in types that print masked (packages secret, phone and address); a log line holds the first eight
// characters of an sms_id. No error holds what a client sent.
package sms
