package carrier

import (
	"maps"
	"slices"
	"strings"
)

// Faults is what is wrong with a driver's settings: by the setting's name in the file, what must be. No text holds a
// value, which may be a key. A driver's Open returns all of them at once.
type Faults map[string]string

// Error returns one fault a line, in the order of the names.
func (f Faults) Error() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		lines = append(lines, name+": "+f[name])
	}
	return strings.Join(lines, "\n")
}

// Err returns f as an error, or nil if there is no fault.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}
