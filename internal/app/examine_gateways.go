package app

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// examineTime bounds the examination of one gateway: some ten questions, of which carriers answer each in a fraction of a second.
const examineTime = 10 * time.Second

// Examined is one thing that was looked at about a gateway.
type Examined struct {
	Gateway string
	gateway.Finding
}

// CheckGateways is [Check] for those who try the gateways alone: its error is the faults of their settings and of the policy, whatever
// else the settings lack.
func CheckGateways(cfg *config.Config) (warnings []string, err error) {
	faults := checkGateways(cfg)
	_, warnings, more := checkPolicy(cfg)
	return warnings, append(faults, more...).Err()
}

// ExamineGateways asks the carriers of the named gateways, all at once, whether messages would go, and returns what was found,
// gateway by gateway. It sends none, and takes 10 s at most. cfg has passed [CheckGateways], and has all of names. The error is
// of a policy file that was changed since.
func ExamineGateways(ctx context.Context, cfg *config.Config, names []string) ([]Examined, error) {
	p, _, faults := checkPolicy(cfg)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	all := make([][]Examined, len(names))
	var group sync.WaitGroup
	for i, name := range names {
		group.Go(func() { all[i] = examineGateway(ctx, cfg, p, name) })
	}
	group.Wait()
	return slices.Concat(all...), nil
}

func examineGateway(ctx context.Context, cfg *config.Config, p *sms.Policy, name string) []Examined {
	ctx, cancel := context.WithTimeout(ctx, examineTime)
	defer cancel()
	g := cfg.Gateways[name]
	k := kinds()[g.Kind]
	driver, err := k.open(name, g)
	if err != nil { // checked before, so that a file was changed meanwhile
		return []Examined{{name, gateway.Finding{What: "settings", Grade: gateway.Bad, Text: err.Error(), Advice: "see smsd config check"}}}
	}
	all := []Examined{{name, gateway.Finding{What: "settings", Text: "they hold, of kind " + g.Kind}}}
	for _, f := range ask(ctx, driver, k.forTests, templatesOf(p, name)) {
		all = append(all, Examined{name, f})
	}
	return all
}

func ask(ctx context.Context, d gateway.Driver, forTests bool, templates []gateway.Template) []gateway.Finding {
	examiner, can := d.(gateway.Examiner)
	switch {
	case can:
		return examiner.Examine(ctx, templates)
	case forTests:
		return []gateway.Finding{{What: "carrier", Text: "there is none: messages reach nobody"}}
	}
	return []gateway.Finding{{What: "carrier", Grade: gateway.Doubtful, Text: "a gateway of this kind can't be asked", Advice: "send a message: smsd gateway send-test"}}
}

// GatewayNames returns the names of the gateways that the settings have, in the order of the alphabet.
func GatewayNames(cfg *config.Config) []string { return slices.Sorted(maps.Keys(cfg.Gateways)) }
