package policy

import (
	"slices"
	"time"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

const (
	limitsKey      = "limits"
	scenesKey      = "scenes"
	testNumbersKey = "test_numbers"
	blockKey       = "block"
	routesKey      = "routes"
)

// termsKeys are what may stand at the top, and in the section of an app.
var termsKeys = []string{limitsKey, scenesKey, testNumbersKey, blockKey, localBlockKey, variablesKey, routesKey, pricesKey}

// terms are what stands at the top of a file; or, of an app, what its section states and what it inherits.
type terms struct {
	app      string           // "" of the top
	at       place            // of all
	fields   map[string]place // what is stated
	rules    []rule           // of every scene
	scenes   []scene
	scenesAt place
	tests    []testNumber
	blocks   []sms.Block // stated ones alone
	local    localBlock
	// variables are those of the templates, of an app the top's among them.
	variables sms.Variables
	routes    []route
	prices    []price
	// beside are rules over all apps that stand at the top among what the section has otherwise.
	beside []rule
}

func readTerms(o object, now time.Time) terms {
	t := terms{at: o.place, fields: o.fields, local: readLocalBlock(o), variables: o.variables(variablesKey)}
	if p, there := o.fields[limitsKey]; there {
		t.rules = readRules(p, "")
	}
	if p, there := o.fields[scenesKey]; there {
		t.scenes, t.scenesAt = readScenes(p), p
	}
	if p, there := o.fields[testNumbersKey]; there {
		t.tests = readTestNumbers(p, now)
	}
	if p, there := o.fields[blockKey]; there {
		t.blocks = readBlocks(p, now)
	}
	if p, there := o.fields[routesKey]; there {
		t.routes = readRoutes(p)
	}
	if p, there := o.fields[pricesKey]; there {
		t.prices = readPrices(p)
	}
	return t
}

func (t terms) states(key string) bool {
	_, there := t.fields[key]
	return there
}

// stated returns the keys that are there, in the order of termsKeys.
func (t terms) stated() []string {
	return slices.DeleteFunc(slices.Clone(termsKeys), func(key string) bool { return !t.states(key) })
}

// ownRules reports whether t has rules of its own: an app has, if its section has limits or scenes.
func (t terms) ownRules() bool { return t.app == "" || t.states(limitsKey) || t.states(scenesKey) }

// all returns the rules over all apps that are not among the others, the rules of every scene, then those of each.
func (t terms) all() []rule {
	all := append(slices.Clone(t.beside), t.rules...)
	for _, s := range t.scenes {
		all = append(all, s.rules...)
	}
	return all
}

// stating returns the rules that stand in t itself.
func (t terms) stating() []rule {
	return slices.DeleteFunc(t.all(), func(r rule) bool { return r.inherited })
}

func (t terms) sceneNames() []string {
	var names []string
	for _, s := range t.scenes {
		names = append(names, s.Name)
	}
	return names
}

// fill puts t into p. What it inherits it shares with top.
func (t terms) fill(p, top *sms.Policy) {
	p.Blocks, p.LocalBlock = t.blocks, t.local.length
	p.Scenes, p.TestNumbers, p.Routes, p.Prices = top.Scenes, top.TestNumbers, top.Routes, top.Prices
	if t.app == "" || t.states(routesKey) {
		p.Routes = routesOf(t.routes)
	}
	if t.app == "" || t.states(scenesKey) || t.states(variablesKey) {
		p.Scenes = map[string]*sms.Scene{}
		for _, s := range t.scenes {
			p.Scenes[s.Name] = s.Scene
		}
	}
	if t.app == "" || t.states(testNumbersKey) {
		p.TestNumbers = map[phone.Number]sms.TestNumber{}
		for _, n := range t.tests {
			p.TestNumbers[n.number] = n.TestNumber
		}
	}
	if t.app == "" || t.states(pricesKey) {
		p.Prices = pricesOf(t.prices)
	}
}
