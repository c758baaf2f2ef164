package policy

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// object is a mapping with a fixed set of keys.
type object struct {
	place
	fields map[string]place
}

// object reads p as a mapping with the known keys; another key is a fault. ok is false if p is no mapping.
func (p place) object(known ...string) (o object, ok bool) {
	o = object{p, map[string]place{}}
	if !p.is(yaml.MappingNode, "a mapping with the keys "+strings.Join(known, ", ")) {
		return o, false
	}
	for _, e := range p.entries("") {
		if !contains(known, e.name) {
			e.at.fault(unknownKey(e.name, known))
			continue
		}
		o.fields[e.name] = e.value
	}
	return o, true
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func unknownKey(key string, known []string) string {
	if word := nearest(key, known); word != "" {
		return "unknown key; did you mean " + word + "?"
	}
	return "unknown key; known are " + strings.Join(known, ", ")
}

// require reports each of the keys that is not there.
func (o object) require(keys ...string) {
	for _, key := range keys {
		if _, there := o.fields[key]; !there {
			missing := o.place
			missing.path = strings.TrimPrefix(o.path+"."+key, ".")
			missing.fault("is required")
		}
	}
}
