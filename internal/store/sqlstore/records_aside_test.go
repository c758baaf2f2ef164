package sqlstore_test

import (
	"fmt"
	"testing"

	"smsd/internal/records"
)

// What was set aside of a batch is not written once more where that is written whole after all; and is, where the rest of it was
// there before.
func TestWhatWasSetAsideOfABatchThatIsWhole(t *testing.T) {
	t.Parallel()
	const rows = 3
	number := records.Number{Writer: "mixed/1", Seq: 1}
	whole := mixed(rows)
	whole.Aside = number
	aside := records.Batch{Writer: number.Writer, Seq: number.Seq, Decisions: whole.Decisions[:1]}
	unnamed := whole
	unnamed.Handles = nil
	rest := mixed(rows)
	rest.Decisions = rest.Decisions[1:]
	for name, empty := range empties(t) {
		for what, c := range map[string]struct {
			calls     []records.Batch
			decisions int
		}{
			"whole":                 {[]records.Batch{whole, aside}, rows},
			"whole, with no handle": {[]records.Batch{unnamed, aside}, rows},
			"the rest before":       {[]records.Batch{rest, whole, aside, aside}, rows},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				db := open(t, empty(t))
				for _, b := range c.calls {
					if err := append1(t, db, b); err != nil {
						t.Fatal(err)
					}
				}
				if _, n := count(t, db); n != c.decisions {
					t.Errorf("%d decisions, want %d", n, c.decisions)
				}
			})
		}
	}
}

// So it is where the batch is written in parts: what is refused of it then has another number.
func TestWhatWasSetAsideOfABatchInParts(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		for refused := range 2 {
			t.Run(fmt.Sprintf("%s/%d", name, refused), func(t *testing.T) {
				o := empty(t)
				db := open(t, o)
				b := mixed(3)
				if refused > 0 {
					execute(t, o, obstacles[name][0])
					b = mixed(3, 0)
				}
				b.Aside = records.Number{Writer: "mixed/1", Seq: 2}
				if err := db.Records().AppendSome(t.Context(), b, func(records.Batch, error) error { return nil }); err != nil {
					t.Fatal(err)
				}
				for seq := range uint64(3) {
					if err := append1(t, db, records.Batch{Writer: "mixed/1", Seq: seq + 1, Decisions: mixed(1).Decisions}); err != nil {
						t.Fatal(err)
					}
				}
				if _, n := count(t, db); n != 3-refused+1 {
					t.Errorf("%d decisions with %d refused", n, refused)
				}
			})
		}
	}
}
