package throttle

// eachVerdict calls do for every verdict, with its group and the place of its rule there.
func eachVerdict(groups []*group, verdicts []Verdict, do func(g *group, rule int, v Verdict)) {
	for _, g := range groups {
		for i := range g.rules {
			do(g, i, verdicts[i])
		}
		verdicts = verdicts[len(g.rules):]
	}
}

// refusal returns the decision of the enforced rule that refuses for longest; of several, the first.
func refusal(groups []*group, verdicts []Verdict) (d Decision) {
	eachVerdict(groups, verdicts, func(g *group, rule int, v Verdict) {
		if v.Refused && !g.shadow(rule) && v.Wait > d.RetryAfter {
			d = Decision{Rule: g.labels[rule], Used: v.Used, Limit: g.rules[rule].Limit, RetryAfter: v.Wait}
		}
	})
	return d
}

func usages(groups []*group, verdicts []Verdict) []Usage {
	all := make([]Usage, 0, len(verdicts))
	eachVerdict(groups, verdicts, func(g *group, rule int, v Verdict) {
		r := g.rules[rule]
		all = append(all, Usage{
			Rule: g.labels[rule], By: r.By, Mode: r.Mode, Limit: r.Limit, Window: r.Window, Burst: r.Size(),
			Used: v.Used, RetryAfter: v.Wait,
		})
	})
	return all
}

// shadowed names the rules in Shadow mode that would have refused; nil if none.
func shadowed(groups []*group, verdicts []Verdict) (rules []string) {
	eachVerdict(groups, verdicts, func(g *group, rule int, v Verdict) {
		if v.Refused && g.shadow(rule) {
			rules = append(rules, g.labels[rule])
		}
	})
	return rules
}
