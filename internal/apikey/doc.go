// Package apikey knows who calls: the API keys of apps, which ones there are, and whether one is good.
//
// # A key
//
// A key is "pk_" or "sk_", 32 characters of base 62 drawn at random (190 bits), and six more that are a checksum of
// all before them (CRC-32 of IEEE 802.3, in base 62), so that scanners find leaked keys and mistyped ones are known
// without a look-up. It is shown once, when it is made; what is stored is a keyed hash. [Key] prints masked, as
// "pk_...a1B2".
//
// A [Publishable] key is in a page or in an app on a phone, where everybody can read it: it names an app, and
// proves nothing. Its origins keep other pages from using it in their visitors' browsers. A [Secret] key is on a
// server, and is believed.
//
// # The directory
//
// [Directory] holds every key in memory, and answers who calls without I/O. It asks the store five times in
// two seconds whether anything has changed, and then reads all of it: so a key that is revoked is refused by every instance
// within a second. While the store does not answer, the keys that were known last go on working, and nothing that changes is
// seen: a revocation then takes until the store is back. Until it was read once, nobody is known, and [ErrNotLoaded] says so.
//
// # Secrets in rotation
//
// A key is hashed under the newest secret when it is made, and is compared under each that is in use. It works for as long
// as the secret of its time is listed: nobody can hash it anew but with the key itself, which is not kept.
package apikey
