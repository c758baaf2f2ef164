// Package keyring derives keys from the secrets in rotation: for each purpose a [Ring] of its own, so that no
// key tells of another.
//
// A ring hashes and seals with the newest secret, and matches and opens with every one in use. A hash is an
// HMAC-SHA256 over parts that carry their length. What is sealed carries the id of the secret that sealed
// it, and is bound to the name of what it belongs to: it opens nowhere else.
//
// Rings print without their keys. Everything here is safe for concurrent use.
package keyring
