package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/policy"
	"smsd/internal/sms"
)

// Whatever the text, Parse ends, with Faults that have places or with a policy whose rules and texts work.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add(policy.BuiltInText())
	f.Add([]byte(wordings))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("# \n- # \n #\n a"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, _, err := policy.Parse(text)
		if err != nil {
			checkFaults(t, p == nil, err)
			return
		}
		if p.Rules == nil || p.Version == "" {
			t.Fatalf("accepted, but not whole: %+v", p)
		}
		for _, own := range p.Apps {
			wholeScenes(t, own)
			if own.Rules == nil || own.Version != p.Version || len(own.Apps) > 0 || len(own.Stated) == 0 {
				t.Fatalf("accepted, but not whole: %+v", own)
			}
		}
		wholeScenes(t, p)
	})
}

func wholeScenes(t *testing.T, p *sms.Policy) {
	if len(p.Scenes) == 0 {
		t.Fatalf("accepted, but not whole: %+v", p)
	}
	for name, s := range p.Scenes {
		wholeTemplates(t, s)
		if template, _ := s.Templates.Match(""); s.Name != name || template.IsZero() || s.CodeLength < 4 || s.TTL <= 0 || s.Attempts < 1 {
			t.Fatalf("accepted, but not whole: %+v", s)
		}
	}
}

// wholeTemplates renders every text, in every language and by every gateway: each has the code, and one signature at most.
func wholeTemplates(t *testing.T, s *sms.Scene) {
	for tag, template := range s.Templates.All() {
		for _, gateway := range append([]string{""}, template.Gateways()...) {
			w := s.Longest(template, gateway)
			text := w.Text.Reveal()
			if !strings.Contains(text, strings.Repeat("0", s.CodeLength)) || strings.Count(text, "【") > 1 || strings.Contains(text, "{{") {
				t.Fatalf("%s by %q: %q", tag, gateway, text)
			}
			if !w.Template.IsZero() && len(w.Template.Params) == 0 {
				t.Fatalf("%s by %q: the carrier's template lacks the code", tag, gateway)
			}
		}
	}
}

func checkFaults(t *testing.T, none bool, err error) {
	var faults policy.Faults
	if !errors.As(err, &faults) || len(faults) == 0 || !none {
		t.Fatalf("not Faults alone: %v", err)
	}
	for i, f := range faults {
		if f.Message == "" || len(f.String()) > 2000 || i > 0 && f.Line > 0 && f.Line < faults[i-1].Line {
			t.Fatalf("fault %d: %v", i, f)
		}
	}
}
