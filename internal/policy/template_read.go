package policy

import (
	"go.yaml.in/yaml/v3"

	"smsd/internal/sms"
)

// texts are the templates of a scene as they stand in the file. They are made into templates once it is known which
// variables there are.
type texts struct {
	at        place
	languages []language
}

// language is one entry of texts.
type language struct {
	tag     string
	options sms.TemplateOptions
	at      place
	// fields are where the parts stand, by the names that a [sms.TemplateError] has for them.
	fields map[string]place
}

// texts reads the templates of a scene by language.
func (o object) texts(key string) texts {
	p, there := o.fields[key]
	if !there {
		return texts{}
	}
	t := texts{at: p}
	entries := p.entries(`a mapping of languages to texts, as {en: "{{.Code}} is your code."}`)
	switch {
	case len(entries) > maxLanguages:
		p.faultf("has %d languages, at most %d are allowed", len(entries), maxLanguages)
		return t
	case p.isEmpty(yaml.MappingNode):
		p.fault("must hold at least one language")
	}
	for _, e := range entries {
		if l, ok := readLanguage(e); ok {
			t.languages = append(t.languages, l)
		}
	}
	return t
}

// readLanguage reads one entry: a text, or a mapping with more than that.
func readLanguage(e entry) (language, bool) {
	if !sms.IsLanguage(e.name) {
		e.at.fault("must be a language tag (BCP 47), as en, zh or pt-BR")
		return language{}, false
	}
	l := language{tag: e.name, at: e.value, fields: map[string]place{}}
	if e.value.node.Kind == yaml.MappingNode {
		return l, l.readAll()
	}
	text, ok := e.value.text("the text of the message, or a mapping with text, sign and more")
	l.options.Text, l.fields["text"] = text, e.value
	return l, ok && l.short("text", text, sms.MaxTemplate)
}

func (l *language) readAll() bool {
	o, ok := l.at.object("text", "sign", "web_otp", "android_hash", "gateways")
	if !ok {
		return false
	}
	before := len(o.report.faults)
	o.require("text")
	l.options.Text = l.read(o, "text", "", sms.MaxTemplate)
	l.options.Sign = l.read(o, "sign", "", sms.MaxSign)
	l.options.WebOTP = l.read(o, "web_otp", "", maxHost)
	l.options.AndroidHash = l.read(o, "android_hash", "", sms.MaxSign)
	if p, there := o.fields["gateways"]; there {
		l.readGateways(p)
	}
	return len(o.report.faults) == before
}

// maxHost is the longest host name (RFC 1035, section 2.3.4), in bytes.
const maxHost = 253

// read returns the text under key, which is not empty if it is there, and keeps its place under the path before it.
func (l *language) read(o object, key, path string, most int) string {
	p, there := o.fields[key]
	if !there {
		return ""
	}
	l.fields[path+key] = p
	text, ok := p.text("a text")
	switch {
	case !ok:
	case text == "":
		p.fault("is empty")
	default:
		l.short(path+key, text, most)
	}
	return text
}

func (l *language) short(field, text string, most int) bool {
	if len(text) > most {
		l.fields[field].faultf("must be at most %d bytes", most)
	}
	return len(text) <= most
}
