// Package twiliofake plays Twilio's Messages resource, as the vendor documents it: it checks the credentials of every request,
// refuses what is missing with the vendor's codes, and hands what is left to [Fake.Answer]. Nothing is sent. Its refusals
// echo what it was sent, as carriers do.
package twiliofake
