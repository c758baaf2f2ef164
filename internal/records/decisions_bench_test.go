package records_test

import (
	"fmt"
	"testing"
	"time"

	"smsd/internal/records"
)

// BenchmarkDecide is a refusal's share of the decision log, in a flood from ever new subjects and from one.
func BenchmarkDecide(b *testing.B) {
	for _, subjects := range []int{1, 100_000} {
		b.Run(fmt.Sprint("subjects=", subjects), func(b *testing.B) {
			r := newRig(b)
			all := make([]records.Attempt, subjects)
			for i := range all {
				all[i] = refusal(number(b, fmt.Sprintf("+86138%08d", i)), "range", i)
				all[i].Client = client(b, fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255))
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				a := &all[i%subjects]
				a.At = time.Now()
				r.book.Decide(*a)
				i++
			}
		})
	}
}
