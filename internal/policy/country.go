package policy

import (
	"strings"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

// region reads the country of national numbers; "" is none.
func (o object) region(key string) string {
	p, there := o.fields[key]
	if !there {
		return ""
	}
	text, ok := p.text("a country, as CN")
	if !ok || text == "" {
		return ""
	}
	country, _ := p.country(text, false)
	return country
}

// country checks a two-letter code; world also takes the pseudo-country of numbers without one.
func (p place) country(code string, world bool) (string, bool) {
	upper := strings.ToUpper(code)
	switch {
	case world && code == phone.World, phone.IsCountry(code):
		return code, true
	case len(code) == 2 && phone.IsCountry(upper):
		p.faultf("must be written in capitals, as %s", upper)
	default:
		p.fault("must be a two-letter country code (ISO 3166), as CN")
	}
	return "", false
}

// countries reads ["*"] or a list of countries.
func (o object) countries(key string) sms.Countries {
	p, there := o.fields[key]
	if !there {
		return sms.Countries{All: true}
	}
	items := p.list(300, `a list of countries, as [CN, US], or ["*"]`) // ISO 3166 has 249
	if len(items) == 1 && items[0].node.Value == "*" {
		return sms.Countries{All: true}
	}
	named := map[string]bool{}
	for _, item := range items {
		if code, ok := item.listedCountry(); ok {
			if named[code] {
				item.fault("is in the list already")
			}
			named[code] = true
		}
	}
	return sms.Countries{Named: named}
}

func (p place) listedCountry() (string, bool) {
	text, ok := p.text("a two-letter country code (ISO 3166), as CN")
	switch {
	case !ok:
		return "", false
	case text == "*":
		p.fault("* stands alone or not at all")
		return "", false
	}
	return p.country(text, true)
}
