// Package proof makes the tokens that prove a verification to a backend, publishes the keys that check them, and sees
// to it that each is used once.
//
// A token is a JWT (RFC 7519) signed with ES256. A backend checks it by itself with the public keys of [Tokens.JWKS],
// or hands it to [Tokens.Consume], which checks it and uses it up.
//
// # The keys
//
// They are derived, not stored: from each secret in rotation a key of its own for every [Period]. So instances that share
// their secrets have the same keys and need no place to keep them, and a key is followed by the next one when the clock says
// so, without a restart.
//
//	week n-1    week n                          week n+1
//	            |<- key n signs              ->|<- key n+1 signs
//	published:  n-1 (for [Retired]), n, n+1    |  n (for Retired), n+1, n+2
//
// Whoever fetched the set at any time in week n-1 has what is signed in week n. A new secret's keys are published from
// the moment at which it is in rotation; it signs when it is the first. So it must have been the second one for as
// long as backends keep the set ([MaxAge]) before it becomes the first.
//
// # What is refused
//
// Nothing that a stranger sent is parsed before its signature was found to be ours. The first part of a token must be, letter
// for letter, one of those that [Tokens.Sign] writes: so there is no algorithm to choose, and no key to name but ours.
//
// # Once
//
// The jti of a token follows from its sms_id. Where a verification succeeds twice (a Redis that failed over may have lost that a
// code was used) there are two tokens with one jti, of which one can be consumed. [Consumed] is the driver that remembers.
package proof
