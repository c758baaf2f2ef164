package sms_test

import (
	"fmt"
	"strings"
)

// metric checks that a line stands among the metrics.
func (r *rig) metric(line string) {
	r.t.Helper()
	if text := r.metrics(); !strings.Contains(text, line+"\n") {
		r.t.Errorf("no %s among\n%s", line, text)
	}
}

// metrics are all counters above nought, one a line, as Prometheus writes them.
func (r *rig) metrics() string {
	r.t.Helper()
	var out strings.Builder
	for _, family := range must(r.registry.Gather()) {
		for _, m := range family.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			fmt.Fprintf(&out, "%s{%s} %v\n", family.GetName(), strings.Join(labels, ","), m.Counter.GetValue())
		}
	}
	return out.String()
}
