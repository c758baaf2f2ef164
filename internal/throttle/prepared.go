package throttle

import "context"

// Prepared is a [Request] whose keys are named, ready to be asked: once of the deny cache, and then, if it
// must be, of the store. It serves one event, and one goroutine.
type Prepared struct {
	limiter *Limiter
	asked   asked
}

// Prepare names the keys of r. It costs no I/O.
func (l *Limiter) Prepare(r Request) (*Prepared, error) {
	a, err := l.ask(r)
	if err != nil {
		return nil, err
	}
	return &Prepared{limiter: l, asked: a}, nil
}

// As gives the request a name, of one part or more, under which [Limiter.Known] tells of its refusal when its subjects are
// not known yet. A later name takes the place of an earlier one.
func (p *Prepared) As(name ...string) {
	if c := p.limiter.deny; c != nil {
		p.asked.given = c.givenID(p.asked.rules, name)
	}
}

// Carry gives the request an errand, which the store may do in the same step as the charge, if it knows how:
// [Reservation.ErrandDone] tells. Nothing of it is done if the request is refused.
func (p *Prepared) Carry(errand any) { p.asked.take.Errand = errand }

// Denied returns a [*Denied] if the address or the device is blocked, or if the store has refused the same request
// within two seconds, or said that it would refuse the next one, and nothing that the refusal rests on was given back
// since; else nil. It costs no I/O.
func (p *Prepared) Denied() error {
	l, a := p.limiter, &p.asked
	if d := l.blocked(a); d.RetryAfter > 0 {
		return &Denied{Decision: longer(d, l.deny.known(a))}
	}
	by, d := l.deny.denied(a)
	if d.RetryAfter == 0 {
		return nil
	}
	l.metrics.denied.WithLabelValues(d.Rule).Inc()
	p.remember(by)
	if a.block > 0 {
		l.blocks.count(a, l.deny.blames(a))
	}
	return p.refused(d)
}

// remember keeps under the request's name what the deny cache has just refused: who asks by such a name later must hear
// of it as if the store had refused.
func (p *Prepared) remember(d denial) {
	if c := p.limiter.deny; p.asked.named() {
		d.at = c.elapsed()
		c.putAs(p.asked.given, d)
	}
}

// refused is the error of a refusal that was just counted: if a block has begun with it, its wait is not shorter.
func (p *Prepared) refused(d Decision, shadow ...string) error {
	return &Denied{longer(d, p.limiter.blocks.blocked(&p.asked)), shadow}
}

// Blocked returns a [*Denied] if the address or the device of r is blocked, for who asks before the other subjects
// are known; else nil. It costs no I/O.
func (l *Limiter) Blocked(r Request) error {
	k := newKeyer(l.hasher, r.Subjects)
	return known(l.blocked(&asked{rules: r.Rules, event: r.Event, asker: k.asker(), block: r.blockLength()}))
}

// blocked asks the blocks, and counts what they refuse.
func (l *Limiter) blocked(a *asked) Decision {
	d := l.blocks.blocked(a)
	if d.RetryAfter > 0 {
		l.metrics.local.WithLabelValues(LocalBlock, a.event.String()).Inc()
	}
	return d
}

// Known returns a [*Denied] with the longest wait that this process has heard of for any of the request's
// subjects, however long ago, or that a block on them has left; nil if none. It is no refusal: it tells how long to
// wait where another layer refuses, so that the wait is true. It costs no I/O.
func (p *Prepared) Known() error {
	l, a := p.limiter, &p.asked
	return known(longer(l.blocks.blocked(a), l.deny.known(a)))
}

// Known is [Prepared.Known] for the request that was given a name by [Prepared.As] under the same rules.
func (l *Limiter) Known(rules *RuleSet, name ...string) error {
	return known(l.deny.named(rules, name))
}

func known(d Decision) error {
	if d.RetryAfter == 0 {
		return nil
	}
	return &Denied{Decision: d}
}

// Reserve is [Limiter.Reserve]. It answers what Denied does, if that refuses.
func (p *Prepared) Reserve(ctx context.Context) (*Reservation, error) {
	if err := p.Denied(); err != nil {
		return nil, err
	}
	l, a := p.limiter, &p.asked
	taken, err := l.take(ctx, a)
	if err != nil {
		return nil, err
	}
	l.metrics.decided(a.groups, taken)
	if !taken.Allowed {
		return nil, p.refused(refusal(a.groups, taken.Verdicts), shadowed(a.groups, taken.Verdicts)...)
	}
	return &Reservation{of: p, taken: taken}, nil
}
