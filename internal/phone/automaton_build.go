package phone

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
)

// maxStates bounds what a plan may take: 24 bytes each. Of 2026's metadata no region has above 500.
const maxStates = 1 << 14

// builder makes an automaton of the programs that package regexp runs: a state is the set of all places in them where a match
// may have come to (the subset construction).
type builder struct {
	code  []syntax.Inst
	of    []int // the expression that a place belongs to
	known map[string]uint16
	sets  [][]uint32 // by state
	automaton

	// What follow works with: the places to go on from, and by place in which of its rounds it was met last.
	todo  []uint32
	met   []int
	round int
}

// newAutomaton takes expressions of the syntax of package regexp, as many as a set holds. An empty one matches nothing. It fails
// where one is none, or asks for the ends of words, and where all of them take more than maxStates.
func newAutomaton(expressions []string) (*automaton, error) {
	b := &builder{known: map[string]uint16{}}
	var first []uint32
	for i, text := range expressions {
		if text == "" {
			continue
		}
		begin, err := b.load(i, text)
		if err != nil {
			return nil, err
		}
		first = append(first, begin)
	}
	b.state(nil)
	b.state(b.follow(first, syntax.EmptyBeginText|syntax.EmptyBeginLine))
	for at := start; at < len(b.sets); at++ {
		if len(b.sets) > maxStates {
			return nil, fmt.Errorf("more than %d states", maxStates)
		}
		for digit := range b.next[at] {
			b.next[at][digit] = b.state(b.step(b.sets[at], '0'+rune(digit)))
		}
	}
	return &b.automaton, nil
}

// load appends the program of an expression, and returns where it begins.
func (b *builder) load(i int, text string) (begin uint32, err error) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, err
	}
	base := uint32(len(b.code))
	for _, inst := range program.Inst {
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
			return 0, errors.New("an expression asks for the ends of words")
		}
		inst.Out += base
		if inst.Op == syntax.InstAlt || inst.Op == syntax.InstAltMatch {
			inst.Arg += base
		}
		b.code, b.of, b.met = append(b.code, inst), append(b.of, i), append(b.met, 0)
	}
	return base + uint32(program.Start), nil
}

// state returns the number of a set of places, which is a new one if it was not met before.
func (b *builder) state(places []uint32) uint16 {
	var name []byte
	for _, at := range places {
		name = binary.BigEndian.AppendUint32(name, at)
	}
	if number, met := b.known[string(name)]; met {
		return number
	}
	number := uint16(len(b.sets))
	b.known[string(name)] = number
	b.sets, b.next = append(b.sets, places), append(b.next, [10]uint16{})
	b.accepts = append(b.accepts, b.ends(places))
	return number
}

// step goes on with a digit.
func (b *builder) step(places []uint32, digit rune) []uint32 {
	var after []uint32
	for _, at := range places {
		if inst := &b.code[at]; isRune(inst.Op) && inst.MatchRune(digit) {
			after = append(after, inst.Out)
		}
	}
	return b.follow(after, 0)
}

// ends are the expressions that match if the text ends here.
func (b *builder) ends(places []uint32) (matching set) {
	for _, at := range b.follow(places, syntax.EmptyEndText|syntax.EmptyEndLine) {
		if b.code[at].Op == syntax.InstMatch {
			matching |= 1 << b.of[at]
		}
	}
	return matching
}

// follow returns the places that are reached from some without a digit (their epsilon closure), where what is asked of the place in the text holds:
// those that wait for a digit, a match, or what does not hold here, in order.
func (b *builder) follow(from []uint32, holds syntax.EmptyOp) (places []uint32) {
	b.round++
	todo := append(b.todo[:0], from...)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.met[at] == b.round {
			continue
		}
		b.met[at] = b.round
		switch inst := &b.code[at]; {
		case inst.Op == syntax.InstAlt || inst.Op == syntax.InstAltMatch:
			todo = append(todo, inst.Out, inst.Arg)
		case inst.Op == syntax.InstCapture || inst.Op == syntax.InstNop,
			inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^holds == 0:
			todo = append(todo, inst.Out)
		default:
			places = append(places, at)
		}
	}
	b.todo = todo
	slices.Sort(places)
	return places
}

func isRune(op syntax.InstOp) bool {
	return op == syntax.InstRune || op == syntax.InstRune1 || op == syntax.InstRuneAny || op == syntax.InstRuneAnyNotNL
}
