package carrier

import "net/http"

// What operators are to do where the carrier's answer does not tell it.
const (
	atTheConsole = "look at the carrier's console"
	inAMoment    = "check again in a moment"
)

// Taken says that the carrier took the credentials. It is told once.
func (e *Examination) Taken() {
	if !e.taken {
		e.taken = true
		e.Good("credentials", "they are taken")
	}
}

// HasTaken reports whether the carrier took the credentials.
func (e *Examination) HasTaken() bool { return e.taken }

// Refused ends the examination: the carrier does not let these credentials in.
func (e *Examination) Refused(text, advice string) {
	e.over = true
	e.Bad("credentials", text, advice)
}

// Unreadable is an answer that is not what the carrier gives. Before the credentials were taken there is no reason to believe
// that it is the carrier's, and that is the end.
func (e *Examination) Unreadable(what string, a Answer) {
	text := "the answer is not one of the carrier's, status " + status(a.Status)
	switch {
	case a.Status >= http.StatusInternalServerError || a.Status == http.StatusTooManyRequests:
		e.Doubtful(what, "the carrier does not say now, status "+status(a.Status), inAMoment)
	case e.taken:
		e.Doubtful(what, text, "check again; if it stays, look at the carrier's console")
	default:
		e.over = true
		e.Bad("answer", text, "see that endpoint of the gateway is the carrier's API, and that nothing on the way (a proxy, a portal) answers in its place")
	}
}

// NotNow keeps a finding for a code by which the carrier does not say anything for the moment.
func (e *Examination) NotNow(what, code string) {
	e.Doubtful(what, "the carrier does not say now: "+Word(code), inAMoment)
}

// Unsaid keeps a finding for a code that nobody knows.
func (e *Examination) Unsaid(what, code string) {
	e.Doubtful(what, "the carrier does not say: "+Word(code), atTheConsole)
}

// Denied keeps a finding for a code by which the key may not ask; allow says how it could. That the carrier took the credentials is
// for the driver to know.
func (e *Examination) Denied(what, code, allow string) {
	e.Doubtful(what, "the key may not ask: "+Word(code), allow+", or "+atTheConsole)
}
