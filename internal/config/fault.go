package config

import "strings"

// Fault is one thing wrong with the settings. It never holds a secret.
type Fault struct {
	// Path is the setting, as "redis.url"; empty if it is none's.
	Path    string
	Origin  Origin
	Message string
}

func (f Fault) Error() string {
	var b strings.Builder
	if f.Path != "" {
		b.WriteString(f.Path)
	}
	if !f.Origin.IsDefault() {
		if b.Len() > 0 {
			b.WriteString(" (" + f.Origin.String() + ")")
		} else {
			b.WriteString(f.Origin.String())
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	return b.String() + f.Message
}

// Faults is every fault at once, in the order in which they were found.
type Faults []Fault

// Error returns one fault a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
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

// Fault returns what is wrong with the setting at path, saying where its value came from.
func (c *Config) Fault(path, message string) Fault {
	return Fault{Path: path, Origin: c.origins[path], Message: message}
}
