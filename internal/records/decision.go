package records

import "time"

// Decision is one attempt, allowed or refused.
type Decision struct {
	At        time.Time
	RequestID string
	App       string
	Action    string // send, resend or verify
	Scene     string // "other" where it is none of the policy's
	Outcome   string // accepted, verified, rate_limited, ...: a closed list
	SMSID     string // "" where there is none
	Country   string
	Prefix    string
	Whom      Whom
	// Rule is what refused, with what it had counted; "" and 0 where nothing did.
	Rule        string
	Used, Limit int64
	// Shadow are the rules in shadow mode that would have refused.
	Shadow        []string
	Gateway       string
	PolicyVersion string
	// Folded is how many more such attempts of the same subject, rule and second this row stands for: those that came before it
	// in that second. 0: itself alone.
	Folded int64
}
