package policy

import "time"

// instant reads the end of something: a date, which lasts until midnight UTC, or RFC 3339.
func (o object) instant(key string) time.Time {
	p, there := o.fields[key]
	const what = "a date, as 2026-12-31, or an instant, as 2026-12-31T18:00:00Z"
	if !there {
		return time.Time{}
	}
	text, ok := p.text(what)
	if !ok {
		return time.Time{}
	}
	at, err := parseInstant(text)
	if err != nil || at.IsZero() { // the zero time means no end
		p.fault("must be " + what)
		return time.Time{}
	}
	return at
}

func parseInstant(text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	return at.UTC(), err
}
