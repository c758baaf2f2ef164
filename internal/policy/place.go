package policy

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// place is one value of the file, and where it stands.
type place struct {
	report *report
	node   *yaml.Node
	path   string
	// subject goes before every message, as `rule "login/cooldown": `; may be empty.
	subject string
}

func (p place) fault(message string) {
	p.report.fault(Fault{p.node.Line, p.node.Column, p.path, p.subject + message})
}

func (p place) faultf(format string, args ...any) { p.fault(fmt.Sprintf(format, args...)) }

func (p place) warnf(format string, args ...any) {
	p.report.warn(Fault{p.node.Line, p.node.Column, p.path, p.subject + fmt.Sprintf(format, args...)})
}

// key is the place of the value under the key that name is.
func (p place) key(name, value *yaml.Node) place {
	path := shown(name.Value)
	switch {
	case name.Kind != yaml.ScalarNode: // a fault itself, and nameless
		path = p.path
	case p.path != "":
		path = p.path + "." + path
	}
	return place{p.report, value, path, p.subject}
}

func (p place) item(i int, value *yaml.Node) place {
	return place{p.report, value, p.path + "[" + strconv.Itoa(i) + "]", p.subject}
}

// children returns every place below p, keys included.
func (p place) children() []place {
	var below []place
	for i, n := range p.node.Content {
		switch {
		case p.node.Kind == yaml.SequenceNode:
			below = append(below, p.item(i, n))
		case i%2 == 0:
			below = append(below, p.key(n, n))
		default:
			below = append(below, p.key(p.node.Content[i-1], n))
		}
	}
	return below
}

// is reports whether p's value is of the kind; if it is not, that is a fault, and what names what it must be.
func (p place) is(kind yaml.Kind, what string) bool {
	switch {
	case p.node.Kind == kind && !isNull(p.node):
		return true
	case isNull(p.node):
		p.faultf("has no value; must be %s", what)
	case p.node.Kind != yaml.AliasNode: // which is a fault already
		p.faultf("must be %s", what)
	}
	return false
}

// isEmpty reports whether p is a [] or a {}.
func (p place) isEmpty(kind yaml.Kind) bool {
	return p.node.Kind == kind && len(p.node.Content) == 0
}

// list returns the items of a list of at most most, or reports that it is none.
func (p place) list(most int, what string) []place {
	if !p.is(yaml.SequenceNode, what) {
		return nil
	}
	if n := len(p.node.Content); n > most {
		p.faultf("has %d entries, at most %d are allowed", n, most)
		return nil
	}
	return p.children()
}

// entry is one key of a mapping with its value.
type entry struct {
	name  string
	at    place // of the key
	value place
}

// entries returns the keys of a mapping in their order, each once, or reports that it is none.
func (p place) entries(what string) []entry {
	if !p.is(yaml.MappingNode, what) {
		return nil
	}
	first := map[string]int{} // the line of each key
	var found []entry
	for below := p.children(); len(below) >= 2; below = below[2:] {
		e := entry{below[0].node.Value, below[0], below[1]}
		switch line, twice := first[e.name]; {
		case e.at.node.Kind != yaml.ScalarNode:
			e.at.is(yaml.ScalarNode, "a word")
		case e.name == "<<":
			e.at.fault("merge keys (<<) are not supported; write the values out")
		case twice:
			e.at.faultf("is there already, on line %d", line)
		default:
			first[e.name] = e.at.node.Line
			found = append(found, e)
		}
	}
	return found
}

// text returns the characters of a scalar, quoted or not: 000000 and "000000" are the same.
func (p place) text(what string) (string, bool) {
	if !p.is(yaml.ScalarNode, what) {
		return "", false
	}
	return p.node.Value, true
}
