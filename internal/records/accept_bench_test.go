package records_test

import "testing"

// BenchmarkAccept is what a send's row costs the request itself: four hashes, a seal, and a place in the queue.
func BenchmarkAccept(b *testing.B) {
	r := newRig(b)
	n := r.send("0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69")
	b.ReportAllocs()
	for b.Loop() {
		r.book.Accept(n)
	}
}
