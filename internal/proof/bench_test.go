package proof_test

import (
	"fmt"
	"testing"

	"smsd/internal/proof"
)

// BenchmarkSign is what a token adds to a verify.
func BenchmarkSign(b *testing.B) {
	r := newRig(b, proof.Options{}, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Sign(login()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConsume is the check of a token, and a store in the process.
func BenchmarkConsume(b *testing.B) {
	r := newRig(b, proof.Options{}, 1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		v := login()
		v.SMSID = fmt.Sprint(i)
		token := r.sign(v)
		b.StartTimer()
		if _, err := r.Consume(b.Context(), token, anything); err != nil {
			b.Fatal(err)
		}
	}
}
