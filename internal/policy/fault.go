package policy

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Fault is one thing wrong with a file.
type Fault struct {
	Line, Column int    // from 1; 0 if it belongs to no line
	Path         string // as "scenes.login.limits[2].window"; "" for the whole file
	Message      string
}

// String returns "line 12, column 5: scenes.login.limits[2].window: must be at least 1s".
func (f Fault) String() string {
	var parts []string
	if f.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d, column %d", f.Line, f.Column))
	}
	if f.Path != "" {
		parts = append(parts, f.Path)
	}
	return strings.Join(append(parts, f.Message), ": ")
}

// Faults is every fault of a file, in the order of its lines.
type Faults []Fault

// Error returns one line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

func (f Faults) sort() {
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// maxFaults is how many faults, and how many warnings, are kept of one file. Nobody reads more, and a
// file of one MiB could have hundreds of thousands.
const maxFaults = 200

// report collects what is found while a file is read.
type report struct {
	faults, warnings         Faults
	moreFaults, moreWarnings int
}

func (r *report) fault(f Fault) {
	if len(r.faults) == maxFaults {
		r.moreFaults++
		return
	}
	r.faults = append(r.faults, f)
}

func (r *report) warn(f Fault) {
	if len(r.warnings) == maxFaults {
		r.moreWarnings++
		return
	}
	r.warnings = append(r.warnings, f)
}

// err returns the faults in order, or nil if there are none.
func (r *report) err() error {
	if len(r.faults) == 0 {
		return nil
	}
	r.faults.sort()
	if r.moreFaults > 0 {
		r.faults = append(r.faults, Fault{Message: fmt.Sprintf("%d more faults are not shown", r.moreFaults)})
	}
	return r.faults
}

// notes returns the warnings in order.
func (r *report) notes() []string {
	r.warnings.sort()
	var notes []string
	for _, w := range r.warnings {
		notes = append(notes, w.String())
	}
	if r.moreWarnings > 0 {
		notes = append(notes, fmt.Sprintf("%d more warnings are not shown", r.moreWarnings))
	}
	return notes
}

// Four digits, also with a number's or an address's separators between them, may be a code or more.
var personal = regexp.MustCompile(`\+?\p{Nd}[\p{Nd} .:/-]{2,}\p{Nd}`)

// masked blanks out whatever in text could be a code, a number or an address. It is for words that come
// from the file or from others' errors.
func masked(text string) string {
	const longest = 200 // bytes; a fault is one line for a person
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	oneLine := strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, text)
	return personal.ReplaceAllString(oneLine, "***")
}
