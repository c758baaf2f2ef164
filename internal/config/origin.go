package config

import "fmt"

// Origin is where a value came from. The zero Origin is the default.
type Origin struct {
	// File and Line are set for the file's values.
	File string
	Line int
	// Name is the environment variable or the flag, as "SMSD_REDIS_URL" or "--redis-url".
	Name string
}

// IsDefault says that nobody gave the value.
func (o Origin) IsDefault() bool { return o == Origin{} }

// String returns "default", "smsd.yaml:3", "SMSD_REDIS_URL" or "--redis-url-file".
func (o Origin) String() string {
	switch {
	case o.Name != "":
		return o.Name
	case o.Line > 0:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	case o.File != "":
		return o.File
	}
	return "default"
}
