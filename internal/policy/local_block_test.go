package policy_test

import (
	"testing"
	"time"

	"smsd/internal/policy"
)

func TestLocalBlock(t *testing.T) {
	t.Parallel()
	const scenes = "scenes: {login: {templates: {en: \"{{.Code}}\"}, limits: [{name: a, by: [phone], limit: 1, window: 60s}]}}\n"
	for text, want := range map[string]time.Duration{
		"":                    30 * time.Second, // a file that does not say has it
		"local_block: 0s\n":   0,
		"local_block: 45s\n":  45 * time.Second,
		"local_block: '5m'\n": 5 * time.Minute,
	} {
		if p, _ := parsed(t, text+scenes); p.LocalBlock != want {
			t.Errorf("%q: %s, want %s", text, p.LocalBlock, want)
		}
	}
	if d := policy.BuiltIn().LocalBlock; d != 30*time.Second {
		t.Errorf("the built-in policy's is %s", d)
	}
}
