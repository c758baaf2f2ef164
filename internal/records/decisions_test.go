package records_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/phone"
	"smsd/internal/records"
)

func refusal(n phone.Number, rule string, i int) records.Attempt {
	return records.Attempt{
		At: time.Now(), RequestID: fmt.Sprint("r-", i), App: "default", Action: "send", Scene: "login", Outcome: "rate_limited",
		Phone: n, Rule: rule, Used: int64(i), Limit: 4, Shadow: []string{"would-have"}, AtWill: true,
	}
}

// attempts is how many attempts the rows stand for.
func attempts(rows []records.Decision) (sum int64) {
	for _, d := range rows {
		sum += 1 + d.Folded
	}
	return sum
}

// The first five have rows of their own; of the others the latest is there whole, and counts those before it.
func TestRefusalsOfASubjectAreFolded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		for i := 1; i <= 1000; i++ {
			r.book.Decide(refusal(r.number, "hour", i))
		}
		time.Sleep(3 * time.Second)
		rows := r.store.decided()
		if len(rows) != 6 || attempts(rows) != 1000 {
			t.Fatalf("%d rows for %d attempts", len(rows), attempts(rows))
		}
		for i, d := range rows[:5] {
			if d.RequestID != fmt.Sprint("r-", i+1) || d.Folded != 0 {
				t.Errorf("row %d: %+v", i, d)
			}
		}
		if d := rows[5]; d.RequestID != "r-1000" || d.Folded != 994 || d.Used != 1000 || d.Whom.Phone.IsZero() || len(d.Shadow) != 1 || d.Country != "CN" {
			t.Errorf("the latest: %+v", d)
		}
		if r.metric("decisions_folded_total") != 994 {
			t.Error("the metric did not follow")
		}
	})
}

// Rules, outcomes, apps and seconds are told apart.
func TestWhatIsNotFoldedTogether(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		for range 5 {
			r.book.Decide(refusal(r.number, "hour", 0))
		}
		for range 3 {
			for _, change := range []func(*records.Attempt){
				func(*records.Attempt) {}, func(a *records.Attempt) { a.Rule = "day" }, func(a *records.Attempt) { a.Outcome = "blocked" },
				func(a *records.Attempt) { a.App = "other" }, func(a *records.Attempt) { a.Action = "resend" },
				func(a *records.Attempt) { a.Phone = number(t, "+8613800138001"); a.AtWill = false },
			} {
				a := refusal(r.number, "hour", 0)
				change(&a)
				r.book.Decide(a)
				r.book.Decide(a)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(2 * time.Second)
		if rows := r.store.decided(); len(rows) != 5+3*(5+2) || attempts(rows) != 5+3*12 {
			t.Errorf("%d rows for %d attempts", len(rows), attempts(rows))
		}
	})
}

// A flood of ever new numbers and addresses: rows are bounded, every attempt is counted, and no count is laid to whoever was
// the last. It runs beside no other test, whose memory it would count.
func TestAFloodOfEverNewSubjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		base := heap()
		const seconds, each = 30, 1000
		for s := range seconds {
			for i := range each {
				n := s*each + i
				a := refusal(phone.Number{}, "range", n)
				if n%10 == 0 { // reading them is slow
					a.Phone = number(t, fmt.Sprintf("+86138%08d", n))
				}
				a.Client = client(t, fmt.Sprintf("10.%d.%d.%d", n>>8, n&255, n&255))
				r.book.Decide(a)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(5 * time.Second)
		rows := r.store.decided()
		if n := attempts(rows); n != seconds*each || r.metric("decisions_dropped_total") != 0 {
			t.Errorf("%d attempts of %d, %v dropped", n, seconds*each, r.metric("decisions_dropped_total"))
		}
		// The bursts, the rates, and one row a second by rule alone.
		if most := 11_000 + seconds*(55+1) + 60; len(rows) > most || len(rows) < 11_000 {
			t.Errorf("%d rows, at most %d", len(rows), most)
		}
		for _, d := range rows {
			if d.Folded > 10 && (!d.Whom.Phone.IsZero() || !d.Whom.Host.IsZero() || d.Prefix != "") {
				t.Fatalf("many are laid to one: %+v", d)
			}
		}
		if grown := heap() - base; grown > 64<<20 {
			t.Errorf("%d bytes more in use", grown)
		}
	})
}

