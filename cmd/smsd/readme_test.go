package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"smsd/internal/config"
	"smsd/internal/policy"
)

// block is one fenced block of the README.
type block struct{ language, text string }

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func blocks(text string) []block {
	var all []block
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		all = append(all, block{m[1], m[2]})
	}
	return all
}

// The walk of the README, call by call, against an instance: each answer has the members that the README
// shows. What the README shows of an id, a code and a token stands for the real ones.
func TestReadmeWalk(t *testing.T) {
	t.Parallel()
	i := begin(t, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()})
	const shownID, shownCode, shownToken = "0b7e1c52-…", "493817", "eyJhbGciOiJFUzI1NiIs…"
	real := []string{"http://127.0.0.1:8080", i.api, "http://127.0.0.1:8081", i.admin}
	all, calls := blocks(readme(t)), 0
	var first string
	for n, b := range all {
		if b.language != "sh" || !strings.HasPrefix(b.text, "curl ") {
			continue
		}
		if first == "" {
			first = b.text
		}
		answer := curl(t, strings.NewReplacer(real...).Replace(b.text))
		sameMembers(t, b.text, answer, all[n+1].text)
		if messages, found := answer["messages"].([]any); found {
			message := messages[0].(map[string]any)
			real = append(real, shownID, message["sms_id"].(string), shownCode, message["code"].(string))
		}
		if token, found := answer["token"].(string); found {
			real = append(real, shownToken, token)
		}
		calls++
	}
	if calls != 4 {
		t.Fatalf("%d calls in the walk, want send, inbox, verify and consume", calls)
	}
	refused := curl(t, strings.NewReplacer(real...).Replace(first))
	last := all[slices.IndexFunc(all, func(b block) bool { return strings.Contains(b.text, "rate_limited") })]
	sameMembers(t, "a second send", refused, last.text)
}

// curl does what a curl command of the README does.
func curl(t *testing.T, command string) map[string]any {
	t.Helper()
	url := regexp.MustCompile(`http://[^ '\n]+`).FindString(command)
	method, body := http.MethodGet, ""
	if data := regexp.MustCompile(`-d '([^']*)'`).FindStringSubmatch(command); data != nil {
		method, body = http.MethodPost, data[1]
	}
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range regexp.MustCompile(`-H '([^:]+): ([^']*)'`).FindAllStringSubmatch(command, -1) {
		request.Header.Set(h[1], h[2])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s\nanswered %s: %s", command, response.Status, text)
	}
	return answer
}

// sameMembers compares the members of an answer, and of the messages in it, with those shown. Where the
// README leaves some out it says so with "…".
func sameMembers(t *testing.T, what string, answer map[string]any, shown string) {
	t.Helper()
	var want map[string]any
	if err := json.Unmarshal([]byte(shown), &want); err != nil {
		t.Fatalf("%s: the answer shown is no JSON: %v\n%s", what, err, shown)
	}
	if messages, found := want["messages"].([]any); found {
		got, _ := answer["messages"].([]any)
		if len(got) != len(messages) {
			t.Fatalf("%s: %d messages, shown are %d", what, len(got), len(messages))
		}
		answer, want = got[0].(map[string]any), messages[0].(map[string]any)
	}
	got := slices.Sorted(maps.Keys(answer))
	if _, more := want["…"]; more {
		delete(want, "…")
		got = slices.DeleteFunc(got, func(member string) bool { _, is := want[member]; return !is })
	}
	if members := slices.Sorted(maps.Keys(want)); !slices.Equal(got, members) {
		t.Errorf("%s:\nanswered %v\nshown    %v", what, got, members)
	}
}

// Every setting that the README names is one, under the variable beside it.
func TestReadmeSettings(t *testing.T) {
	t.Parallel()
	text := readme(t)
	env := map[string]string{}
	for _, s := range config.Settings() {
		env[s.Key] = s.Env
	}
	_, table, _ := strings.Cut(text, "| file key | environment | default |")
	rows := regexp.MustCompile("(?m)^\\| (`[^|]+) \\| ([^|]+) \\|").FindAllStringSubmatch(table, -1)
	if len(rows) < 8 {
		t.Fatalf("%d rows of settings", len(rows))
	}
	names := regexp.MustCompile("`([^`]+)`")
	for _, row := range rows {
		keys, variables := names.FindAllStringSubmatch(row[1], -1), names.FindAllStringSubmatch(row[2], -1)
		for n, key := range keys {
			if env[key[1]] == "" || len(variables) != len(keys) || env[key[1]] != variables[n][1] {
				t.Errorf("setting %s is not %v but %q", key[1], row[2], env[key[1]])
			}
		}
	}
}

// The README's example of a rule is one, and the production example names settings that exist.
func TestReadmeYAML(t *testing.T) {
	t.Parallel()
	rules := 0
	for _, b := range blocks(readme(t)) {
		switch {
		case b.language != "yaml":
		case strings.HasPrefix(b.text, "- {name:"):
			rules++
			text := strings.Replace(string(policy.BuiltInText()), "\nlimits:", "\nlimits:\n  "+strings.Replace(b.text, "phone-hour", "from-the-readme", 1), 1)
			if p, _, err := policy.Parse([]byte(text)); err != nil || len(p.Rules.Rules()) != len(policy.BuiltIn().Rules.Rules())+1 {
				t.Errorf("%s: %v", b.text, err)
			}
		default:
			productionIsKnown(t, b.text)
		}
	}
	if rules != 1 {
		t.Errorf("%d examples of a rule", rules)
	}
}

func productionIsKnown(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "smsd.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := config.Load(config.Options{File: file})
	if err != nil && strings.Contains(err.Error(), "unknown") {
		t.Errorf("%v", err)
	}
}

// Files that the README points at are there, and so are the targets of make.
func TestReadmePointsAtWhatIsThere(t *testing.T) {
	t.Parallel()
	text := readme(t)
	for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(link[1], "http") {
			file, _, _ := strings.Cut(link[1], "#")
			if _, err := os.Stat(filepath.Join("..", "..", file)); err != nil {
				t.Error(err)
			}
		}
	}
	for _, named := range regexp.MustCompile("`((?:internal|cmd)/[^`]+)`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("..", "..", named[1])); err != nil {
			t.Error(err)
		}
	}
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range regexp.MustCompile(`(?m)\bmake ([a-z]+) `).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(string(makefile), "\n"+target[1]+":") {
			t.Errorf("make %s: no such target", target[1])
		}
	}
}
