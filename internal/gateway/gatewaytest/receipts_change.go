package gatewaytest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"smsd/internal/gateway"
)

// refusesChanged: whatever byte of a signed part is another, is missing or is there twice, the call is refused, or else means the very
// same (%2B may be written %2b). Of many faults of a kind one is told.
func refusesChanged(b receiptBench) []string {
	p, want := b.harness.Call(b.t, 0, arrival)
	found := map[string]string{}
	for part, change := range b.harness.Signed.parts(p) {
		for i, changed := range variants(change.text) {
			got, faults, err := b.read(change.put(changed))
			if err == nil && !reflect.DeepEqual(got, want) {
				faults = append(faults, "is read, and means something else")
			}
			for _, fault := range faults {
				found[part+fault] = fmt.Sprintf("%s with change %d: %s", part, i, fault)
			}
		}
	}
	return slices.Sorted(maps.Values(found))
}

// A part of a call, and how another is put in its place.
type part struct {
	text string
	put  func(string) gateway.Post
}

func (s Signed) parts(p gateway.Post) map[string]part {
	parts := map[string]part{}
	if s.Body {
		parts["the body"] = part{string(p.Body), func(text string) gateway.Post { q := p; q.Body = []byte(text); return q }}
	}
	if s.URL {
		parts["the URL"] = part{p.URL, func(text string) gateway.Post { q := p; q.URL = text; return q }}
	}
	if s.Secret {
		parts["the secret"] = part{p.Secret, func(text string) gateway.Post { q := p; q.Secret = text; return q }}
	}
	for _, name := range s.Headers {
		parts["the header "+name] = part{strings.Join(p.Header[name], ","), func(text string) gateway.Post {
			q := p
			q.Header = maps.Clone(p.Header)
			q.Header[name] = []string{text}
			return q
		}}
	}
	return parts
}

// variants returns text with each of its bytes changed in turn: to its neighbour, to the other case, to no ASCII, away, doubled.
func variants(text string) []string {
	var all []string
	for i := range len(text) {
		before, c, after := text[:i], text[i], text[i+1:]
		for _, mask := range []byte{0x01, 0x20, 0x80} {
			all = append(all, before+string([]byte{c ^ mask})+after)
		}
		all = append(all, before+after, before+string([]byte{c, c})+after)
	}
	return all
}
