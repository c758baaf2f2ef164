// Package keytest has what tests need that are about who calls: a store of keys in memory, and keys in it.
package keytest
