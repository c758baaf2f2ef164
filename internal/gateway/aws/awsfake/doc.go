// Package awsfake plays AWS End User Messaging SMS, as the vendor documents it: it computes the signature (Signature Version 4) of every
// request by itself, refuses what is missing with the vendor's exceptions, and hands what is left to [Fake.Answer]. Nothing is
// sent. [Topic] posts what became of messages, as Amazon SNS does. Its refusals echo what it was sent, as carriers do.
package awsfake
