package policy

import (
	"time"

	"smsd/internal/phone"
	"smsd/internal/secret"
	"smsd/internal/sms"
)

// maxEntries bounds the test numbers and the blocks.
const maxEntries = 10_000

// testNumber is a test number and where it stands.
type testNumber struct {
	sms.TestNumber
	number phone.Number
	at     place
}

func readTestNumbers(p place, now time.Time) []testNumber {
	var numbers []testNumber
	first := map[phone.Number]place{}
	for _, item := range p.list(maxEntries, `a list, as [{phone: "+...", code: "...", until: 2026-12-31}]`) {
		t, ok := readTestNumber(item, now)
		if !ok {
			continue
		}
		if twin, twice := first[t.number]; twice {
			item.faultf("is the number of line %d again", twin.node.Line)
			continue
		}
		first[t.number] = item
		numbers = append(numbers, t)
	}
	return numbers
}

func readTestNumber(p place, now time.Time) (testNumber, bool) {
	o, ok := p.object("phone", "code", "until")
	if !ok {
		return testNumber{}, false
	}
	o.require("phone", "code")
	t := testNumber{
		TestNumber: sms.TestNumber{Code: o.digits("code"), Until: o.instant("until")},
		number:     o.phone("phone"),
		at:         p,
	}
	o.warnEnded(t.Until, now, "the number is an ordinary one again")
	return t, !t.number.IsZero()
}

const internationalNumber = `a telephone number, as "+<country code><number>"`

// phone reads an international number.
func (o object) phone(key string) phone.Number {
	p, there := o.fields[key]
	if !there {
		return phone.Number{}
	}
	text, ok := p.text(internationalNumber)
	if !ok {
		return phone.Number{}
	}
	if !phone.IsInternational(text) {
		p.fault("must be " + internationalNumber)
		return phone.Number{}
	}
	number, err := phone.Parse(text, "")
	if err != nil {
		p.fault(err.Error()) // says why and never what
	}
	return number
}

// digits reads a code.
func (o object) digits(key string) secret.Text {
	p, there := o.fields[key]
	if !there {
		return secret.Text{}
	}
	text, ok := p.text("4 to 10 digits in quotes")
	if ok && !isCode(text) {
		p.faultf("must be %d to %d digits", sms.MinCodeLength, sms.MaxCodeLength)
	}
	return secret.New(text)
}

func isCode(s string) bool {
	for _, r := range s {
		if r < '0' || '9' < r {
			return false
		}
	}
	return sms.MinCodeLength <= len(s) && len(s) <= sms.MaxCodeLength
}

// warnEnded says that o's until has passed.
func (o object) warnEnded(until, now time.Time, effect string) {
	if !until.IsZero() && !now.Before(until) {
		o.fields["until"].warnf("has passed: %s; take the entry out", effect)
	}
}
