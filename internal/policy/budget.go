package policy

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// budget reads what a message may take. price is where its price stands, if it does.
func (o object) budget(key string) (b sms.Budget, price place) {
	p, there := o.fields[key]
	if !there {
		return b, price
	}
	budget, ok := p.object("segments", "price")
	if !ok {
		return b, price
	}
	if p.isEmpty(yaml.MappingNode) {
		p.fault("must have segments, price, or both")
	}
	b.Segments = int(budget.integer("segments", 0, 1, gateway.MaxSegments))
	b.Price = budget.money("price")
	return b, budget.fields["price"]
}

// refuseOverBudget reports every text that takes more than its scene allows.
func (f file) refuseOverBudget() {
	f.eachText(func(t terms, s scene, l language, text Text) {
		for _, what := range text.Over {
			t.whose(l.wording(text.Gateway)).fault(what)
		}
	})
}

// warnOfTexts tells of texts that are billed more than once, where no budget says that they may, and of prices that no
// budget can be held against.
func (t terms) warnOfTexts() {
	t.eachText(func(s scene, l language, text Text) {
		if text.Segments > 1 && s.Budget.Segments == 0 {
			t.whose(l.wording(text.Gateway)).warnf("takes up to %s; a budget of segments in the scene says how many it may", text.size())
		}
	})
	for _, s := range t.scenes {
		t.warnOfBudget(s)
	}
}

// warnOfBudget tells of a budget that binds nothing, since no price is known in its currency, or not all that the scene may cost.
func (t terms) warnOfBudget(s scene) {
	limit := s.Budget.Price
	if limit.IsZero() || !t.ownTexts() {
		return
	}
	bound := func(currency string) bool { return currency == limit.Currency }
	currencies := newScale(s.Scene, pricesOf(t.prices)).currencies()
	others := slices.DeleteFunc(slices.Clone(currencies), bound)
	switch {
	case !slices.ContainsFunc(currencies, bound):
		t.whose(s.money).warnf("bounds nothing: no price of a message of this scene is known in %s", limit.Currency)
	case len(others) > 0:
		t.whose(s.money).warnf("does not bound what is priced in %s: amounts in different currencies are not compared", strings.Join(others, ", "))
	}
}

// over says in what text and its costs exceed b.
func over(b sms.Budget, text Text) (all []string) {
	if b.Segments > 0 && text.Segments > b.Segments {
		all = append(all, fmt.Sprintf("takes up to %s; the scene's budget is %s", text.size(), segments(b.Segments)))
	}
	for _, cost := range text.Costs {
		if cost.Currency == b.Price.Currency && cost.Micros > b.Price.Micros {
			all = append(all, fmt.Sprintf("costs up to %s, at %s; the scene's budget is %s", cost, text.size(), b.Price))
		}
	}
	return all
}

func segments(n int) string {
	if n == 1 {
		return "1 segment"
	}
	return fmt.Sprintf("%d segments", n)
}
