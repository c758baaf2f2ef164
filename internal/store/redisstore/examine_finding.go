package redisstore

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"smsd/internal/throttle"
)

// State is what a check came to.
type State int

// The states.
const (
	OK      State = iota // as it should be
	Finding              // the operator should change something
	Skipped              // not examined, because of another finding
)

// String returns how people read it in a table.
func (s State) String() string {
	switch s {
	case OK:
		return "ok"
	case Finding:
		return "FINDING"
	}
	return "skipped"
}

// Checked is what one check of [Examine] came to. Nothing in it is secret: no password, no whole key.
type Checked struct {
	Check string // one word
	State State
	Seen  string // what was seen, one line
	Do    string // what to do about it, one line; of findings only
}

func fine(format string, args ...any) Checked {
	return Checked{State: OK, Seen: fmt.Sprintf(format, args...)}
}

func finding(do, format string, args ...any) Checked {
	return Checked{State: Finding, Seen: fmt.Sprintf(format, args...), Do: do}
}

// failure is a check whose call failed: refused by the server, for which permit says what to do, or not
// answered, after which nothing else is asked.
func (e *examiner) failure(command, permit string, err error) Checked {
	if refusal(err) {
		return finding(permit, "%s is refused: %s", command, plainly(err))
	}
	e.lost = true
	if silent, ok := errors.AsType[net.Error](err); ok && silent.Timeout() { // a context's deadline is one too
		return finding(doReach, "no answer to %s within %s", command, e.limits.step)
	}
	return finding(doReach, "no answer to %s: %s", command, plainly(err))
}

// plainly is err's text without what says only that it is one of a store.
func plainly(err error) string {
	text := strings.TrimPrefix(err.Error(), throttle.ErrUnavailable.Error()+": ")
	return strings.TrimPrefix(text, "redis: ")
}

const doReach = "check that the server runs, the way to it, and host, port and TLS in the URL"
