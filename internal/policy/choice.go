package policy

import "strings"

// choice is a word of the format and what it means.
type choice[T any] struct {
	word string
	is   T
}

// choices are the words that a key takes, in the order in which a fault names them.
type choices[T any] []choice[T]

func choose[T any](o object, key string, missing T, among choices[T]) T {
	p, there := o.fields[key]
	if !there {
		return missing
	}
	value, ok := pick(p, among)
	if !ok {
		return missing
	}
	return value
}

func pick[T any](p place, among choices[T]) (value T, ok bool) {
	var words []string
	for _, c := range among {
		words = append(words, c.word)
	}
	what := "one of " + strings.Join(words, ", ")
	text, ok := p.text(what)
	if !ok {
		return value, false
	}
	for _, c := range among {
		if c.word == text {
			return c.is, true
		}
	}
	p.fault("must be " + what)
	return value, false
}

// picks reads a list of different words.
func picks[T any](o object, key string, missing []T, among choices[T]) []T {
	p, there := o.fields[key]
	if !there {
		return missing
	}
	var values []T
	first := map[string]bool{}
	for _, item := range p.list(len(among), "a list, as ["+among[0].word+"]") {
		value, ok := pick(item, among)
		switch {
		case ok && first[item.node.Value]:
			item.fault("is in the list already")
		case ok:
			values = append(values, value)
			first[item.node.Value] = true
		}
	}
	return values
}
