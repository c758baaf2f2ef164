package phone

// set is some of the expressions of an automaton, by their place in its list: 32 at most.
type set uint32

func (s set) has(i int) bool { return s>>i&1 != 0 }

// automaton tells which of some expressions match a whole text of digits, in one look at each digit: a deterministic finite
// automaton. The numbering plans ask a dozen expressions about every number, and package regexp goes through each for itself, place
// by place.
type automaton struct {
	next    [][10]uint16 // by state and digit; state 0 leads nowhere
	accepts []set        // what matches if the text ends in the state
}

// start is the state before the first digit.
const start = 1

// matching returns the expressions that match digits, which are ASCII.
func (a *automaton) matching(digits string) set {
	state := uint16(start)
	for i := range len(digits) {
		state = a.next[state][digits[i]-'0']
	}
	return a.accepts[state]
}
