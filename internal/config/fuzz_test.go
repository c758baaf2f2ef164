package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever stands in a file, reading it ends in settings or in faults, and every fault names where it is.
func FuzzFile(f *testing.F) {
	files, err := filepath.Glob("testdata/faults/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, faults := parseFile("fuzz.yaml", text)
		for _, fault := range faults {
			if fault.Message == "" || !strings.HasPrefix(fault.Origin.String(), "fuzz.yaml") {
				t.Errorf("a fault without a place or a text: %+v", fault)
			}
		}
		for key, e := range l {
			if !isKey(key) || e.origin.Line < 1 {
				t.Errorf("%s from %v is no setting", key, e.origin)
			}
		}
	})
}