// Where a network's refusals share a row it tells the network, and nobody in it.
func TestARowOfANetwork(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		spent := refusal(phone.Number{}, "range", 0)
		for n := range 10_000 {
			spent.Client = client(t, fmt.Sprintf("10.1.%d.%d", n>>8, n&255))
			r.book.Decide(spent)
		}
		for n := range 100 {
			a := refusal(number(t, fmt.Sprintf("+86138%08d", n)), "range", n)
			a.Client, a.Device, a.SMSID = client(t, fmt.Sprintf("192.0.2.%d", n)), "device", "one"
			a.Whom = r.options.Keys.Whom(a.Phone, a.Client, a.Device) // known already, and left out all the same
			r.book.Decide(a)
		}
		time.Sleep(3 * time.Second)
		rows := r.store.decided()
		d := rows[len(rows)-1]
		network := r.options.Keys.Whom(phone.Number{}, client(t, "192.0.2.1"), "").Network
		if d.Folded != 99 || d.Whom != (records.Whom{Network: network}) || d.Prefix != "" || d.Country != "" || d.SMSID != "" {
			t.Errorf("%+v", d)
		}
	})
}

// A block list may be long: what many of its entries refuse in a flood shares a row as what one does, which names the list alone.
func TestARowOfABlockList(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		spent := refusal(phone.Number{}, "block[0]", 0)
		for n := range 10_000 {
			spent.Client = client(t, fmt.Sprintf("10.1.%d.%d", n>>8, n&255))
			r.book.Decide(spent)
		}
		for n := range 100 {
			a := refusal(phone.Number{}, fmt.Sprintf("block[%d]", n), n)
			a.Client = client(t, fmt.Sprintf("192.0.2.%d", n))
			r.book.Decide(a)
		}
		time.Sleep(3 * time.Second)
		rows := r.store.decided()
		if d := rows[len(rows)-1]; d.Folded != 99 || d.Rule != "block" {
			t.Errorf("%+v", d)
		}
		if first := rows[0]; first.Rule != "block[0]" {
			t.Errorf("a row of its own: %+v", first)
		}
	})
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The hashes of a row that an attempt belongs to are those of the attempt, which are not made anew.
func TestAnAttemptWhoseHashesAreKnown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		n := r.send("one")
		p := r.book.Accept(n)
		if want := r.options.Keys.Whom(n.Phone, n.Client, n.Device); p.Whom() != want || want.Device.IsZero() {
			t.Errorf("the row is of %v, want %v", p.Whom(), want)
		}
		a := refusal(n.Phone, "", 0)
		a.Outcome, a.AtWill, a.Whom = "accepted", false, p.Whom() // client and device are in the hashes alone
		r.book.Decide(a)
		time.Sleep(3 * time.Second)
		if rows := r.store.decided(); len(rows) != 1 || rows[0].Whom != p.Whom() {
			t.Errorf("%+v", rows)
		}
	})
}

// What costs money has its row, in whatever flood.
func TestAcceptedAttemptsAreNeverFolded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		for i := range 1000 {
			a := refusal(r.number, "", i)
			a.Outcome, a.AtWill = "accepted", false
			r.book.Decide(a)
		}
		time.Sleep(3 * time.Second)
		if rows := r.store.decided(); len(rows) != 1000 || attempts(rows) != 1000 {
			t.Errorf("%d rows for %d attempts", len(rows), attempts(rows))
		}
	})
}

// Decisions wait for a database that is away in a bounded part of the spool, and else in bounded memory.
func TestDecisionsWhileTheDatabaseIsAway(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.OnFailure = records.Refuse })
		r.store.setDown(true)
		for i := range 50_000 {
			a := refusal(r.number, "", i)
			a.AtWill = false
			r.book.Decide(a)
		}
		time.Sleep(5 * time.Second)
		r.store.setDown(false)
		time.Sleep(20 * time.Second)
		rows := r.store.decided()
		if n := len(rows); n < 20_000 || n > 21_000 || float64(n)+r.metric("decisions_dropped_total") != 50_000 {
			t.Errorf("%d rows, %v dropped", n, r.metric("decisions_dropped_total"))
		}
		if last := rows[len(rows)-1]; last.RequestID != "r-49999" {
			t.Errorf("the latest is %s", last.RequestID)
		}
	})
}
