package policy

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"smsd/internal/secret"
	"smsd/internal/sms"
)

// maxAllTexts bounds the texts that are made of a file, wordings of gateways included, and those of an app with its own
// variables, or measured with its own prices, once more: as many take some ten MB.
const maxAllTexts = 20_000

// makeTemplates makes the templates of every scene, with the variables of whose scene it is.
func (f file) makeTemplates() {
	for _, s := range f.top.scenes {
		s.makeTemplates(f.top.variables)
	}
	if n := f.allTexts(); n > maxAllTexts {
		f.at.faultf("has %d texts over all apps, those with an app's own variables or prices included; at most %d are allowed", n, maxAllTexts)
		return
	}
	for _, t := range f.apps {
		switch {
		case t.states(scenesKey):
			for _, s := range t.scenes {
				s.makeTemplates(t.variables)
			}
		case t.states(variablesKey) && len(t.at.report.faults) == 0: // or they would be said again for each app
			t.remakeTemplates()
		}
	}
}

func (f file) allTexts() (n int) {
	for _, t := range f.apps {
		if t.ownTexts() {
			for _, s := range t.scenes {
				n += s.texts.size()
			}
		}
	}
	return n
}

func (t texts) size() (n int) {
	for _, l := range t.languages {
		n += 1 + len(l.options.Gateways)
	}
	return n
}

func (s scene) makeTemplates(variables sms.Variables) {
	byTag := map[string]sms.Template{}
	for _, l := range s.texts.languages {
		t, err := l.template(variables)
		for _, err := range each(err) {
			l.blame(err, variables)
		}
		if err == nil {
			l.refuseLong(s.Scene, t)
			byTag[l.tag] = t
		}
	}
	if len(byTag) == 0 {
		return
	}
	all, err := sms.NewTemplates(byTag)
	if err != nil {
		s.texts.at.fault(masked(strings.TrimPrefix(err.Error(), "templates: ")))
	}
	s.Templates = all
}

// remakeTemplates makes the templates of the scenes that an app has from the top with the app's own variables. What is
// wrong then is the variables' fault.
func (t terms) remakeTemplates() {
	at := t.fields[variablesKey]
	for i, s := range t.scenes {
		own, byTag := *s.Scene, map[string]sms.Template{}
		for _, l := range s.texts.languages {
			made, err := l.template(t.variables)
			for _, err := range each(err) {
				field, text := partOf(err, t.variables)
				at.faultf("do not fit into %s: %s", l.place(field).path, text)
			}
			byTag[l.tag] = made
			l.at, l.fields = at, nil
			l.refuseLong(&own, made)
		}
		if all, err := sms.NewTemplates(byTag); err == nil {
			own.Templates = all
		}
		t.scenes[i].Scene = &own
	}
}

func (l language) template(variables sms.Variables) (sms.Template, error) {
	o := l.options
	o.Variables = variables
	return sms.NewTemplate(o)
}

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

// refuseLong reports what Android would not hand to an app, and what is longer than any text may be.
func (l language) refuseLong(s *sms.Scene, t sms.Template) {
	if l.options.AndroidHash == "" {
		return
	}
	for _, name := range append([]string{""}, t.Gateways()...) {
		if n := length(s.Longest(t, name).Text); n > sms.MaxAndroid {
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

func length(text secret.Text) int { return len(text.Reveal()) }
