package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

// Parse reads a policy file. The error is a [Faults]: every fault at once. Warnings are for people, in
// the order of the lines, of what is allowed but hardly meant; docs/policy.md lists them. They are returned beside
// faults too.
func Parse(text []byte) (p *sms.Policy, warnings []string, err error) {
	return parse(text, time.Now())
}

func parse(text []byte, now time.Time) (*sms.Policy, []string, error) {
	r := &report{}
	root, ok := document(text, r)
	if !ok {
		return nil, nil, r.err()
	}
	f := readFile(root, now)
	rules := f.compile(root)
	f.warn()
	if err := r.err(); err != nil {
		return nil, r.notes(), err
	}
	p := f.policy()
	p.Rules, p.Version = rules, version(text)
	return p, r.notes(), nil
}

// version names a text by what stands in it.
func version(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:12]
}

// file is everything that stands in a file.
type file struct {
	rules  []rule // of every scene
	scenes []scene
	at     place // of the scenes
	tests  []testNumber
	blocks []sms.Block
	local  localBlock
}

func readFile(root place, now time.Time) (f file) {
	o, ok := root.object("limits", "scenes", "test_numbers", "block", localBlockKey)
	if !ok {
		return f
	}
	o.require("scenes")
	f.local = readLocalBlock(o)
	if p, there := o.fields["limits"]; there {
		f.rules = readRules(p, "")
	}
	if p, there := o.fields["scenes"]; there {
		f.scenes, f.at = readScenes(p), p
	}
	if p, there := o.fields["test_numbers"]; there {
		f.tests = readTestNumbers(p, now)
	}
	if p, there := o.fields["block"]; there {
		f.blocks = readBlocks(p, now)
	}
	return f
}

// all returns the rules of every scene, then those of each.
func (f file) all() []rule {
	all := append([]rule(nil), f.rules...)
	for _, s := range f.scenes {
		all = append(all, s.rules...)
	}
	return all
}

func (f file) policy() *sms.Policy {
	p := &sms.Policy{Scenes: map[string]*sms.Scene{}, TestNumbers: map[phone.Number]sms.TestNumber{}, Blocks: f.blocks, LocalBlock: f.local.length}
	for _, s := range f.scenes {
		p.Scenes[s.Name] = s.Scene
	}
	for _, t := range f.tests {
		p.TestNumbers[t.number] = t.TestNumber
	}
	return p
}
