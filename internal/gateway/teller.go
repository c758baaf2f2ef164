package gateway

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// A teller writes a line to the log when a gateway starts to fail, and one when it is well again: what whoever looks at the log at night
// needs first. Its breaker guards it, but for write.
type teller struct {
	logger  *slog.Logger // nil: it tells nothing
	gateway string
	told    [classes]bool // that it fails
	lines   *rate.Limiter
}

// A gateway that comes and goes is told of so often at once, and then every so many seconds: the log needs no more of it.
const (
	newsBurst = 10
	newsEvery = 10 * time.Second
)

func newTeller(logger *slog.Logger, gateway string) teller {
	return teller{logger: logger, gateway: gateway, lines: rate.NewLimiter(rate.Every(newsEvery), newsBurst)}
}

// news is that a gateway fails from now on, or does no more.
type news struct {
	class class
	fails bool
	cause string // what the carrier said, of one that fails
}

// changed returns what is new since it was asked last, as far as there is room for it.
func (t *teller) changed(ails func(class) bool, failure *Error, now time.Time) (all []news) {
	for c := range classes {
		fails := ails(c)
		if t.logger == nil || fails == t.told[c] || !t.lines.AllowN(now, 1) {
			continue
		}
		t.told[c] = fails
		n := news{class: c, fails: fails}
		if fails && failure != nil {
			n.cause = failure.cause()
		}
		all = append(all, n)
	}
	return all
}

// write puts it into the log, with what to do next.
func (t *teller) write(n news) {
	if !n.fails {
		t.logger.Info("the gateway is well again", "gateway", t.gateway, "class", n.class.String())
		return
	}
	t.logger.LogAttrs(context.Background(), slog.LevelWarn, "the gateway fails, and is left alone for a while", slog.String("gateway", t.gateway),
		slog.String("class", n.class.String()), slog.String("error", n.cause), slog.String("to_do", n.class.advice(t.gateway)))
}

// advice is the next step where a gateway fails so.
func (c class) advice(gateway string) string {
	if c == misconfigured {
		return "it does not pass by itself: run smsd gateway check " + gateway + ", and look the carrier's code up in docs/gateways.md"
	}
	return "it is tried again by itself; if it stays, run smsd gateway check " + gateway + " and see whether the carrier tells of a fault"
}
