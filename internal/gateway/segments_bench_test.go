package gateway_test

import (
	"testing"

	"smsd/internal/gateway"
)

// Segments runs on each send of which a row is kept.
func BenchmarkSegments(b *testing.B) {
	for name, text := range map[string]string{
		"GSM-7": "493817 is your login code. It works for 5 minutes. Never share it.",
		"UCS-2": "登录验证码：493817，5分钟内有效。请勿告诉任何人。",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				gateway.Segments(text)
			}
		})
	}
}
