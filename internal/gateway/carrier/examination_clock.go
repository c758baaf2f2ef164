package carrier

import (
	"net/http"
	"strconv"
	"time"
)

// maxDrift is what a clock that is kept right is off by, at the most, with the time that the answer took and the fraction of
// a second that a Date lacks.
const maxDrift = 30 * time.Second

// clock compares the clock with the carrier's (RFC 9110, section 6.6.1).
func (e *Examination) clock(h http.Header) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		e.Doubtful("clock", "the carrier does not say what time it is", "see that this machine's clock is kept right, as by NTP")
		return
	}
	skew := e.o.Now().Sub(at)
	text := "it is " + strconv.Itoa(int(skew.Abs()/time.Second)) + " s " + side(skew) + " the carrier's"
	switch {
	case e.o.MaxSkew > 0 && skew.Abs() > e.o.MaxSkew:
		e.Bad("clock", text+"; more than "+strconv.Itoa(int(e.o.MaxSkew/time.Minute))+" minutes it refuses", setTheClock)
	case skew.Abs() > maxDrift:
		e.Doubtful("clock", text, setTheClock)
	default:
		e.Good("clock", "it is right to "+strconv.Itoa(int(maxDrift/time.Second))+" s")
	}
}

const setTheClock = "set this machine's clock, and keep it right, as by NTP"

// Untimely ends the examination: the carrier refuses the time of the call, by that code of its own.
func (e *Examination) Untimely(code string) {
	e.over = true
	e.Bad("clock", "the carrier refuses the time of the call: "+Word(code), setTheClock)
}

func side(skew time.Duration) string {
	if skew < 0 {
		return "behind"
	}
	return "ahead of"
}
