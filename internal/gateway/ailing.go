package gateway

import (
	"maps"
	"slices"
)

// Ailing returns the gateways that fail where they are known to have worked, or have not worked at all, each with the class of its
// failures, as "aliyun: configuration"; in the order of their names.
func (r *Router) Ailing() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.lines)) {
		b := r.lines[name].breaker
		for c := range classes {
			if b != nil && b.ailing(c) > 0 {
				all = append(all, name+": "+c.String())
			}
		}
	}
	return all
}

// ailing leaves out countries that never worked on a gateway which works for others: whoever asks for numbers of such a
// country must not be able to raise an alarm.
func (b *breaker) ailing(c class) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	fails := b.whole[c].open()
	for _, at := range b.countries {
		fails = fails || at.circuits[c].open() && (at.worked || b.accepted == 0)
	}
	if fails {
		return 1
	}
	return 0
}
