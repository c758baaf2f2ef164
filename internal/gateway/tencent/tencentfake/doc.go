// Package tencentfake plays Tencent Cloud's short messages, as the vendor documents them: it computes the signature of every
// request by itself, refuses what is missing with the vendor's codes, and hands what is left to [Fake.Answer]. Nothing is
// sent. Its refusals echo what it was sent, as carriers do.
package tencentfake
