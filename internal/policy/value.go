package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The readers of single values return missing where the key is absent or its value is a fault, which
// they report.

const quotes = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

var wholeNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

// integer reads a whole number from least to most, in decimal digits without quotes. YAML's other
// spellings (0x10, 0o7, 1_000, 1e3, 010) are refused: people read them differently.
func (o object) integer(key string, missing, least, most int64) int64 {
	p, there := o.fields[key]
	what := fmt.Sprintf("a whole number from %d to %d", least, most)
	if !there || !p.is(yaml.ScalarNode, what) {
		return missing
	}
	n, err := strconv.ParseInt(p.node.Value, 10, 64)
	switch {
	case p.node.Style&quotes != 0:
		p.faultf("must be %s, without quotes", what)
	case err != nil || !wholeNumber.MatchString(p.node.Value) || n < least || n > most:
		p.faultf("must be %s", what)
	default:
		return n
	}
	return missing
}

// span bounds a duration.
type span struct {
	least, most, step time.Duration
}

// duration reads a duration such as 60s, 1h30m, 24h, 7d.
func (o object) duration(key string, missing time.Duration, bound span) time.Duration {
	p, there := o.fields[key]
	if !there {
		return missing
	}
	text, ok := p.text("a duration, as 60s, 5m, 24h, 7d")
	if !ok {
		return missing
	}
	d, err := parseDuration(text)
	switch {
	case err != nil && wholeNumber.MatchString(text):
		p.fault("must have a unit, as 60s, 5m, 24h, 7d")
	case err != nil:
		p.fault("must be a duration, as 60s, 5m, 24h, 7d")
	case d < bound.least:
		p.faultf("must be at least %s", written(bound.least))
	case d > bound.most:
		p.faultf("must be at most %s", written(bound.most))
	case d%bound.step != 0:
		p.faultf("must be a multiple of %s", written(bound.step))
	default:
		return d
	}
	return missing
}

var days = regexp.MustCompile(`^([0-9]{1,5})d(.*)$`) // five digits of days stay far below an overflow

// parseDuration is [time.ParseDuration] with days of 24 hours in front.
func parseDuration(text string) (time.Duration, error) {
	found := days.FindStringSubmatch(text)
	if found == nil {
		return time.ParseDuration(text)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil || found[2] == "" {
		return time.Duration(n) * 24 * time.Hour, err
	}
	rest, err := time.ParseDuration(found[2])
	if err != nil || rest < 0 || rest > 365*24*time.Hour {
		return 0, fmt.Errorf("not a duration")
	}
	return time.Duration(n)*24*time.Hour + rest, nil
}

// written is d as people write it: 720h0m0s is 30d.
func written(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= 2*day && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
