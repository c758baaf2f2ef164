package policy

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/sms"
)

// Source is a policy that can change while the service runs. Safe for concurrent use; a caller that asks
// for [Source.Current] once a request decides that request by one version.
type Source struct {
	path    string
	accept  func(*sms.Policy) error
	logger  *slog.Logger
	metrics *metrics
	current atomic.Pointer[sms.Policy]

	reading sync.Mutex // one reading at a time, so that an older text never overtakes a newer one
	seen    string     // what the last reading came to: a version, or the text of an error

	// tuning of Watch, for tests
	settle, settleMost, glances, poll time.Duration
	observe                           func(outcome) // called after each reading by Watch; nil: not
}

// SourceOptions are what [Open] needs.
type SourceOptions struct {
	Path       string                // "": the built-in policy
	Logger     *slog.Logger          // nil: none
	Registerer prometheus.Registerer // nil: none
	// Accept may refuse a policy that is good in itself, at the start and at every change: what the
	// production profile does not take must not come in by a reload either. nil: takes all.
	Accept func(*sms.Policy) error
}

// Open reads the file. A faulty one is an error: [Faults], or why it can't be read.
func Open(o SourceOptions) (*Source, error) {
	m, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, err
	}
	s := &Source{
		path: o.Path, accept: o.Accept, logger: o.Logger, metrics: m,
		settle: settle, settleMost: settleMost, glances: glances, poll: poll,
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	if s.accept == nil {
		s.accept = func(*sms.Policy) error { return nil }
	}
	p, warnings, err := s.load()
	if err != nil {
		return nil, err
	}
	s.put(p, warnings)
	return s, nil
}

func (s *Source) load() (*sms.Policy, []string, error) {
	if s.path == "" {
		p := BuiltIn()
		return p, nil, s.accept(p)
	}
	text, err := ReadFile(s.path)
	if err != nil {
		return nil, nil, err
	}
	return s.parse(text)
}

// parse is Parse with the say of Accept.
func (s *Source) parse(text []byte) (*sms.Policy, []string, error) {
	p, warnings, err := Parse(text)
	if err == nil {
		err = s.accept(p)
	}
	return p, warnings, err
}

// Current returns the policy in force; never nil.
func (s *Source) Current() *sms.Policy { return s.current.Load() }

// Reload reads the file again. A faulty one is an error, which is logged too, and the policy in force
// stays. The same content as before does nothing.
func (s *Source) Reload() error {
	_, err := s.read(true)
	return err
}

// read reads the file once. Unless asked to by a person, it passes over what the last reading saw too, so
// that a faulty file is not reported at every poll.
func (s *Source) read(asked bool) (outcome, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.path == "" {
		return unchanged, nil
	}
	text, err := ReadFile(s.path)
	sight := version(text)
	if err != nil {
		sight = err.Error()
	}
	if sight == s.seen && !asked {
		return unchanged, nil
	}
	o, err := s.take(text, err)
	s.seen = sight
	s.metrics.count(o)
	return o, err
}

// take puts what was read in force, if it is another good policy.
func (s *Source) take(text []byte, err error) (outcome, error) {
	if err != nil {
		s.logRefusal(err)
		return refused, err
	}
	if version(text) == s.Current().Version {
		s.logger.Info("policy file holds what is in force", "file", s.path, "version", s.Current().Version)
		return unchanged, nil
	}
	p, warnings, err := s.parse(text)
	if err != nil {
		s.logRefusal(err)
		return refused, err
	}
	s.put(p, warnings)
	return applied, nil
}

func (s *Source) put(p *sms.Policy, warnings []string) {
	s.current.Store(p)
	s.seen = p.Version
	s.metrics.loadedAt(time.Now())
	s.logger.Info("policy in force", "version", p.Version, "file", s.path, "apps", len(p.Apps), "scenes", len(p.Scenes),
		"rules", len(p.Rules.Rules()), "blocks", len(p.Blocks), "test_numbers", len(p.TestNumbers))
	for _, w := range warnings {
		s.logger.Warn("policy: "+w, "file", s.path)
	}
}

// logRefusal logs every fault as a record of its own.
func (s *Source) logRefusal(err error) {
	keeps := s.Current().Version
	var faults Faults
	if !errors.As(err, &faults) {
		s.logger.Error("policy file refused; the policy in force stays", "file", s.path, "error", err, "version", keeps)
		return
	}
	s.logger.Error("policy file refused; the policy in force stays", "file", s.path, "faults", len(faults), "version", keeps)
	for _, f := range faults {
		s.logger.Error("policy: "+f.Message, "line", f.Line, "column", f.Column, "path", f.Path)
	}
}
