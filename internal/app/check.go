package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"smsd/internal/config"
	"smsd/internal/policy"
	"smsd/internal/sms"
)

// Check returns every reason why an instance with these settings must not start, beside those of
// [config.Load]: what production refuses, unknown kinds of gateway, and the faults of the policy file. Its
// error is a [config.Faults]. The warnings are for people.
func Check(cfg *config.Config) (warnings []string, err error) {
	ofPolicy, others, err := inspect(cfg)
	return append(ofPolicy, others...), err
}

// inspect is [Check]. Of its warnings those of the policy in itself stand apart, since whoever loads the policy tells of them too.
func inspect(cfg *config.Config) (ofPolicy, others []string, err error) {
	faults := cfg.Production()
	faults = append(faults, checkGateways(cfg)...)
	p, ofPolicy, more := checkPolicy(cfg)
	faults = append(faults, more...)
	if p != nil {
		faults = append(faults, acceptPolicy(cfg, p)...)
		others = append(others, strangeGateways(cfg, p)...)
	}
	return ofPolicy, append(others, cfg.Warnings()...), faults.Err()
}

// CheckData is [Check] for those who touch the data alone, and neither the policy nor a gateway: a key that leaked must be
// revocable, and a number erasable, while the policy file is at fault.
func CheckData(cfg *config.Config) (warnings []string, err error) {
	return cfg.Warnings(), cfg.Production().Err()
}

// checkPolicy reads the policy that the settings name.
func checkPolicy(cfg *config.Config) (*sms.Policy, []string, config.Faults) {
	if cfg.PolicyFile == "" {
		return policy.BuiltIn(), nil, nil
	}
	p, warnings, err := CheckPolicy(cfg.PolicyFile, nil)
	faults, _ := errors.AsType[config.Faults](err)
	return p, warnings, faults
}

// CheckPolicy reads a policy file; "-" is stdin, unless that is nil. Its error is a [config.Faults]; the warnings name rules that
// can never bind.
func CheckPolicy(file string, stdin io.Reader) (*sms.Policy, []string, error) {
	text, err := readPolicy(file, stdin)
	if err != nil {
		return nil, nil, config.Faults{{Path: "policy_file", Message: unreadable(err)}}
	}
	file = calledPolicy(file, stdin)
	p, warnings, err := policy.Parse(text)
	for i, w := range warnings {
		warnings[i] = file + ": " + w
	}
	return p, warnings, policyFaults(file, err).Err()
}

// StandardInput is what a policy is called that was read from there.
const StandardInput = "standard input"

func readsStdin(file string, stdin io.Reader) bool { return file == "-" && stdin != nil }

// calledPolicy is what faults and warnings call it.
func calledPolicy(file string, stdin io.Reader) string {
	if readsStdin(file, stdin) {
		return StandardInput
	}
	return file
}

func readPolicy(file string, stdin io.Reader) ([]byte, error) {
	if readsStdin(file, stdin) {
		return policy.Read(stdin)
	}
	return policy.ReadFile(file)
}

// CheckPolicyFor is [CheckPolicy] for an instance with these settings, which may refuse what is good in itself.
func CheckPolicyFor(cfg *config.Config, file string, stdin io.Reader) (*sms.Policy, []string, error) {
	p, warnings, err := CheckPolicy(file, stdin)
	if err != nil {
		return nil, warnings, err
	}
	with := *cfg
	with.PolicyFile = calledPolicy(file, stdin)
	return p, append(warnings, strangeGateways(&with, p)...), acceptPolicy(&with, p).Err()
}

func unreadable(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("%v; smsd policy show prints one to start from", err)
	}
	return err.Error()
}

// policyFaults makes settings' faults of a policy's.
func policyFaults(file string, err error) config.Faults {
	if err == nil {
		return nil
	}
	found, ok := errors.AsType[policy.Faults](err)
	if !ok {
		return config.Faults{{Path: "policy_file", Origin: config.Origin{File: file}, Message: err.Error()}}
	}
	var faults config.Faults
	for _, f := range found {
		faults = append(faults, config.Fault{Path: f.Path, Origin: config.Origin{File: file, Line: f.Line}, Message: f.Message})
	}
	return faults
}

// checkProductionPolicy returns what production does not take of a policy, at the start or at a reload.
func checkProductionPolicy(cfg *config.Config, p *sms.Policy) config.Faults {
	if cfg.Profile != config.Production {
		return nil
	}
	var faults config.Faults
	if n := policy.TestNumbersWithoutEnd(p); n > 0 {
		faults = append(faults, cfg.Fault("policy_file", fmt.Sprintf("production takes no test numbers without an end date (until:); there are %d", n)))
	}
	if scenes := policy.UnboundedCountries(p); len(scenes) > 0 && !cfg.AllowWorld {
		faults = append(faults, cfg.Fault("policy_file", fmt.Sprintf("production needs named countries (or allow_world: true); scenes that serve every country: %s", strings.Join(scenes, ", "))))
	}
	return faults
}
