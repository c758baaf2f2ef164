package policy

import (
	"time"

	"go.yaml.in/yaml/v3"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

const maxScenes = 64

// The bounds of how many attempts a code allows.
const minAttempts, maxAttempts = 1, 20

var lifetimes = span{30 * time.Second, 24 * time.Hour, time.Second}

// maxLanguages bounds the templates of a scene: CLDR has some 200 languages with a translation of any size.
const maxLanguages = 200

// scene is a scene, its rules and where it stands.
type scene struct {
	*sms.Scene
	rules []rule
	texts texts // what its Templates are made of
	money place // where Budget.Price stands, if it does
	at    place
}

var resends = choices[bool]{{"same", false}, {"rotate", true}}

var requirements = choices[bool]{{"device", true}}

var numberTypes = typeChoices()

func typeChoices() (all choices[phone.Type]) {
	for t := phone.Mobile; t <= phone.Voicemail; t++ {
		all = append(all, choice[phone.Type]{t.String(), t})
	}
	return append(all, choice[phone.Type]{phone.Unknown.String(), phone.Unknown})
}

func readScenes(p place) []scene {
	entries := p.entries("a mapping of scenes")
	switch {
	case len(entries) > maxScenes:
		p.faultf("has %d scenes, at most %d are allowed", len(entries), maxScenes)
		return nil
	case p.isEmpty(yaml.MappingNode):
		p.fault("must hold at least one scene")
	}
	var scenes []scene
	for _, e := range entries {
		if !isName(e.name) {
			e.at.fault(nameRule)
		}
		if s, ok := readScene(e.value, e.name); ok {
			scenes = append(scenes, s)
		}
	}
	return scenes
}

func readScene(p place, name string) (scene, bool) {
	o, ok := p.object("code", "resend", "default_region", "countries", "number_types", "require", "templates", "limits", "budget")
	if !ok {
		return scene{}, false
	}
	o.require("templates")
	s := scene{at: p, texts: o.texts("templates"), Scene: &sms.Scene{
		Name:          name,
		Rotate:        choose(o, "resend", false, resends),
		DefaultRegion: o.region("default_region"),
		Countries:     o.countries("countries"),
		NumberTypes:   picks(o, "number_types", []phone.Type{phone.Mobile, phone.FixedOrMobile}, numberTypes),
		RequireDevice: len(picks(o, "require", nil, requirements)) > 0,
	}}
	o.notEmpty("number_types", "countries")
	s.Budget, s.money = o.budget("budget")
	s.CodeLength, s.TTL, s.Attempts = o.code("code")
	if limits, there := o.fields["limits"]; there {
		s.rules = readRules(limits, name)
	}
	return s, true
}

func (o object) code(key string) (digits int, ttl time.Duration, attempts int) {
	code := object{}
	if p, there := o.fields[key]; there {
		code, _ = p.object("length", "ttl", "attempts")
	}
	return int(code.integer("length", 6, sms.MinCodeLength, sms.MaxCodeLength)),
		code.duration("ttl", 5*time.Minute, lifetimes),
		int(code.integer("attempts", 5, minAttempts, maxAttempts))
}

// notEmpty reports lists in which nothing stands, where that would serve nobody.
func (o object) notEmpty(keys ...string) {
	for _, key := range keys {
		if p, there := o.fields[key]; there && p.isEmpty(yaml.SequenceNode) {
			p.fault("must name at least one")
		}
	}
}
