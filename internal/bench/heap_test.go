package bench

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/throttle"
)

// heapSizes measures what n subjects take in this process, a store of one kind of subject at a time; w holds a
// verification that is to be like theirs.
func heapSizes(t testing.TB, w *watched, n int) []size {
	t.Helper()
	phoneOnly := strings.Replace(sevenRules, "  - {name: ip-burst, by: [ip], limit: 25, window: 5m}\n", "", 1)
	table := []size{{subject: "phone", happened: "1 send"}, {subject: "phone", happened: "8 sends and 2 wrong codes"}, {subject: "verification", happened: "1 send"}}
	table[0].memory = phonesOnHeap(t, n, 1, phoneOnly)
	table[1].memory = phonesOnHeap(t, n, 10, phoneOnly)
	table[2].memory = codesOnHeap(t, n, w.record())
	for i := range table {
		table[i].policy, table[i].subject = "seven", table[i].subject+" in memstore"
	}
	return table
}

// phonesOnHeap returns the bytes of each of n phones with so many entries.
func phonesOnHeap(t testing.TB, n, entries int, rules string) int64 {
	t.Helper()
	l := newLedger(t, inProcess, rulesOf(t, rules))
	return perOne(n, func() any {
		for i := range n {
			l.populate(i, entries)
		}
		return l
	})
}

// populate gives the n-th phone so many entries, by force: when they came is nothing to their size.
func (l *ledger) populate(n, entries int) {
	for i := range entries {
		event := throttle.Send
		if i >= 8 {
			event = throttle.Guess
		}
		request := throttle.Request{Rules: l.rules, Event: event, Scene: "login", Subjects: person(n, 1)}
		if err := l.Charge(context.Background(), request); err != nil {
			l.t.Fatal(err)
		}
	}
}

// codesOnHeap returns the bytes of each of n verifications like r.
func codesOnHeap(t testing.TB, n int, r sms.NewRecord) int64 {
	t.Helper()
	codes := memstore.NewCodes(memstore.Options{Clock: memstore.NewClock(storetest.NewManualClock().Now)})
	return perOne(n, func() any {
		for i := range n {
			own := r
			own.Sealed = append([]byte(nil), r.Sealed...)
			if _, err := codes.Put(context.Background(), fmt.Sprintf("00000000-0000-4000-8000-%012d", i), own); err != nil {
				t.Fatal(err)
			}
		}
		return codes
	})
}

// record reads a verification that the service has stored.
func (w *watched) record() sms.NewRecord {
	w.t.Helper()
	ctx := context.Background()
	keys, err := w.client.Keys(ctx, "smsd:1:c:*").Result()
	if err != nil || len(keys) == 0 {
		w.t.Fatalf("no verification in Redis: %v", err)
	}
	r, err := client(w.t, w.url, nil).Codes().Get(ctx, strings.Trim(keys[0][len("smsd:1:c:"):], "{}"))
	if err != nil {
		w.t.Fatal(err)
	}
	return sms.NewRecord{
		App: r.App, Scene: r.Scene, Code: r.Code, Phone: r.Phone, Length: r.Length, Attempts: r.AttemptsLeft, Sealed: r.Sealed,
		TTL: r.ExpiresAt.Sub(r.CreatedAt), Keep: r.ExpiresAt.Sub(r.CreatedAt),
	}
}

// perOne returns by how much the heap has grown for each of n things that fill makes and keeps.
func perOne(n int, fill func() any) int64 {
	before := heap()
	kept := fill()
	grown := heap() - before
	runtime.KeepAlive(kept)
	return grown / int64(n)
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // twice: what a pool or a weak pointer held is gone the second time
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
