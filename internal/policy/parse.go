package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Parse reads a policy file. The error is a [Faults]: every fault at once. Warnings are for people, in
// the order of the lines, of what is allowed but hardly meant; docs/policy.md lists them. They are returned beside
// faults too.
func Parse(text []byte) (p *sms.Policy, warnings []string, err error) {
	return parse(text, time.Now())
}

func parse(text []byte, now time.Time) (*sms.Policy, []string, error) {
	return parseWith(text, now, file.refuseOverBudget)
}

// parseWith parses, and has more checks made of what was read.
func parseWith(text []byte, now time.Time, check func(file)) (*sms.Policy, []string, error) {
	r := &report{}
	root, ok := document(text, r)
	if !ok {
		return nil, nil, r.err()
	}
	f := readFile(root, now)
	f.refuseUnknownScenes()
	check(f)
	rules := f.compile()
	f.warn()
	if err := r.err(); err != nil {
		return nil, r.notes(), err
	}
	return f.policy(version(text), rules), r.notes(), nil
}

// version names a text by what stands in it.
func version(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:12]
}

const appsKey = "apps"

// file is everything that stands in a file.
type file struct {
	top  terms // of every app that has none of its own
	apps []terms
	at   place // of the apps
}

func readFile(root place, now time.Time) (f file) {
	o, ok := root.object(append(slices.Clone(termsKeys), appsKey)...)
	if !ok {
		return f
	}
	o.require(scenesKey)
	f.top = readTerms(o, now)
	if p, there := o.fields[appsKey]; there {
		f.apps, f.at = readApps(p, f.top, now), p
	}
	f.makeTemplates()
	return f
}

// each returns the top's terms and then those of every app.
func (f file) each() []terms { return append([]terms{f.top}, f.apps...) }

// policy makes one of what was read; rules are those of each.
func (f file) policy(version string, rules []*throttle.RuleSet) *sms.Policy {
	top := &sms.Policy{}
	for i, t := range f.each() {
		p := top
		if i > 0 {
			p = &sms.Policy{Stated: t.stated()}
			if top.Apps == nil {
				top.Apps = map[string]*sms.Policy{}
			}
			top.Apps[t.app] = p
		}
		p.Version, p.Rules = version, rules[i]
		t.fill(p, top)
	}
	return top
}
