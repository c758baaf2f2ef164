package app

import (
	"smsd/internal/config"
	"smsd/internal/policy"
)

// LintPolicy returns what the texts of a policy file take; file "": of the built-in policy. What is over a budget is told
// there, and is no fault. The error is a [config.Faults].
func LintPolicy(file string) ([]policy.Text, error) {
	if file == "" {
		return policy.Texts(policy.BuiltIn()), nil
	}
	text, err := policy.ReadFile(file)
	if err != nil {
		return nil, config.Faults{{Path: "policy_file", Message: unreadable(err)}}
	}
	texts, err := policy.Lint(text)
	return texts, policyFaults(file, err).Err()
}
