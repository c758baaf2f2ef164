package policy

import (
	_ "embed"
	"fmt"

	"smsd/internal/sms"
)

//go:embed builtin.yaml
var builtIn string

// builtInVersion is the built-in policy's Version.
const builtInVersion = "built-in"

// BuiltIn returns the policy of a service without a policy file. It is the same text in every process of
// one build, so a fault of it is a fault of the build, which the tests find: BuiltIn then panics.
func BuiltIn() *sms.Policy {
	p, _, err := Parse([]byte(builtIn))
	if err != nil {
		panic(fmt.Sprintf("policy: the built-in policy: %v", err))
	}
	p.Version = builtInVersion
	return p
}

// BuiltInText returns the built-in policy as a file, comments included: a start for one's own.
func BuiltInText() []byte { return []byte(builtIn) }
