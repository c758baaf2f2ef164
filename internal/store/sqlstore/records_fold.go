package sqlstore

import (
	"slices"
	"strings"

	"smsd/internal/records"
)

// fold puts changes into the verifications that they are of, where a batch has both: one row is written then and not two. Both come
// in the order of their ids, one of each id, and leave in it: the rows that nothing is told of, those that are whole, and the
// changes that are left.
func fold(rows []records.Verification, told []records.Change) (alone, whole []records.Verification, left []records.Change) {
	for i := range rows {
		id := storable(rows[i].SMSID)
		for len(told) > 0 && storable(told[0].SMSID) < id {
			left, told = append(left, told[0]), told[1:]
		}
		if len(told) == 0 || storable(told[0].SMSID) != id || !foldable(&rows[i], &told[0]) {
			alone = append(alone, rows[i])
			continue
		}
		whole = append(whole, rows[i])
		last := &whole[len(whole)-1]
		last.ExpiresAt, last.Fate = told[0].ExpiresAt, told[0].Fate
		told = told[1:]
	}
	return alone, whole, append(left, told...)
}

// foldable says whether all that a row says of its fate, and of its end, is what the change tells: as of a send, whose row is begun
// before its gateway has said anything. Then [fillOrAdd] knows what to do where the database has a row already.
func foldable(v *records.Verification, c *records.Change) bool {
	return v.Fate == (records.Fate{}) && !c.ExpiresAt.IsZero()
}

// fillOrAdd is the text that writes rows that are whole. A row that is there stays, and the change is added; one that is early is
// completed besides. The change came in this batch, so that it is told behind what either has.
func fillOrAdd(columns, told []column) func(source string) string {
	var all, own []string
	for _, c := range columns {
		all = append(all, c.name)
		if !slices.Contains(told, c) {
			own = append(own, c.name+" = CASE WHEN v.early_at IS NULL THEN v."+c.name+" ELSE excluded."+c.name+" END")
		}
	}
	return around("INSERT INTO verifications AS v ("+strings.Join(all, ", ")+") ", `
ON CONFLICT (sms_id) DO UPDATE SET early_at = NULL, `+strings.Join(own, ", ")+", "+merge("v", "excluded"))
}
