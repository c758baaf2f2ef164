package policy_test

import (
	"strings"
	"testing"

	"smsd/internal/policy"
)

// What is printed of a policy names every rule in force for each app, and no number and no code.
func TestDescribe(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, `
limits: [{name: pace, by: [ip], limit: 10, window: 1h, algorithm: bucket, burst: 3}, {name: tries, by: [ip], limit: 9, window: 90s, on: verify, mode: shadow}]
scenes: {login: {templates: {en: "{{.Code}}"}}}
test_numbers: [{phone: "+8613800000000", code: "482915", until: 2126-01-01}]
block: [{phone: "+8613900000000", reason: "secret"}]
apps:
  shop: {limits: [], block: [{country: KP}], local_block: 0s}
`)
	var out strings.Builder
	if err := policy.Describe(&out, p); err != nil {
		t.Fatal(err)
	}
	const want = `every app but shop
  scenes: login
  test numbers: 1, blocks: 1, local block: 30s
  rule   by    limit        window  on      algorithm  mode
  pace   [ip]  10, burst 3  1h      send    bucket     enforce
  tries  [ip]  9            1m30s   verify  log        shadow

app shop, with its own limits, block, local_block
  scenes: login
  test numbers: 1, blocks: 2, local block: off
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
