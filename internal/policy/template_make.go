package policy

import (
	"strings"

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
