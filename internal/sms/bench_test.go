package sms_test

import (
	"fmt"
	"log/slog"
	"testing"

	"smsd/internal/sms"
)

// BenchmarkSend measures the domain over the embedded stores and the mock gateway, by the built-in policy
// but for the limits that one process would run into: what a send costs beside HTTP and Redis.
func BenchmarkSend(b *testing.B) {
	r := newBench(b)
	var n int
	for b.Loop() {
		n++
		q := sms.SendRequest{Phone: fmt.Sprintf("+86138%08d", n), Scene: "login", Locale: "zh-CN", Client: home}
		if _, err := r.Send(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerify measures a wrong code, its count included.
func BenchmarkVerify(b *testing.B) {
	r := newBench(b)
	sent, err := r.Send(b.Context(), ask(alice))
	if err != nil {
		b.Fatal(err)
	}
	wrong := otherCode(r.inbox.Messages(mockAll)[0].Code.Reveal())
	for b.Loop() {
		_, _ = r.Verify(b.Context(), sms.VerifyRequest{SMSID: sent.SMSID, Code: wrong, Client: home})
	}
}

func newBench(b *testing.B) *rig {
	r := newRig(b, setup{policy: with("limits: [{name: cooldown, by: [phone, scene], limit: 1, window: 60s}, " +
		"{name: hour, by: [phone, scene], limit: 4, window: 1h}, {name: ip-burst, by: [ip], limit: 1000000, window: 5m}]"),
		logger: slog.New(slog.DiscardHandler)})
	return r
}
