// Package apikey knows who calls: the API keys of apps, which ones there are, and whether one is good.
//
// A key is "pk_" or "sk_", 32 characters of base 62 drawn at random (190 bits), and six more that are a checksum of
// all before them, so that scanners find leaked keys and mistyped ones are known without a look-up. It is shown once,
// when it is made; what is stored is a keyed hash.
package apikey
