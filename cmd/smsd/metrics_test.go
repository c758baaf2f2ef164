package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The table of metrics in docs/settings.md has every metric that the code names, once, and no other.
func TestDocumentedMetrics(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := names("`smsd_[a-z_]+`", string(manual))
	inCode := namedInCode(t)
	if len(inCode) == 0 {
		t.Fatal("the code names no metric")
	}
	for _, name := range inCode {
		if !slices.Contains(documented, name) {
			t.Errorf("%s is not in docs/settings.md", name)
		}
	}
	for _, name := range documented {
		if !slices.Contains(inCode, name) {
			t.Errorf("%s is in docs/settings.md, and not in the code", name)
		}
	}
	rows := names("\n\\| `smsd_[a-z_]+`", string(manual))
	slices.Sort(rows)
	if once := slices.Compact(slices.Clone(rows)); len(once) == 0 || !slices.Equal(rows, once) {
		t.Errorf("docs/settings.md has a row twice, or none: %q", rows)
	}
}

// The alerts of docs/settings.md are a file that Prometheus reads, of metrics that are there.
func TestDocumentedAlerts(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(manual), "<!-- alerts -->\n```yaml\n")
	text, _, _ = strings.Cut(text, "```\n")
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct{ Alert, For, Expr string }
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	inCode := namedInCode(t)
	for _, rule := range file.Groups[0].Rules {
		for _, name := range regexp.MustCompile(`smsd_[a-z_]+`).FindAllString(rule.Expr, -1) {
			if !slices.Contains(inCode, name) {
				t.Errorf("%s asks for %s, which is no metric", rule.Alert, name)
			}
		}
	}
}

func namedInCode(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", "..", "internal"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, names(`"smsd_[a-z_]+"`, string(text))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == messageID })
}

// messageID is no metric: by this name AWS repeats a message's id in its events.
const messageID = "smsd_message_id"

// names returns what matches pattern in text, without its quotes.
func names(pattern, text string) (all []string) {
	for _, quoted := range regexp.MustCompile(pattern).FindAllString(text, -1) {
		all = append(all, quoted[1:len(quoted)-1])
	}
	return all
}
