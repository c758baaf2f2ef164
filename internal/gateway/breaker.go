package gateway

import (
	"sync"
	"time"

	"smsd/internal/phone"
)

// A breaker keeps messages from a gateway that fails, so that they go to another one at once, or fail at once. It tells two
// classes of failures apart, and countries: a carrier that refuses one country (it is not enabled there, or has no way
// there) is well for all others, and nobody who asks for numbers of such a country may take it away from them.
//
// Each country has a circuit of each class, which counts what came of messages to that country. Once the circuits of
// several countries have opened, and nothing was accepted in between, it is the gateway that fails, and its own circuit opens.
// A message goes through if none of the four refuses it. Safe for concurrent use; a nil breaker lets everything through.
type breaker struct {
	intN    func(int) int // draws from 0 to below
	metrics breakerMetrics

	mu        sync.Mutex
	whole     [classes]circuit
	countries map[string]*country
	// accepted counts messages: circuits that opened at the same count opened with no acceptance between.
	accepted uint64
}

// A country is the numbers of one country, as a gateway sees them.
type country struct {
	circuits [classes]circuit
	worked   bool // a message was accepted since the start
}

const (
	// maxCountries is above what ISO 3166 has (249) and the pseudo-countries of numbers; more share one.
	maxCountries = 300
	// So many countries whose circuits opened in a row open the gateway's own: of those to which it has delivered two are
	// enough, since that both fail by chance is unlikely. Of others it takes more, and as soon as it has delivered anything they say
	// nothing of it any more: whoever asks for numbers of many countries that the account does not serve could take it from all.
	severalWorked, severalAny = 2, 5
)

func newBreaker(intN func(int) int, m breakerMetrics) *breaker {
	return &breaker{intN: intN, metrics: m, countries: make(map[string]*country)}
}

// A pass is a call that the breaker let through.
type pass struct {
	number  phone.Number
	country *country
	began   time.Time
	// The open circuits that it probes, by class: they wait for what comes of it.
	probesWhole, probesCountry [classes]bool
}

// admit lets a call through, or returns why not. What it let through must be settled.
func (b *breaker) admit(n phone.Number, now time.Time) (pass, *Error) {
	if b == nil {
		return pass{}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.country(n.Country())
	for c := range classes {
		for _, one := range []*circuit{&b.whole[c], &at.circuits[c]} {
			if one.refuses(n, now) {
				return pass{}, one.refusal()
			}
		}
		if b.accepted > 0 && !at.worked && b.whole[c].othersFirst(now) {
			return pass{}, b.whole[c].refusal()
		}
	}
	p := pass{number: n, country: at, began: now}
	for c := range classes {
		p.probesWhole[c] = b.whole[c].probe()
		p.probesCountry[c] = at.circuits[c].probe()
	}
	return p, nil
}

// country returns that of a code, "" among them.
func (b *breaker) country(code string) *country {
	at := b.countries[code]
	if at == nil {
		if len(b.countries) >= maxCountries {
			code = "other"
			if at = b.countries[code]; at != nil {
				return at
			}
		}
		at = &country{}
		b.countries[code] = at
	}
	return at
}

// leave takes back a pass whose call was not made.
func (b *breaker) leave(p pass) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range classes {
		if p.probesWhole[c] {
			b.whole[c].probing = false
		}
		if p.probesCountry[c] {
			p.country.circuits[c].probing = false
		}
	}
}

// settle takes what came of a call; a nil failure is a message that was accepted.
func (b *breaker) settle(p pass, failure *Error, now time.Time) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if failure == nil {
		b.accepted++
		p.country.worked = true
	}
	for c := range classes {
		if p.probesWhole[c] {
			b.probed(&b.whole[c], c, ofGateway, p, failure, now)
		}
		if b.settleCountry(c, p, failure, now) {
			b.spread(c, failure, now)
		}
	}
}

// settleCountry takes what a call says of its country, and reports whether that shuts the country's circuit.
func (b *breaker) settleCountry(c class, p pass, failure *Error, now time.Time) bool {
	at, v := &p.country.circuits[c], c.verdict(failure)
	switch {
	case p.probesCountry[c]:
		return b.probed(at, c, ofCountry, p, failure, now)
	case at.open() || p.began.Before(at.since): // the call began in another time
		return false
	}
	if v == bad {
		at.remember(p.number)
		at.why = c.refusal(failure)
	}
	if !at.count(p.number, v, triggers[c], now) {
		return false
	}
	b.shut(at, c, ofCountry, failure, now)
	return true
}

// probed takes what came of the call that probed an open circuit, and reports whether that shuts it for longer.
func (b *breaker) probed(one *circuit, c class, s scope, p pass, failure *Error, now time.Time) bool {
	one.probing = false
	switch v := c.verdict(failure); {
	case v == good:
		one.mend(triggers[c], now)
		b.metrics.closed[c][s].Inc()
	case v == bad && one.hasFailed(p.number):
		one.failedAgain(triggers[c], now)
	case v == bad:
		one.remember(p.number)
		b.shut(one, c, s, failure, now)
		return true
	}
	return false
}

// shut opens a circuit, or keeps it open for longer.
func (b *breaker) shut(one *circuit, c class, s scope, failure *Error, now time.Time) {
	if !one.open() {
		b.metrics.opened[c][s].Inc()
	}
	one.shut(triggers[c], now, b.draw)
	one.turn = b.accepted
	one.why = c.refusal(failure)
}

func (b *breaker) draw(most time.Duration) time.Duration {
	return time.Duration(b.intN(int(most/time.Millisecond)+1)) * time.Millisecond
}

// spread opens the gateway's own circuit, if several countries' are open and nothing was accepted since they opened.
func (b *breaker) spread(c class, failure *Error, now time.Time) {
	if b.whole[c].open() {
		return
	}
	all, worked := 0, 0
	for _, at := range b.countries {
		if one := &at.circuits[c]; one.open() && one.turn == b.accepted {
			all++
			if at.worked {
				worked++
			}
		}
	}
	if worked >= severalWorked || b.accepted == 0 && all >= severalAny {
		b.shut(&b.whole[c], c, ofGateway, failure, now)
	}
}
