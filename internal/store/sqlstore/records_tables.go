package sqlstore

import (
	"slices"
	"time"

	"smsd/internal/records"
)

func verificationTable() table[records.Verification] {
	type v = records.Verification
	return newTable(slices.Concat(
		[]field[v]{
			text("sms_id", func(r *v) *string { return &r.SMSID }),
			text("app", func(r *v) *string { return &r.App }),
			text("scene", func(r *v) *string { return &r.Scene }),
			text("request_id", func(r *v) *string { return &r.RequestID }),
			text("country", func(r *v) *string { return &r.Country }),
			text("prefix", func(r *v) *string { return &r.Prefix }),
		},
		whomFields(func(r *v) *records.Whom { return &r.Whom }),
		[]field[v]{
			bytes("sealed", func(r *v) *[]byte { return &r.Sealed }),
			text("policy_version", func(r *v) *string { return &r.PolicyVersion }),
			instant("created_at", func(r *v) *time.Time { return &r.CreatedAt }),
			instant("expires_at", func(r *v) *time.Time { return &r.ExpiresAt }),
		},
		fateFields(func(r *v) *records.Fate { return &r.Fate }),
	)...)
}

func changeTable() table[records.Change] {
	type c = records.Change
	return newTable(slices.Concat(
		[]field[c]{
			text("sms_id", func(r *c) *string { return &r.SMSID }),
			instant("expires_at", func(r *c) *time.Time { return &r.ExpiresAt }),
		},
		fateFields(func(r *c) *records.Fate { return &r.Fate }),
	)...)
}

func decisionTable() table[records.Decision] {
	type d = records.Decision
	return newTable(slices.Concat(
		[]field[d]{
			instant("at", func(r *d) *time.Time { return &r.At }),
			text("request_id", func(r *d) *string { return &r.RequestID }),
			text("app", func(r *d) *string { return &r.App }),
			text("action", func(r *d) *string { return &r.Action }),
			text("scene", func(r *d) *string { return &r.Scene }),
			text("outcome", func(r *d) *string { return &r.Outcome }),
			text("sms_id", func(r *d) *string { return &r.SMSID }),
			text("country", func(r *d) *string { return &r.Country }),
			text("prefix", func(r *d) *string { return &r.Prefix }),
		},
		whomFields(func(r *d) *records.Whom { return &r.Whom }),
		[]field[d]{
			text("rule", func(r *d) *string { return &r.Rule }),
			whole("rule_used", func(r *d) *int64 { return &r.Used }),
			whole("rule_limit", func(r *d) *int64 { return &r.Limit }),
			list("shadow", func(r *d) *[]string { return &r.Shadow }),
			text("gateway", func(r *d) *string { return &r.Gateway }),
			text("policy_version", func(r *d) *string { return &r.PolicyVersion }),
			whole("folded", func(r *d) *int64 { return &r.Folded }),
		},
	)...)
}

// decisionRow is a decision as it is read: with the number that tells those of one instant apart.
type decisionRow struct {
	id       int64
	decision records.Decision
}

func decisionRowTable() table[decisionRow] {
	fields := []field[decisionRow]{whole("id", func(r *decisionRow) *int64 { return &r.id })}
	for _, f := range decisionTable().fields {
		fields = append(fields, field[decisionRow]{f.column, func(r *decisionRow) cell { return f.cell(&r.decision) }})
	}
	return newTable(fields...)
}
