package throttle_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// BenchmarkReserve decides over the rules of typical: three subjects in clear, five keys, eight cells and the guesses.
func BenchmarkReserve(b *testing.B) {
	w := newWorld(b)
	rules := compile(b, typical(), "login", "register")
	request := throttle.Request{Rules: rules, Scene: "login"}
	subjects := make([][]throttle.Subject, 1<<12)
	for i := range subjects {
		subjects[i] = subjectsOf(fmt.Sprintf("+8613800%06d", i), fmt.Sprintf("10.0.%d.%d", i>>8, i&0xff))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%len(subjects) == 0 {
			w.clock.Advance(25 * time.Hour)
		}
		request.Subjects = subjects[i%len(subjects)]
		_, err := w.Reserve(b.Context(), request)
		var refused *throttle.Denied // by the one counter over all, once it is full
		if err != nil && !errors.As(err, &refused) {
			b.Fatal(err)
		}
	}
}

// BenchmarkReserveRefused is a phone whose cooldown runs.
func BenchmarkReserveRefused(b *testing.B) {
	w := newWorld(b)
	request := throttle.Request{Rules: compile(b, typical(), "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	w.allowed(b, request)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Reserve(b.Context(), request); err == nil {
			b.Fatal("allowed")
		}
	}
}

// BenchmarkPrepare is the naming of a request's keys alone: a keyed digest for each subject, and what follows from it.
func BenchmarkPrepare(b *testing.B) {
	w := newWorld(b)
	request := throttle.Request{Rules: compile(b, typical(), "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Prepare(request); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLocal(b *testing.B) {
	g := newGate(b, throttle.LocalOptions{Rate: 1e9, Burst: 1e9, IPRate: 1e6, IPBurst: 1e6})
	a := addr(b, "192.0.2.1")
	b.ReportAllocs()
	for b.Loop() {
		g.now = g.now.Add(time.Microsecond)
		if err := g.Allow(throttle.Send, a); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDenyHit is a phone whose cooldown runs, refused without the store.
func BenchmarkDenyHit(b *testing.B) {
	w := newDenyWorld(b)
	request := cooldown(b, "192.0.2.1")
	w.allowed(b, request)
	b.ReportAllocs()
	for b.Loop() {
		p, err := w.Prepare(request)
		if err != nil || p.Denied() == nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBlocked is an address that tries one number after another, refused without the store.
func BenchmarkBlocked(b *testing.B) {
	w := newDenyWorld(b)
	rules := onePer(b, throttle.IP)
	w.allowed(b, attack(rules, 0))
	w.hammer(b, rules, 5)
	request := attack(rules, 0)
	b.ReportAllocs()
	for b.Loop() {
		p, err := w.Prepare(request)
		if err != nil || p.Denied() == nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNotBlocked is what the deny cache and the block cost a request that neither knows of.
func BenchmarkNotBlocked(b *testing.B) {
	for _, length := range []time.Duration{0, blockLength} {
		b.Run(length.String(), func(b *testing.B) {
			w := newDenyWorld(b)
			request := cooldown(b, "192.0.2.1")
			request.Block = length
			p := prepared(b, w, request)
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Denied(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
