package records

import (
	"strings"
	"time"
)

// The columns are the fields of the listings' answers, in their order; more may come at the end.

type (
	lv = ListedVerification
	ld = ListedDecision
)

var verificationColumns = []column[lv]{
	{"sms_id", text(func(v lv) string { return v.SMSID })},
	{"app", text(func(v lv) string { return v.App })},
	{"scene", text(func(v lv) string { return v.Scene })},
	{"state", text(func(v lv) string { return string(v.State) })},
	{"request_id", text(func(v lv) string { return v.RequestID })},
	{"country", text(func(v lv) string { return v.Country })},
	{"phone", text(func(v lv) string { return v.Phone })},
	{"phone_hash", text(func(v lv) string { return v.Subjects.Phone })},
	{"block_hash", text(func(v lv) string { return v.Subjects.Block })},
	{"ip_hash", text(func(v lv) string { return v.Subjects.Host })},
	{"network_hash", text(func(v lv) string { return v.Subjects.Network })},
	{"device_hash", text(func(v lv) string { return v.Subjects.Device })},
	{"policy_version", text(func(v lv) string { return v.PolicyVersion })},
	{"created_at", when(func(v lv) time.Time { return v.CreatedAt })},
	{"expires_at", when(func(v lv) time.Time { return v.ExpiresAt })},
	{"gateway", text(func(v lv) string { return v.Fate.Gateway })},
	{"delivery", text(func(v lv) string { return v.Fate.Delivery })},
	{"segments", integer(func(v lv) int { return v.Fate.Segments })},
	{"cost_micros", integer(func(v lv) int64 { return v.Fate.CostMicros })},
	{"currency", text(func(v lv) string { return v.Fate.Currency })},
	{"delivered_at", when(func(v lv) time.Time { return v.Fate.DeliveredAt })},
	{"verified_at", when(func(v lv) time.Time { return v.Fate.VerifiedAt })},
	{"failed_at", when(func(v lv) time.Time { return v.Fate.FailedAt })},
	{"failure", text(func(v lv) string { return v.Fate.Failure })},
	{"ended_at", when(func(v lv) time.Time { return v.Fate.ExpiredAt })},
	{"resends", integer(func(v lv) int { return v.Fate.Resends })},
	{"resent_at", when(func(v lv) time.Time { return v.Fate.ResentAt })},
	{"failure_code", text(func(v lv) string { return v.Fate.FailureCode })},
}

var decisionColumns = []column[ld]{
	{"at", when(func(d ld) time.Time { return d.At })},
	{"request_id", text(func(d ld) string { return d.RequestID })},
	{"app", text(func(d ld) string { return d.App })},
	{"action", text(func(d ld) string { return d.Action })},
	{"scene", text(func(d ld) string { return d.Scene })},
	{"outcome", text(func(d ld) string { return d.Outcome })},
	{"sms_id", text(func(d ld) string { return d.SMSID })},
	{"country", text(func(d ld) string { return d.Country })},
	{"phone", text(func(d ld) string { return d.Phone })},
	{"phone_hash", text(func(d ld) string { return d.Subjects.Phone })},
	{"block_hash", text(func(d ld) string { return d.Subjects.Block })},
	{"ip_hash", text(func(d ld) string { return d.Subjects.Host })},
	{"network_hash", text(func(d ld) string { return d.Subjects.Network })},
	{"device_hash", text(func(d ld) string { return d.Subjects.Device })},
	{"rule", text(func(d ld) string { return d.Rule })},
	{"used", integer(func(d ld) int64 { return d.Used })},
	{"limit", integer(func(d ld) int64 { return d.Limit })},
	{"shadow", text(func(d ld) string { return strings.Join(d.Shadow, " ") })},
	{"gateway", text(func(d ld) string { return d.Gateway })},
	{"policy_version", text(func(d ld) string { return d.PolicyVersion })},
	{"folded", integer(func(d ld) int64 { return d.Folded })},
}
