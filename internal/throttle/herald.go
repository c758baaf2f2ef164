package throttle

// Herald is a [Store] that several processes share, and that hears of the resets that the others make: what a
// process remembers of refusals must end with them. [New] looks for it.
type Herald interface {
	// OnReset has the store call told within a second after each reset by any process: with its tags, or without any
	// where something may have been reset and nobody knows what. The store calls told from goroutines of its own, one
	// at a time, until it is closed. OnReset itself is called once, before the first Take.
	OnReset(told func(tags ...Tag))
}

// hear has l forget what others reset.
func (l *Limiter) hear() {
	if h, ok := l.store.(Herald); ok {
		h.OnReset(l.Forget)
	}
}
