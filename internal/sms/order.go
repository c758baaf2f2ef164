package sms

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"smsd/internal/address"
	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/throttle"
)

// order is one message to be sent: on whose terms, for whom, and who asks.
type order struct {
	policy *terms
	scene  *Scene // nil until it is known
	id     string // sms_id; "" until there is one
	// request names the request for records and the log: read once, since each look through a context takes a while.
	request string
	app     string
	number  phone.Number
	region  string // with which number was read; may be empty
	locale  string // the tag of a template of scene
	device  string
	client  address.Addr
	// whom are the hashes of number, client and device, once a row of records has them.
	whom   records.Whom
	before Before
	// counted is room for subjects.
	counted [7]throttle.Subject
	// gateway is the one that took the message; "" if none is known to have.
	gateway string
	// segments are the billed parts of the message; 0: they were not counted.
	segments int
	// cost is what it costs by the policy's prices; zero: nobody knows.
	cost Money
}

// read fills o in from r. It costs no I/O.
func (o *order) read(r SendRequest, p *terms) error {
	o.policy, o.device = p, strings.TrimSpace(r.DeviceID)
	if err := o.enter(r.Scene); err != nil {
		return err
	}
	if err := checkFields(r); err != nil {
		return err
	}
	o.locale = o.scene.Templates.choose(r.Locale, r.Languages)
	if err := o.scene.wantsDevice(o.device); err != nil {
		return err
	}
	return o.dial(r.Phone, r.Region)
}

func appOf(app string) string {
	if app == "" {
		return DefaultApp
	}
	return app
}

func (o *order) enter(scene string) error {
	if scene == "" {
		return required("/scene")
	}
	found := o.policy.Scenes[scene]
	if found == nil {
		return ErrUnknownScene
	}
	o.scene = found
	return nil
}

// checkFields bounds what is passed on as it is.
func checkFields(r SendRequest) error {
	switch {
	case r.Region != "" && !isRegion(r.Region):
		return invalid("/region")
	case !isPlain(r.Locale, MaxLocale):
		return invalid("/locale")
	case !isPlain(r.DeviceID, MaxDeviceID):
		return invalid("/device_id")
	}
	return nil
}

// isRegion reports whether s is written as an ISO 3166 code. Whether there is such a region, the
// reading of a national number tells.
func isRegion(s string) bool {
	letter := func(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

// isPlain reports whether s is UTF-8 of at most limit bytes, without control characters.
func isPlain(s string, limit int) bool {
	return len(s) <= limit && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

func isPrintable(s string, limit int) bool {
	return len(s) <= limit && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func (s *Scene) wantsDevice(device string) error {
	if s.RequireDevice && device == "" {
		return required("/device_id")
	}
	return nil
}

// dial reads the number with the region given, or else the scene's.
func (o *order) dial(raw, region string) error {
	if raw == "" {
		return required("/phone")
	}
	if region == "" {
		region = o.scene.DefaultRegion
	}
	number, err := phone.Parse(raw, region)
	o.number, o.region = number, strings.ToUpper(region)
	return err
}

// admit says whether the policy lets a message go there at all.
func (o *order) admit(now time.Time) error {
	if err := o.policy.blocked.refusal(o.number, o.client, now); err != nil {
		return err
	}
	return o.scene.serves(o.number)
}

// subjects are everyone under whom a message, or a wrong code for it, is counted; until they are asked for again.
func (o *order) subjects() []throttle.Subject {
	e164 := o.number.E164()
	return append(o.clientSubjects(),
		throttle.Subject{Kind: throttle.Phone, ID: e164},
		throttle.Subject{Kind: throttle.Country, ID: o.number.Country()},
		throttle.Subject{Kind: throttle.Prefix, ID: phone.PrefixOf(e164)},
		throttle.Subject{Kind: throttle.Device, ID: o.device})
}

func (o *order) clientSubjects() []throttle.Subject {
	return append(o.counted[:0],
		throttle.Subject{Kind: throttle.App, ID: o.app},
		throttle.Subject{Kind: throttle.IP, ID: o.client.Host()},
		throttle.Subject{Kind: throttle.IPNet, ID: o.client.Network()})
}
