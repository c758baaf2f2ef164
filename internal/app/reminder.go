package app

import "time"

// How often the log is told of what goes on.
const (
	remindFirst = 10 * time.Second
	remindLast  = 10 * time.Minute
)

// reminder says when the log is told of something that goes on: at once, then at growing intervals, and sooner where it is something
// else now. The zero reminder has told nothing. For one goroutine at a time.
type reminder struct {
	text string
	told time.Time
	wait time.Duration
}

// due reports whether to tell it now, as if it were then told.
func (r *reminder) due(text string, now time.Time) bool {
	wait := r.wait
	if text != r.text {
		wait = min(wait, remindFirst)
	}
	if now.Sub(r.told) < wait {
		return false
	}
	r.wait = min(max(2*r.wait, remindFirst), remindLast)
	if text != r.text {
		r.wait = remindFirst
	}
	r.text, r.told = text, now
	return true
}
