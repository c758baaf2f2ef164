package throttle_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

// machine does random things to a Limiter over a memstore and to the model, and compares every answer.
type machine struct {
	world
	model model
	rules *throttle.RuleSet
	taken []taken
	// cached says that a deny cache answers too, whose used may be two seconds old.
	cached bool
}

// taken is a reservation and its place in the model.
type taken struct {
	*throttle.Reservation
	place int
}

var (
	scenes   = []string{"login", "register"}
	subjects = map[throttle.Kind][]string{
		throttle.Phone:   {"+8613800138000", "+8613900139000"},
		throttle.IP:      {"192.0.2.1", "192.0.2.2"},
		throttle.IPNet:   {"192.0.2.0/24"},
		throttle.Device:  {"", "device"},
		throttle.App:     {"default", "a{x}b"},
		throttle.Prefix:  {"+861380013", ""},
		throttle.Country: {"CN"},
	}
	bys = [][]throttle.Kind{
		{}, {throttle.Scene}, {throttle.Phone}, {throttle.Phone, throttle.Scene}, {throttle.IP}, {throttle.IPNet},
		{throttle.Phone, throttle.IPNet}, {throttle.IP, throttle.Phone, throttle.Scene}, {throttle.Device}, {throttle.App},
		{throttle.Prefix, throttle.Country}, {throttle.Device, throttle.IP, throttle.Country},
	}
)

func drawRules(t *rapid.T) (rules []throttle.Rule) {
	for i := range rapid.IntRange(1, 6).Draw(t, "rules") {
		rules = append(rules, throttle.Rule{
			Name:      string(rune('a' + i)),
			By:        rapid.SampledFrom(bys).Draw(t, "by"),
			Scene:     rapid.SampledFrom([]string{"", "", "login"}).Draw(t, "scene"),
			On:        rapid.SampledFrom([]throttle.Event{throttle.Send, throttle.Send, throttle.Verify, throttle.Guess}).Draw(t, "on"),
			Limit:     rapid.Int64Range(1, 5).Draw(t, "limit"),
			Window:    rapid.SampledFrom([]time.Duration{time.Second, 5 * time.Second, time.Minute}).Draw(t, "window"),
			Algorithm: rapid.SampledFrom([]throttle.Algorithm{throttle.Auto, throttle.Log}).Draw(t, "algorithm"),
			Mode:      rapid.SampledFrom([]throttle.Mode{throttle.Enforce, throttle.Enforce, throttle.Shadow, throttle.Off}).Draw(t, "mode"),
		})
	}
	return rules
}

// drawEvent draws an event with subjects. The app is that of the phone: the model knows nothing of apps as part of
// every identity.
func drawEvent(t *rapid.T, event throttle.Event) happened {
	h := happened{event: event, scene: rapid.SampledFrom(scenes).Draw(t, "scene"), subjects: map[throttle.Kind]string{}}
	for k := throttle.Phone; k <= throttle.Prefix; k++ {
		if ids := subjects[k]; ids != nil {
			h.subjects[k] = rapid.SampledFrom(ids).Draw(t, k.String())
		}
	}
	h.subjects[throttle.App] = subjects[throttle.App][0]
	return h
}

func (m *machine) request(e happened) throttle.Request {
	r := throttle.Request{Rules: m.rules, Event: e.event, Scene: e.scene}
	for k, id := range e.subjects {
		r.Subjects = append(r.Subjects, throttle.Subject{Kind: k, ID: id})
	}
	return r
}

// Reserve also checks that waiting retry-after is enough, and a millisecond less is not.
func (m *machine) Reserve(t *rapid.T) {
	e := drawEvent(t, rapid.SampledFrom([]throttle.Event{throttle.Send, throttle.Send, throttle.Verify}).Draw(t, "event"))
	want := m.model.retryAfter(e)
	res, err := m.Limiter.Reserve(context.Background(), m.request(e))
	var denied *throttle.Denied
	switch {
	case err == nil && want == 0:
		m.taken = append(m.taken, taken{res, m.model.record(e, false)})
		m.same(t, e, res.Usages())
	case errors.As(err, &denied) && want > 0:
		m.refused(t, e, denied, want)
	default:
		t.Fatalf("got %v, want a wait of %s", err, want)
	}
}

