package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"smsd/internal/throttle"
)

const (
	// resetsTTL is how long the number is kept, far longer than anybody remembers a refusal.
	resetsTTL = time.Hour
	// maxToldTags is how many tags a message is read for; a reset has five at most.
	maxToldTags = 64
)

var _ throttle.Herald = counters{}

// OnReset implements [throttle.Herald]: what is told ends with [Client.Close].
func (c counters) OnReset(told func(tags ...throttle.Tag)) {
	e := &events{told: told}
	c.background(func() { c.followNumber(e) })
	c.background(func() { c.followMessages(e) })
}

// events puts together what messages say and what the number says. Safe for concurrent use.
type events struct {
	told   func(tags ...throttle.Tag)
	mu     sync.Mutex
	number int64 // of the latest reset that is known of; 0: of none
}

// message takes one message.
func (e *events) message(text string) {
	m, ok := parseReset(text)
	if !ok {
		return // whatever it was: the number tells of every reset
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	missed := m.before != e.number && m.number > e.number
	e.number = max(e.number, m.number)
	if missed {
		e.told()
		return
	}
	e.told(m.tags...)
}

// read takes the number as it was read. One that no message has brought yet is of a reset of nobody knows whom; and of
// a server that has lost the number, nobody knows what else it has lost.
func (e *events) read(number int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if number != e.number {
		e.number = number
		e.told()
	}
}

// reset is what a message tells: its number, the one before it, and the tags.
type reset struct {
	before, number int64
	tags           []throttle.Tag
}

func parseReset(text string) (r reset, ok bool) {
	fields := strings.Fields(text)
	if len(fields) < 3 || len(fields) > 2+maxToldTags {
		return reset{}, false
	}
	before, err := strconv.ParseInt(fields[0], 10, 64)
	number, err2 := strconv.ParseInt(fields[1], 10, 64)
	for _, tag := range fields[2:] {
		r.tags = append(r.tags, throttle.Tag(tag))
	}
	r.before, r.number = before, number
	return r, err == nil && err2 == nil && before >= 0 && number > before
}

// announce tells all processes, this one too, of a reset.
func (c *Client) announce(ctx context.Context, tags []throttle.Tag) error {
	var text []string
	for _, t := range tags {
		text = append(text, string(t))
	}
	args := []any{resetsTTL.Milliseconds(), c.keys.resets(), strings.Join(text, " ")}
	r, err := c.run(ctx, call{script: &c.scripts.Announce, keys: []string{c.keys.resets()}, args: args})
	if err != nil {
		return failed(throttle.ErrUnavailable, "announce", err)
	}
	if r.status == 0 {
		c.warnOfSilence("publish")
	}
	return nil
}

// warnOfSilence says which permission is missing, and what it costs.
func (c *Client) warnOfSilence(command string) {
	c.warn(fmt.Sprintf("redis: a permission is missing: +%s on the channel &%s: resets of limits are heard of up to a second later (ACL; needed are &%s* +publish +subscribe)",
		command, c.keys.resets(), c.keys))
}
