package throttle

// RuleSet is the rules of one policy version, compiled into plans: immutable, safe for concurrent use.
type RuleSet struct {
	rules []Rule
}

// Compile checks rules, for events of the named scenes, and compiles them. It returns every fault it
// finds, joined; each names its rule. Two scenes whose marks collide are a fault.
func Compile(rules []Rule, scenes []string) (*RuleSet, error) {
	panic("unbuilt")
}

// Rules returns the rules as they were given; not to be changed.
func (s *RuleSet) Rules() []Rule { return s.rules }
