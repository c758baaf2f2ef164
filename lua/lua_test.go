package lua

import (
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Every script opens with its contract, and none reads the clock beside clock.lua or writes otherwise than the package comment says.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(os.DirFS("."), "*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checkScript(t, name, string(text))
	}
}

func checkScript(t *testing.T, name, text string) {
	t.Helper()
	if !strings.HasPrefix(text, "-- ") {
		t.Errorf("%s does not open with its contract", name)
	}
	if n := strings.Count(text, "'TIME'"); n > 0 && name != "clock.lua" {
		t.Errorf("%s reads the clock itself", name)
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, "'SET'") && !strings.Contains(line, "'PX'") {
			t.Errorf("%s writes without a time to live: %s", name, line)
		}
		for _, other := range []string{"'GET'", "'PTTL'", "'EXPIRE'", "'PEXPIRE'", "'INCR", "'HSET'", "'PERSIST'"} {
			if strings.Contains(line, other) {
				t.Errorf("%s uses %s: %s", name, other, line)
			}
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	all := reflect.ValueOf(Load())
	seen := map[string]bool{}
	for i := range all.NumField() {
		s := all.Field(i).Interface().(Script)
		if s.Name == "" || len(s.SHA) != 40 || strings.Count(s.Text, "'TIME'") != 1 || seen[s.SHA] {
			t.Errorf("%s: %+v", all.Type().Field(i).Name, s.Name)
		}
		seen[s.SHA] = true
	}
}
