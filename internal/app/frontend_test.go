package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The page that docs/frontend.md tells frontends to write, with the policy that stands there, does what is said of it.
func TestPageOfTheDocs(t *testing.T) {
	t.Parallel()
	if exec.Command("node", "-e", "fetch").Run() != nil {
		t.Skip("no node that has fetch, as since its version 18")
	}
	s := start(t, frontendDoc(t, "policy"))
	script := filepath.Join(t.TempDir(), "login.js")
	write(t, script, frontendDoc(t, "js"))
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "node", "testdata/login_page.mjs", script, s.app.PublicURL(), s.app.AdminURL()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Whatever the script asks the page for is in it.
func TestPageOfTheDocsHasWhatItsScriptNames(t *testing.T) {
	t.Parallel()
	html := frontendDoc(t, "html")
	for _, id := range regexp.MustCompile(`\$\('(\w+)'\)`).FindAllStringSubmatch(frontendDoc(t, "js"), -1) {
		if !regexp.MustCompile(`id="` + id[1] + `"`).MatchString(html) {
			t.Errorf("the page has no %s", id[1])
		}
	}
}

// frontendDoc is what stands in docs/frontend.md under a name.
func frontendDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/frontend.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)<!-- page: " + name + " -->\n```\\w+\n(.*?)```\n").FindSubmatch(text)
	if found == nil {
		t.Fatalf("nothing stands there as %s", name)
	}
	return string(found[1])
}
