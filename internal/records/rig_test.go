package records_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/address"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/records"
)

func keysOf(t testing.TB, secrets ...byte) *records.Keys {
	t.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, bytes.Repeat([]byte{b}, keyring.MinSecret))
	}
	root, err := keyring.New(all)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := records.NewKeys(root)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func number(t testing.TB, raw string) phone.Number {
	t.Helper()
	n, err := phone.Parse(raw, "")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func client(t testing.TB, raw string) address.Addr {
	t.Helper()
	a, err := address.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// rig is a book over a database in memory.
type rig struct {
	t        testing.TB
	store    *memory
	book     *records.Book
	options  records.Options
	registry *prometheus.Registry
	log      *lines
	number   phone.Number
	client   address.Addr
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}

func newRig(t testing.TB, change ...func(*records.Options)) *rig {
	t.Helper()
	r := &rig{
		t: t, store: newMemory(), registry: prometheus.NewRegistry(), log: &lines{},
		number: number(t, "+8613800138000"), client: client(t, "203.0.113.7"),
	}
	r.options = records.Options{
		Store: r.store, Keys: keysOf(t, 1), Dir: t.TempDir(), Registerer: r.registry,
		Logger: slog.New(slog.NewTextHandler(r.log, nil)),
	}
	for _, c := range change {
		c(&r.options)
	}
	r.open()
	return r
}

func (r *rig) open() {
	r.t.Helper()
	book, err := records.Open(r.options)
	if err != nil {
		r.t.Fatal(err)
	}
	r.book = book
	r.t.Cleanup(func() { _ = book.Close(ended()) })
}

// reopen is another run of the program.
func (r *rig) reopen() {
	r.t.Helper()
	r.registry = prometheus.NewRegistry()
	r.options.Registerer = r.registry
	r.open()
}

// ended is a context for those who have no time.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func (r *rig) send(id string) records.NewVerification {
	now := time.Now()
	return records.NewVerification{
		SMSID: id, App: "default", Scene: "login", RequestID: "r-" + id, Phone: r.number, Client: r.client,
		Device: "device", PolicyVersion: "v", CreatedAt: now, ExpiresAt: now.Add(5 * time.Minute),
	}
}

func (r *rig) accept(id string) error { return r.book.Accept(r.send(id)).Wait(r.t.Context()) }

func (r *rig) resend(id string) error {
	return r.book.Change(records.Change{SMSID: id, Fate: records.Fate{Resends: 1}}).Wait(r.t.Context())
}

func (r *rig) close() {
	r.t.Helper()
	if err := r.book.Close(r.t.Context()); err != nil {
		r.t.Error(err)
	}
}

// drained waits until the spool is empty.
func (r *rig) drained() {
	r.t.Helper()
	for range 10_000 {
		if s := r.book.Status(); s.Away.IsZero() && s.SpooledBytes == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("not drained: %+v", r.book.Status())
}

// has demands that the database has each row once, with one resend.
func (r *rig) has(ids ...string) {
	r.t.Helper()
	for _, id := range ids {
		if v, ok := r.store.row(id); !ok || v.Fate.Resends != 1 {
			r.t.Errorf("%s: there %t, resends %d", id, ok, v.Fate.Resends)
		}
	}
}

func (r *rig) metric(name string) float64 {
	r.t.Helper()
	families, err := r.registry.Gather()
	if err != nil {
		r.t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		if f.GetName() == "smsd_records_"+name {
			for _, m := range f.GetMetric() {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

// bubble runs a test in a time of its own, which passes when everybody waits.
func bubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

func id(i int) string { return fmt.Sprintf("id-%06d", i) }
