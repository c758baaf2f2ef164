package policy_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/policy"
)

var update = flag.Bool("update", false, "write what was found into the want lines of testdata/busted_*.yaml; read the difference before it is committed")

// Each busted_*.yaml says in its first lines, after "# want: ", every fault of it and no other.
func TestBusted(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/busted_*.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, _, err := policy.Parse(text)
			var faults policy.Faults
			if !errors.As(err, &faults) || p != nil {
				t.Fatalf("want Faults and no policy, got %v, %v", err, p)
			}
			if *update {
				rewrite(t, file, text, faults)
				return
			}
			if got, want := faults.Error(), strings.Join(wants(text), "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

const wantMark = "# want: "

func wants(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		if want, ok := strings.CutPrefix(line, wantMark); ok {
			lines = append(lines, strings.TrimSuffix(want, "\n"))
		}
	}
	return lines
}

// rewrite replaces the want lines. If their number changes it has to run once more, as the lines below move.
func rewrite(t *testing.T, file string, text []byte, faults policy.Faults) {
	var out strings.Builder
	for _, f := range faults {
		out.WriteString(wantMark + f.String() + "\n")
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, wantMark) {
			out.WriteString(line)
		}
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
