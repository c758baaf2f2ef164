package gateway

import (
	"slices"

	"smsd/internal/phone"
)

// maxFew is the largest number of numbers that a [trigger] asks for.
const maxFew = 3

// few are the first maxFew of some numbers, each once: enough to tell one person's trouble from everybody's. The zero few is none.
type few struct {
	numbers [maxFew]phone.Number
	n       int
}

func (f *few) add(n phone.Number) {
	if f.n < maxFew && !f.has(n) {
		f.numbers[f.n] = n
		f.n++
	}
}

func (f *few) has(n phone.Number) bool { return slices.Contains(f.numbers[:f.n], n) }

func (f *few) addAll(others few) {
	for _, n := range others.numbers[:others.n] {
		f.add(n)
	}
}
