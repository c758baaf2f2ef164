package memstore_test

import (
	"errors"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// A code for which there is no room costs nothing.
func TestFullCodesChargeNothing(t *testing.T) {
	t.Parallel()
	codes := memstore.NewCodes(memstore.Options{MaxCodes: 1})
	store := memstore.NewCounters(memstore.Options{}).BesideCodes(codes)
	g := throttle.Group{Key: throttle.Key{Tag: "tag", Name: "p"}, Plan: &throttle.Plan{
		Mark: 7, TTL: time.Hour, Cells: []throttle.Cell{{Algorithm: throttle.Log, Limit: 9, Window: time.Hour, Charge: true}},
		Retain: [throttle.Events]time.Duration{throttle.Send: time.Hour},
	}}
	put := func(id string) (throttle.Taken, error) {
		n := sms.NewRecord{Attempts: 5, Length: 6, TTL: time.Hour}
		return store.Take(t.Context(), throttle.Take{Groups: []throttle.Group{g}, Errand: &sms.PutErrand{ID: id, Record: n}})
	}
	if taken, err := put("a"); err != nil || !taken.ErrandDone {
		t.Fatal(taken, err)
	}
	if taken, err := put("b"); !errors.Is(err, throttle.ErrUnavailable) || taken.Allowed {
		t.Fatal(taken, err)
	}
	taken, err := store.Peek(t.Context(), throttle.Take{Groups: []throttle.Group{g}})
	if err != nil || taken.Verdicts[0].Used != 1 {
		t.Errorf("%+v, %v: want one charge", taken, err)
	}
}
