package policy

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"smsd/internal/sms"
)

// blame reports what is wrong with a part of the entry at that part.
func (l language) blame(err error, variables sms.Variables) {
	field, text := partOf(err, variables)
	l.place(field).fault(text)
}

// partOf is which part of a template something is wrong with, and what. What the file says stands in it only where a
// variable is unknown.
func partOf(err error, variables sms.Variables) (field, text string) {
	fault, ok := errors.AsType[*sms.TemplateError](err)
	switch {
	case !ok:
		return "", masked(err.Error())
	case fault.Unknown != "":
		return fault.Field, masked(fault.Text + didYouMean(fault.Unknown, variables))
	}
	return fault.Field, fault.Text
}

func (l language) place(field string) place {
	if p, known := l.fields[field]; known {
		return p
	}
	return l.at
}

// didYouMean names the place or variable that name is a likely slip of.
func didYouMean(name string, variables sms.Variables) string {
	name = strings.TrimPrefix(strings.TrimSpace(name), ".")
	if name == "" {
		return ""
	}
	written := map[string]string{"code": "Code", "minutes": "Minutes"}
	for v := range variables {
		written[strings.ToLower(v)] = v
	}
	if word := nearest(name, slices.Sorted(maps.Keys(written))); word != "" {
		return "; did you mean {{." + written[word] + "}}?"
	}
	return ""
}

// refuseLong reports what Android would not hand to an app.
func (l language) refuseLong(s *sms.Scene, t sms.Template) {
	if l.options.AndroidHash == "" {
		return
	}
	for _, name := range append([]string{""}, t.Gateways()...) {
		if n := len(s.Longest(t, name).Text.Reveal()); n > sms.MaxAndroid {
			l.place("android_hash").faultf("the message is up to %d bytes%s; Android hands one of at most %d to an app", n, byGateway(name), sms.MaxAndroid)
		}
	}
}

func byGateway(name string) string {
	if name == "" {
		return ""
	}
	return " by gateway " + name
}
