package httpapi

import (
	"context"
	"sync"

	"smsd/internal/address"
)

// places are taken by calls of which nobody knows yet who makes them: so many in all, and of one client address so few that it
// leaves some to the others. Who finds none waits for one. Safe for concurrent use; only [newPlaces] makes one that works.
type places struct {
	all   chan struct{} // holds one token for each that is taken
	share int

	mu sync.Mutex
	of map[string]*placesOfOne // by [address.Addr.Host], of those that have one or wait for one
}

// placesOfOne are those of one client address.
type placesOfOne struct {
	taken chan struct{}
	users int // that have one or wait for one; guarded by the mutex of places
}

func newPlaces(all, share int) *places {
	return &places{all: make(chan struct{}, all), share: share, of: make(map[string]*placesOfOne)}
}

// take waits for a place until ctx ends. A client without an address has no share of its own.
func (p *places) take(ctx context.Context, client address.Addr) (leave func(), err error) {
	if client.IsZero() {
		return turn(ctx, p.all)
	}
	own := p.enter(client.Host())
	leaveOwn, err := turn(ctx, own.taken)
	if err != nil {
		p.exit(client.Host(), own)
		return nil, err
	}
	leaveAll, err := turn(ctx, p.all)
	if err != nil {
		leaveOwn()
		p.exit(client.Host(), own)
		return nil, err
	}
	return func() {
		leaveAll()
		leaveOwn()
		p.exit(client.Host(), own)
	}, nil
}

// enter returns the places of a host, which are remembered until all who entered have left them with exit.
func (p *places) enter(host string) *placesOfOne {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.of[host]
	if own == nil {
		own = &placesOfOne{taken: make(chan struct{}, p.share)}
		p.of[host] = own
	}
	own.users++
	return own
}

func (p *places) exit(host string, own *placesOfOne) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(p.of, host)
	}
}

// turn waits until there is room in turns for one more.
func turn(ctx context.Context, turns chan struct{}) (leave func(), err error) {
	select {
	case turns <- struct{}{}:
		return func() { <-turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
