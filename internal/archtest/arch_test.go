package archtest

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

type listed struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "smsd/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestFloorsAndHomes(t *testing.T) {
	all := packages(t)
	if len(all) < len(floors)/2 {
		t.Fatalf("go list found %d packages only", len(all))
	}
	for _, p := range all {
		for _, fault := range faults(p.ImportPath, p.Imports) {
			t.Error(fault)
		}
	}
}

// A home where nobody lives any more, and a floor without its package, would let the next one in unseen.
func TestNothingOnTheMapIsStale(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range packages(t) {
		imports[p.ImportPath] = p.Imports
	}
	for pkg := range floors {
		if _, found := imports[pkg]; !found {
			t.Errorf("%s has a floor and is not there", pkg)
		}
	}
	for module, packages := range homes {
		for _, pkg := range packages {
			if !slices.ContainsFunc(imports[pkg], func(i string) bool { return within(i, module) }) {
				t.Errorf("%s has its home in %s, which does not import it", module, pkg)
			}
		}
	}
}

// The map is worth nothing if a wrong arrow passes: each of these must be a fault.
func TestWrongArrowsAreFound(t *testing.T) {
	for _, c := range []struct{ pkg, imports string }{
		{"smsd/internal/phone", "smsd/internal/secret"},                    // siblings
		{"smsd/internal/throttle", "smsd/internal/sms"},                    // upward
		{"smsd/internal/store/memstore", "smsd/internal/store/redisstore"}, // siblings
		{"smsd/internal/sms", "github.com/redis/go-redis/v9"},              // not at home
		{"smsd/internal/sms", "github.com/labstack/echo/v4/middleware"},    // not at home, by prefix
		{"smsd/internal/sms", "net/http"},                                  // the domain knows no status
		{"smsd/internal/app", "smsd/internal/testserver"},                  // for tests only
		{"smsd/internal/httpapi", "smsd/internal/proof/prooftest"},         // for tests only
		{"smsd/internal/testserver", "smsd/internal/sms"},                  // upward, of one for tests
		{"smsd/internal/store/storetest", "github.com/redis/go-redis/v9"},  // not at home, of one for tests
		{"smsd/internal/store/storetest", "smsd/internal/testserver"},      // for tests only, of another one
		{"smsd/internal/nowhere", "fmt"},                                   // not on the map
		{"smsd/internal/httpapi", "github.com/nobody/knows"},               // a module without a home
	} {
		if len(faults(c.pkg, []string{c.imports})) == 0 {
			t.Errorf("%s importing %s passes", c.pkg, c.imports)
		}
	}
}
