package records

import "time"

// Decision is one attempt, allowed or refused.
type Decision struct {
	At        time.Time `json:"at,omitzero"`
	RequestID string    `json:"request_id,omitzero"`
	App       string    `json:"app,omitzero"`
	Action    string    `json:"action,omitzero"`  // send, resend or verify
	Scene     string    `json:"scene,omitzero"`   // "other" where it is none of the policy's
	Outcome   string    `json:"outcome,omitzero"` // accepted, verified, rate_limited, ...: a closed list
	SMSID     string    `json:"sms_id,omitzero"`  // "" where there is none
	Country   string    `json:"country,omitzero"`
	Prefix    string    `json:"prefix,omitzero"`
	Whom      Whom      `json:"whom,omitzero"`
	// Rule is what refused, with what it had counted; "" and 0 where nothing did.
	Rule  string `json:"rule,omitzero"`
	Used  int64  `json:"used,omitzero"`
	Limit int64  `json:"limit,omitzero"`
	// Shadow are the rules in shadow mode that would have refused.
	Shadow        []string `json:"shadow,omitzero"`
	Gateway       string   `json:"gateway,omitzero"`
	PolicyVersion string   `json:"policy_version,omitzero"`
	// Folded is how many more such attempts of the same subject, rule, outcome and second this row stands for: those that
	// came before it in that second. 0: itself alone. In a flood they may be those of a network, and then the row has no
	// other subject, or those of a rule, and then it has none: so that no count is laid to whoever was the last.
	Folded int64 `json:"folded,omitzero"`
}
