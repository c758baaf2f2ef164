package memstore_test

import (
	"strconv"
	"testing"

	"smsd/internal/sms"
)

func BenchmarkCodesPut(b *testing.B) {
	codes, _ := bounded(b.N + 1)
	record := newRecord()
	b.ReportAllocs()
	b.ResetTimer()
	for n := range b.N {
		if _, err := codes.Put(b.Context(), strconv.Itoa(n), record); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCodesVerify uses a code up each time.
func BenchmarkCodesVerify(b *testing.B) {
	codes, _ := bounded(b.N + 1)
	for n := range b.N {
		if _, err := codes.Put(b.Context(), strconv.Itoa(n), newRecord()); err != nil {
			b.Fatal(err)
		}
	}
	right := sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{1}}}
	b.ReportAllocs()
	b.ResetTimer()
	for n := range b.N {
		if _, err := codes.Verify(b.Context(), strconv.Itoa(n), right); err != nil {
			b.Fatal(err)
		}
	}
}
