package sms_test

import (
	"fmt"
	"log/slog"
	"testing"

	"smsd/internal/gateway/mock"
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

// BenchmarkVerifyRight measures a right code of a verification of its own, which is sent off the clock.
func BenchmarkVerifyRight(b *testing.B) {
	r := newBench(b)
	requests := make([]sms.VerifyRequest, b.N)
	for n := range requests {
		sent, err := r.Send(b.Context(), sms.SendRequest{Phone: fmt.Sprintf("+86138%08d", n), Scene: "login", Client: home})
		if err != nil {
			b.Fatal(err)
		}
		code := r.inbox.Messages(mock.Filter{Limit: 1})[0].Code.Reveal()
		requests[n] = sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Client: home}
	}
	b.ResetTimer()
	for _, request := range requests {
		if _, err := r.Verify(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSendRefused measures a number whose cooldown runs.
func BenchmarkSendRefused(b *testing.B) {
	r := newBench(b)
	if _, err := r.Send(b.Context(), ask(alice)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Send(b.Context(), ask(alice)); err == nil {
			b.Fatal("allowed")
		}
	}
}

func newBench(b *testing.B) *rig {
	r := newRig(b, setup{policy: with("limits: [{name: cooldown, by: [phone, scene], limit: 1, window: 60s}, " +
		"{name: hour, by: [phone, scene], limit: 4, window: 1h}, {name: ip-burst, by: [ip], limit: 1000000, window: 5m}]"),
		logger: slog.New(slog.DiscardHandler)})
	return r
}