func (m *machine) refused(t *rapid.T, e happened, d *throttle.Denied, want time.Duration) {
	u := m.model.usages(e)[d.Rule]
	if d.RetryAfter != want || u.RetryAfter != want || u.Used != d.Used && !m.cached || u.Limit != d.Limit || d.Allowed {
		t.Fatalf("got %+v, want a wait of %s of %+v", d.Decision, want, u)
	}
	if !rapid.Bool().Draw(t, "wait") {
		return
	}
	m.advance(want - time.Millisecond)
	if _, err := m.Limiter.Reserve(context.Background(), m.request(e)); !errors.As(err, &d) || d.RetryAfter != time.Millisecond {
		t.Fatalf("a millisecond too early: %v", err)
	}
	m.advance(time.Millisecond)
	res, err := m.Limiter.Reserve(context.Background(), m.request(e))
	if err != nil {
		t.Fatalf("after the whole wait: %v", err)
	}
	m.taken = append(m.taken, taken{res, m.model.record(e, false)})
}

func (m *machine) Charge(t *rapid.T) {
	e := drawEvent(t, throttle.Guess)
	if err := m.Limiter.Charge(context.Background(), m.request(e)); err != nil {
		t.Fatal(err)
	}
	m.model.record(e, true)
}

func (m *machine) Inspect(t *rapid.T) {
	e := drawEvent(t, rapid.SampledFrom([]throttle.Event{throttle.Send, throttle.Verify, throttle.Guess}).Draw(t, "event"))
	usages, err := m.Limiter.Inspect(context.Background(), m.request(e))
	if err != nil {
		t.Fatal(err)
	}
	m.same(t, e, usages)
}

func (m *machine) same(t *rapid.T, e happened, usages []throttle.Usage) {
	got := map[string]throttle.Usage{}
	for _, u := range usages {
		got[u.Rule] = u
	}
	if want := m.model.usages(e); !reflect.DeepEqual(got, want) || len(usages) != len(got) {
		t.Fatalf("usages\n got %+v\nwant %+v", got, want)
	}
}

// Refund also refunds what was given back before: that changes nothing.
func (m *machine) Refund(t *rapid.T) {
	if len(m.taken) == 0 {
		t.Skip("nothing to refund")
	}
	which := rapid.SampledFrom(m.taken).Draw(t, "reservation")
	kinds := rapid.SampledFrom([][]throttle.Kind{nil, nil, {throttle.Phone}, {throttle.IP, throttle.Device}, {throttle.Scene}}).Draw(t, "kinds")
	if err := which.Refund(context.Background(), kinds...); err != nil {
		t.Fatal(err)
	}
	m.model.refund(which.place, kinds)
}

func (m *machine) Advance(t *rapid.T) {
	m.advance(time.Duration(rapid.OneOf(rapid.Int64Range(1, 2000), rapid.Int64Range(1, 70_000)).Draw(t, "ms")) * time.Millisecond)
}

func (m *machine) advance(d time.Duration) {
	m.clock.Advance(d)
	m.model.now += d
}

// Change is a new policy version: other limits, and windows that may be shorter, apply to the counts that run.
// (Of a longer window the throttle no longer knows what the model does.)
func (m *machine) Change(t *rapid.T) {
	for i := range m.model.rules {
		r := &m.model.rules[i]
		r.Limit = rapid.Int64Range(1, 5).Draw(t, "limit")
		if rapid.Bool().Draw(t, "shorter") {
			r.Window = max(throttle.MinWindow, r.Window/2)
		}
	}
	m.compile(t)
}

func (m *machine) compile(t *rapid.T) {
	rules, err := throttle.Compile(m.model.rules, scenes)
	if err != nil {
		t.Fatal(err)
	}
	m.rules = rules
}

func newMachine(t *rapid.T, tt *testing.T) *machine {
	m := &machine{world: newWorld(tt), model: model{rules: drawRules(t)}}
	m.compile(t)
	return m
}

// asTold is a refusal as its client hears of it: of two rules with the same wait, either may be the one that refuses.
func asTold(err error) error {
	denied, refused := errors.AsType[*throttle.Denied](err)
	if !refused {
		return err
	}
	return &throttle.Denied{Decision: throttle.Decision{RetryAfter: denied.RetryAfter}}
}
