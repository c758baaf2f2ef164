package policy

import (
	"slices"
	"strings"

	"smsd/internal/throttle"
)

// countedUnder reports whether events of the kind e are counted under subjects of the kind k at all. A verify
// is counted under its client and, of the code, the scene: were it counted under the number too, a stranger
// could use up what the number's owner needs. A wrong code is one for the number that its code went to; which
// device that was sent for, nobody keeps.
func countedUnder(e throttle.Event, k throttle.Kind) bool {
	switch e {
	case throttle.Verify:
		return slices.Contains([]throttle.Kind{throttle.App, throttle.IP, throttle.IPNet, throttle.Scene}, k)
	case throttle.Guess:
		return k != throttle.Device
	}
	return true
}

// missing names the kinds of r that its events are never counted under, as "phone, device"; "" if there are none.
func missing(r throttle.Rule) string {
	var names []string
	for _, k := range r.By {
		if !countedUnder(r.On, k) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, ", ")
}

// counts reports whether r counts anything.
func counts(r throttle.Rule) bool { return r.Mode != throttle.Off && missing(r) == "" }

// warnIfMissing warns of a rule that never counts, and says what to write instead.
func (r rule) warnIfMissing() {
	switch kinds := missing(r.Rule); r.On {
	case throttle.Verify:
		r.at.warnf("can never bind: a verify is counted under app, ip, ip_net and scene alone, not under %s; "+
			"limit clients (by: [ip]), or wrong codes for a number (by: [phone], on: guess)", kinds)
	case throttle.Guess:
		r.at.warnf("can never bind: a wrong code is not counted under %s; limit wrong codes for a number (by: [phone]), "+
			"or sends (on: send)", kinds)
	}
}
