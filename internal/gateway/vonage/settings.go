package vonage

import (
	"regexp"
	"time"

	"smsd/internal/gateway/carrier"
)

// sender is a number, or a sender id with at least one letter.
var sender = regexp.MustCompile(`^(\+?[1-9][0-9]{2,14}|[0-9A-Za-z ]{0,10}[A-Za-z][0-9A-Za-z ]{0,10})$`)

// What the vendor takes as ttl (description of the API, version 1.20.0, 8 October 2026).
const minTTL, maxTTL = 20 * time.Second, 7 * 24 * time.Hour

// faults says what each setting must be, but for the credentials.
func (c Config) faults() carrier.Faults {
	f := carrier.Faults{}
	switch {
	case c.From == "":
		f["from"] = "must be given: who sends"
	case !sender.MatchString(c.From) || len(c.From) > 11 && !isNumber(c.From):
		f["from"] = "must be a number with its country code, as 14155550100, or a sender id of at most 11 letters and digits"
	}
	if c.TTL != 0 && (c.TTL < minTTL || c.TTL > maxTTL || c.TTL%time.Second != 0) {
		f["ttl"] = "must be whole seconds, from 20s to 168h"
	}
	return f
}

func isNumber(from string) bool {
	for _, r := range from {
		if (r < '0' || r > '9') && r != '+' {
			return false
		}
	}
	return true
}
