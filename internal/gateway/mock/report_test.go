package mock_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// The newest matching message is reported on, by the id that its gateway was given.
func TestReport(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	for i, id := range []string{"first", "second", "other"} {
		m := message(alice)
		if m.ID, m.SMSID = id, "s1"; i == 2 {
			m.SMSID = "s2"
		}
		if _, err := g.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	at := still()
	for _, c := range []struct {
		filter mock.Filter
		want   string
	}{
		{mock.Filter{SMSID: "s1"}, "second"},
		{mock.Filter{Phone: alice}, "other"},
		{mock.Filter{Phone: alice, SMSID: "s1"}, "second"},
	} {
		by, told, err := g.Report(t.Context(), c.filter, gateway.Receipt{State: gateway.Undelivered, Reason: gateway.BadNumber, At: at})
		want := []gateway.Receipt{{MessageID: c.want, State: gateway.Undelivered, Reason: gateway.BadNumber, At: at, Segments: 1}}
		if err != nil || by != "mock" || !reflect.DeepEqual(told, want) {
			t.Errorf("%+v: %q, %+v, %v", c.filter, by, told, err)
		}
	}
	if _, _, err := g.Report(t.Context(), mock.Filter{Phone: bob}, gateway.Receipt{State: gateway.Delivered}); !errors.Is(err, mock.ErrNoMessage) {
		t.Errorf("nobody's message: %v", err)
	}
	g.Clear()
	if _, _, err := g.Report(t.Context(), mock.Filter{Phone: alice}, gateway.Receipt{State: gateway.Delivered}); !errors.Is(err, mock.ErrNoMessage) {
		t.Errorf("an empty inbox: %v", err)
	}
}

// Of an inbox that several share each message is reported on by the one that took it.
func TestReportOfAnother(t *testing.T) {
	t.Parallel()
	g, other := mock.New(nil), mock.NewWith(mock.Options{Name: "other"})
	other.Join(g)
	strange := errors.New("strange")
	other.Play(t.Context(), message(bob), func(context.Context, gateway.Receipt) ([]gateway.Receipt, error) { return nil, strange })
	deliver(t, g, "s1", alice, "login")
	if by, _, err := g.Report(t.Context(), mock.Filter{Phone: bob}, gateway.Receipt{}); by != "other" || !errors.Is(err, strange) {
		t.Errorf("%q, %v", by, err)
	}
	if by, told, err := other.Report(t.Context(), mock.Filter{}, gateway.Receipt{}); by != "mock" || len(told) != 1 || err != nil {
		t.Errorf("%q, %v, %v", by, told, err)
	}
}
