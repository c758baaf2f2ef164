package throttle

import "slices"

// kindSet is a set of kinds, a bit for each.
type kindSet uint16

func setOf(kinds []Kind) (s kindSet) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

func (s kindSet) has(k Kind) bool               { return s&(1<<k) != 0 }
func (s kindSet) without(kinds ...Kind) kindSet { return s &^ setOf(kinds) }

// list returns the members in the order of the constants.
func (s kindSet) list() (members []Kind) {
	for k := Phone; k < kinds; k++ {
		if s.has(k) {
			members = append(members, k)
		}
	}
	return members
}

// keyKinds returns the kinds that make the key of a rule: its By without Scene, which is a mark on
// entries, and without App, which is part of every subject's identity anyway, unless nothing else is left.
func keyKinds(by []Kind) kindSet {
	s := setOf(by).without(Scene)
	if rest := s.without(App); rest != 0 {
		return rest
	}
	return s
}

// tagKind returns the kind whose subject tags the key; 0 for the one counter over all.
func (s kindSet) tagKind() Kind {
	if s.has(IP) {
		s |= setOf([]Kind{IPNet})
	}
	i := slices.IndexFunc(tagOrder, s.has)
	if i < 0 {
		return 0
	}
	return tagOrder[i]
}

// letters spells s; "t" (total) if it is empty.
func (s kindSet) letters() string {
	if s == 0 {
		return "t"
	}
	var b []byte
	for _, k := range s.list() {
		b = append(b, kindTable[k].letter)
	}
	return string(b)
}
