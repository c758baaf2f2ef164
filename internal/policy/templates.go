package policy

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"smsd/internal/sms"
)

// templates reads the message texts of a scene by language.
func (o object) templates(key string) sms.Templates {
	p, there := o.fields[key]
	if !there {
		return sms.Templates{}
	}
	entries := p.entries(`a mapping of languages to texts, as {en: "{{.Code}} is your code."}`)
	switch {
	case len(entries) > maxLanguages:
		p.faultf("has %d languages, at most %d are allowed", len(entries), maxLanguages)
		return sms.Templates{}
	case p.isEmpty(yaml.MappingNode):
		p.fault("must hold at least one language")
	}
	byTag := map[string]sms.Template{}
	for _, e := range entries {
		if t, ok := readTemplate(e); ok {
			byTag[e.name] = t
		}
	}
	return joinTemplates(p, byTag)
}

// readTemplate reads one text. The tag is tried alone, so that a fault of it stands on its line.
func readTemplate(e entry) (sms.Template, bool) {
	text, ok := e.value.text("the text of the message")
	if !ok {
		return sms.Template{}, false
	}
	if len(text) > sms.MaxTemplate {
		e.value.faultf("must be at most %d bytes", sms.MaxTemplate)
		return sms.Template{}, false
	}
	t, err := sms.ParseTemplate(text)
	if err != nil {
		e.value.fault(masked(strings.TrimPrefix(err.Error(), "template: ")))
		return sms.Template{}, false
	}
	if _, err := sms.NewTemplates(map[string]sms.Template{e.name: t}); err != nil {
		e.at.fault("must be a language tag (BCP 47), as en, zh or pt-BR")
		return sms.Template{}, false
	}
	return t, true
}

func joinTemplates(p place, byTag map[string]sms.Template) sms.Templates {
	if len(byTag) == 0 {
		return sms.Templates{}
	}
	all, err := sms.NewTemplates(byTag)
	if err != nil {
		p.fault(masked(strings.TrimPrefix(err.Error(), "templates: ")))
	}
	return all
}
