package policy_test

import (
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// Each rule counts three messages under the one policy, and is looked at under the other: what the page says
// under "What changes while counters run".
func TestWhatTheRunningCountersKeep(t *testing.T) {
	t.Parallel()
	const log, counter = "limit: 9, window: 1h", "limit: 900, window: 1h"
	for name, c := range map[string]struct {
		before, after, rule string
		want                int64
	}{
		"a log rule, as it is":          {"{name: a, by: [phone], " + log + "}", "{name: a, by: [phone], " + log + "}", "a", 3},
		"a log rule renamed":            {"{name: a, by: [phone], " + log + "}", "{name: b, by: [phone], " + log + "}", "b", 3},
		"a counter rule renamed":        {"{name: a, by: [phone], " + counter + "}", "{name: b, by: [phone], " + counter + "}", "b", 0},
		"a shadow rule renamed":         {"{name: a, by: [phone], " + log + ", mode: shadow}", "{name: b, by: [phone], " + log + ", mode: shadow}", "b", 0},
		"a shadow alone with its key":   {"{name: a, by: [phone], " + log + ", mode: shadow}", "{name: a, by: [phone], " + log + "}", "a", 3},
		"a shadow counter alone":        {"{name: a, by: [phone], " + counter + ", mode: shadow}", "{name: a, by: [phone], " + counter + "}", "a", 3},
		"a shadow beside an enforced":   {"{name: l, by: [phone, scene], " + log + "}, {name: a, by: [phone], " + log + ", mode: shadow}", "{name: l, by: [phone, scene], " + log + "}, {name: a, by: [phone], " + log + "}", "a", 3},
		"a shadow counter beside a log": {"{name: l, by: [phone], " + log + "}, {name: a, by: [phone], " + counter + ", mode: shadow}", "{name: l, by: [phone], " + log + "}, {name: a, by: [phone], " + counter + "}", "a", 3},
		"a shadow beside a counter":     {"{name: l, by: [phone], " + counter + "}, {name: a, by: [phone], " + log + ", mode: shadow}", "{name: l, by: [phone], " + counter + "}, {name: a, by: [phone], " + log + "}", "a", 3},
		"beside another subject":        {"{name: l, by: [prefix], " + log + "}", "{name: l, by: [prefix], " + log + "}, {name: a, by: [phone], " + log + "}", "a", 0},
		"an enforced counter into it":   {"{name: a, by: [phone], " + counter + "}", "{name: a, by: [phone], " + counter + ", mode: shadow}", "a", 3},
		"an enforced into the shadow":   {"{name: a, by: [phone], " + log + "}", "{name: a, by: [phone], " + log + ", mode: shadow}", "a", 0},
	} {
		if got := usedAfter(t, c.before, c.after, c.rule); got != c.want {
			t.Errorf("%s: %d used, want %d", name, got, c.want)
		}
	}
}

func usedAfter(t *testing.T, before, after, rule string) int64 {
	t.Helper()
	clock := memstore.NewClock(func() time.Time { return time.Unix(1_800_000_000, 0) })
	l, err := throttle.New(throttle.Options{Store: memstore.NewCounters(memstore.Options{Clock: clock}), IndexSecret: []byte("an index secret of thirty-two b.")})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(limits string) throttle.Request {
		p, _ := parsed(t, "limits: ["+limits+"]\nscenes: {s: {templates: {en: \"{{.Code}}\"}}}\n")
		return throttle.Request{Rules: p.Rules, Scene: "s", Subjects: []throttle.Subject{
			{Kind: throttle.App, ID: sms.DefaultApp}, {Kind: throttle.Phone, ID: "+8613800138000"}, {Kind: throttle.Prefix, ID: "+861380013"},
		}}
	}
	for range 3 {
		if _, err := l.Reserve(t.Context(), ask(before)); err != nil {
			t.Fatal(err)
		}
	}
	usage, err := l.Inspect(t.Context(), ask(after))
	for _, u := range usage {
		if u.Rule == rule {
			return u.Used
		}
	}
	t.Fatalf("%q has no rule %s: %v", after, rule, err)
	return 0
}
