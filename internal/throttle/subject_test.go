package throttle

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseKind(t *testing.T) {
	t.Parallel()
	for k := Phone; k < kinds; k++ {
		if got, err := ParseKind(k.String()); got != k || err != nil {
			t.Errorf("%s: %v, %v", k, got, err)
		}
		if kindLetters[k] == 0 && k != Scene {
			t.Errorf("%s has no letter", k)
		}
	}
	for _, s := range []string{"", "none", "Phone", "phone "} {
		if k, err := ParseKind(s); err == nil || !strings.Contains(err.Error(), "ip_net") {
			t.Errorf("%q: %v, %v", s, k, err)
		}
	}
}

func TestSubjectsPrintWithoutIDs(t *testing.T) {
	t.Parallel()
	s := Subject{Phone, "+8613800138000"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		if got := fmt.Sprintf(verb, s); got != "phone" {
			t.Errorf("%s: %s", verb, got)
		}
	}
	if got := fmt.Sprint(Subject{Kind: 200}); got != "none" {
		t.Error(got)
	}
}
