// Package vonagefake plays Vonage's Messages API, version 1, as the vendor documents it: it checks the JWT or the key and secret
// of every request, refuses what is missing as the vendor does, and hands what is left to [Fake.Answer]. Nothing is
// sent. Its refusals echo what it was sent, as carriers do.
package vonagefake
