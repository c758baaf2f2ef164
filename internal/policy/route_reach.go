package policy

// travellers are those whom a list of routes is for: the scenes of an app, and of every app that inherits the list.
type travellers struct {
	terms
	all []scene
}

// travellers returns each list of routes that is stated, and the scenes of its messages.
func (f file) travellers() []travellers {
	top := travellers{f.top, f.top.scenes}
	var all []travellers
	for _, t := range f.apps {
		switch {
		case t.states(routesKey):
			all = append(all, travellers{t, t.scenes})
		case t.states(scenesKey):
			top.all = append(top.all, t.scenes...)
		}
	}
	return append(all, top)
}

// refuseUnknownScenes reports routes by scenes that nobody has.
func (f file) refuseUnknownScenes() {
	for _, to := range f.travellers() {
		if len(to.all) > 0 { // else scenes are at fault themselves
			to.refuseUnknownScenes()
		}
	}
}

func (to travellers) refuseUnknownScenes() {
	known := map[string]bool{}
	var words []string
	for _, s := range to.all {
		known[s.Name] = true
		words = append(words, s.Name)
	}
	for _, r := range to.routes {
		for name, at := range r.scenes {
			if !known[name] {
				at.fault(unknownScene(name, words))
			}
		}
	}
}

func unknownScene(name string, known []string) string {
	if word := nearest(name, known); word != "" {
		return "no such scene; did you mean " + masked(word) + "?"
	}
	return "no such scene"
}

// warnOfRoutes warns of routes that no message can ever take.
func (f file) warnOfRoutes() {
	for _, to := range f.travellers() {
		reached := make([]bool, len(to.routes))
		for _, s := range to.all {
			to.reach(s, reached)
		}
		for i, r := range to.routes {
			if !reached[i] {
				r.at.warnf("can never be taken: routes above it take all its messages, or its scenes serve none of its countries")
			}
		}
	}
}

// reach marks the routes that messages of s can take.
func (to travellers) reach(s scene, reached []bool) {
	taken := map[string]bool{}
	for i, r := range to.routes {
		if r.Scenes != nil && !r.Scenes[s.Name] {
			continue
		}
		countries := r.Countries
		if countries == nil {
			if s.Countries.All {
				reached[i] = true
				return
			}
			countries = s.Countries.Named
		}
		for country := range countries {
			if !taken[country] && s.Countries.Allows(country) {
				taken[country], reached[i] = true, true
			}
		}
	}
}
