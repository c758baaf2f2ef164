// Package memstore keeps counters and codes in this process.
package memstore

// Options size a store. The zero value is usable.
type Options struct {
	// MaxKeys bounds the counters' keys, MaxCodes the verifications; 0: the defaults. A full store sheds what has
	// expired, evicts nothing else, and answers new keys that it is full.
	MaxKeys, MaxCodes int
	// Clock is shared by the stores of one process; nil: a fresh one.
	Clock *Clock
}
