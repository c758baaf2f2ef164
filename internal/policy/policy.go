// Package policy turns the text that fraud teams write into a checked [sms.Policy].
package policy

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/sms"
)

// BuiltIn returns the policy of a service without a policy file.
func BuiltIn() *sms.Policy { panic("unbuilt") }

// BuiltInText returns the built-in policy as a file, comments included: a start for one's own.
func BuiltInText() []byte { panic("unbuilt") }

// Parse reads a policy file. The error is a [Faults]: every fault at once. Warnings are for people:
// rules that can never bind.
func Parse(text []byte) (p *sms.Policy, warnings []string, err error) { panic("unbuilt") }

// Fault is one thing wrong with a file.
type Fault struct {
	Line, Column int    // from 1; 0 if it belongs to no line
	Path         string // as "scenes.login.limits[2].window"
	Message      string
}

// Faults is every fault of a file, in the order of its lines.
type Faults []Fault

func (f Faults) Error() string { panic("unbuilt") }

// Source is a policy that can change while the service runs.
type Source struct{}

// SourceOptions are what [Open] needs.
type SourceOptions struct {
	Path       string // "": the built-in policy
	Logger     *slog.Logger
	Registerer prometheus.Registerer // nil: none
}

// Open reads the file. A faulty one is an error.
func Open(o SourceOptions) (*Source, error) { panic("unbuilt") }

// Current returns the policy in force; never nil.
func (s *Source) Current() *sms.Policy { panic("unbuilt") }

// Reload reads the file again. A faulty one is an error, and the policy in force stays.
func (s *Source) Reload() error { panic("unbuilt") }

// Watch reloads whenever the file changes, until ctx ends.
func (s *Source) Watch(ctx context.Context) error { panic("unbuilt") }
