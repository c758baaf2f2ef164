package records_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"smsd/internal/records"
)

// The command of docs/records.md shows what is set aside, in however many files, as JSON and nothing else.
func TestWhatIsSetAsideCanBeLookedAt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the command is for GNU grep")
	}
	page, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^(LC_ALL=C grep .*data/aside/.*) \| jq \.$`).FindSubmatch(page)
	if command == nil {
		t.Fatal("docs/records.md does not say how")
	}
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.setAside("old", 31*day)
		r.setAside("first", 0)
		r.sweeps(0) // what comes then has a file of its own
		r.setAside("second", 0)
		home := t.TempDir()
		if err := os.Symlink(r.options.Dir, filepath.Join(home, "data")); err != nil || len(r.asideFiles()) < 2 {
			t.Fatal(err, r.asideFiles())
		}
		shell := exec.Command("sh", "-c", string(command[1]))
		shell.Dir = home
		shown, err := shell.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := verificationsIn(t, shown), []string{"first", "second"}; len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("shown: %v, want %v", got, want)
		}
	})
}

// verificationsIn are the ids of the sends in a row of batches.
func verificationsIn(t *testing.T, shown []byte) (ids []string) {
	t.Helper()
	for d := json.NewDecoder(bytes.NewReader(shown)); ; {
		var b records.Batch
		err := d.Decode(&b)
		if errors.Is(err, io.EOF) {
			return ids
		}
		if err != nil {
			t.Fatalf("%v in %q", err, shown)
		}
		for _, v := range b.Verifications {
			ids = append(ids, v.SMSID)
		}
	}
}
