package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"smsd/internal/records"
)

var stateTests = []recordsTest{
	{"the state that is filtered by is the one that State tells", func(t *testing.T, b *recordsBench) {
		rows := everyFate()
		b.send(rows...)
		for _, now := range []time.Time{at(-1), at(999), at(1000).Add(-1), at(1000), at(1000).Add(1), at(1001), at(5000)} {
			for _, state := range []records.State{records.Accepted, records.Delivered, records.Verified, records.Expired, records.Failed, "sleeping"} {
				var want []string
				for _, v := range rows {
					if v.State(now) == state {
						want = append(want, v.SMSID)
					}
				}
				got := ids(b.verifications(records.Filter{State: state, Now: now}))
				slices.Sort(got)
				equalNames(t, fmt.Sprintf("%s at %v", state, now), got, want...)
			}
		}
	}},
	{"a state goes with other conditions and with pages", func(t *testing.T, b *recordsBench) {
		rows := everyFate()
		rows[0].App = "shop"
		b.send(rows...)
		f := records.Filter{App: "shop", State: records.Accepted, Now: at(0), Limit: 1}
		equalNames(t, "rows", ids(b.verifications(f)), rows[0].SMSID)
	}},
}

// everyFate is one row for each combination of the instants that a state follows from, sorted by id.
func everyFate() []records.Verification {
	var rows []records.Verification
	for n := range 16 {
		for _, expires := range []time.Time{at(1000), at(9000)} {
			v := accepted(len(rows))
			v.ExpiresAt = expires
			for bit, instant := range []*time.Time{&v.Fate.DeliveredAt, &v.Fate.VerifiedAt, &v.Fate.FailedAt, &v.Fate.ExpiredAt} {
				if n>>bit&1 == 1 {
					*instant = at(500)
				}
			}
			rows = append(rows, v)
		}
	}
	return rows
}
