package sms

import (
	"fmt"
	"net/netip"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// blockIndex finds the block that covers a send without looking at each: a policy may list ten thousand, and
// to look at them all took 235 µs, five times as long as the rest of a send.
type blockIndex struct {
	numbers   map[phone.Number][]Block
	prefixes  map[string][]Block
	countries map[string][]Block
	networks  map[netip.Prefix][]Block
	// bits are the lengths that occur among networks.
	bits map[int]bool
	none bool // there are no blocks
}

// blockIndexes are what everyone is refused by, and what an app adds.
type blockIndexes []*blockIndex

// refusal returns the error of the first block that covers a send to n that client asks for, or nil.
func (all blockIndexes) refusal(n phone.Number, client address.Addr, now time.Time) error {
	for _, x := range all {
		if err := x.refusal(n, client, now); err != nil {
			return err
		}
	}
	return nil
}

func newBlockIndex(blocks []Block) *blockIndex {
	x := &blockIndex{
		numbers: map[phone.Number][]Block{}, prefixes: map[string][]Block{}, countries: map[string][]Block{},
		networks: map[netip.Prefix][]Block{}, bits: map[int]bool{}, none: len(blocks) == 0,
	}
	for _, b := range blocks {
		x.add(b)
	}
	return x
}

func (x *blockIndex) add(b Block) {
	switch {
	case !b.Number.IsZero():
		x.numbers[b.Number] = append(x.numbers[b.Number], b)
	case b.Prefix != "":
		x.prefixes[b.Prefix] = append(x.prefixes[b.Prefix], b)
	case b.Network.IsValid():
		network := b.Network.Masked()
		x.networks[network] = append(x.networks[network], b)
		x.bits[network.Bits()] = true
	case b.Country != "":
		x.countries[b.Country] = append(x.countries[b.Country], b)
	}
}

// refusal returns the error of the block that covers a send to n that client asks for, or nil.
func (x *blockIndex) refusal(n phone.Number, client address.Addr, now time.Time) error {
	if x.none {
		return nil
	}
	for _, b := range x.candidates(n, client) {
		if b.Covers(n, client, now) {
			return &blockedError{b}
		}
	}
	return nil
}

// blockedError is [ErrBlocked] by one entry of the list. Its reason is for the log.
type blockedError struct{ by Block }

func (e *blockedError) Error() string { return fmt.Sprintf("%v: %q", ErrBlocked, e.by.Reason) }
func (e *blockedError) Unwrap() error { return ErrBlocked }

// candidates are the blocks that name the number, one of its prefixes, its country, or a network of the
// client; whether they are over, they have to say themselves.
func (x *blockIndex) candidates(n phone.Number, client address.Addr) []Block {
	var found []Block
	found = append(found, x.numbers[n]...)
	found = append(found, x.countries[n.Country()]...)
	e164 := n.E164()
	for end := 1; end <= len(e164); end++ {
		found = append(found, x.prefixes[e164[:end]]...)
	}
	for bits := range x.bits {
		if network, err := client.IP().Prefix(bits); err == nil { // not longer than the family's addresses
			found = append(found, x.networks[network]...)
		}
	}
	return found
}
