package redisstore

import (
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// The layout that counter_value.lua describes, byte by byte.
func TestPackedPlan(t *testing.T) {
	t.Parallel()
	p := &throttle.Plan{Mark: 0xABCD, TTL: 60 * 24 * time.Hour, Cells: []throttle.Cell{
		{Section: throttle.Guess, Algorithm: throttle.Log, Limit: 1000, Window: throttle.MaxWindow, Mark: 0xABCD, Slot: 0xFFFFFFFF},
		{Section: throttle.Verify, Algorithm: throttle.Counter, Limit: throttle.MaxLimit, Window: time.Second, Slot: 1, Charge: true},
		{Section: throttle.Send, Algorithm: throttle.Log, Limit: 5, Window: time.Minute, Slot: 2, Charge: true},
		{Section: throttle.Send, Algorithm: throttle.Bucket, Limit: 5, Window: time.Minute, Burst: 9, Slot: 3, Charge: true},
		{Section: throttle.Send, Algorithm: throttle.Fixed, Limit: 5, Window: time.Minute, Slot: 4, Own: 0xF00D},
	}}
	p.Retain[throttle.Send], p.Retain[throttle.Guess] = time.Minute, throttle.MaxWindow
	p.Keep[throttle.Send], p.Keep[throttle.Guess] = throttle.Keep{All: 5}, throttle.Keep{All: 1, PerMark: 1000}
	p.RetainShadow[throttle.Send], p.KeepShadow[throttle.Guess] = time.Hour, 7 // nothing without cells in shadow
	want := strings.ReplaceAll("12 ABCD "+text("5184000000")+
		" 0000EA60 00000000 9A7EC800"+
		" 00000005 00000000 00000000 00000000 00000001 000003E8"+
		" 02 00 000003E8 9A7EC800 ABCD FFFFFFFF 0000"+
		" 01 05 000F4240 000003E8 0000 00000001 0000"+
		" 00 04 00000005 0000EA60 0000 00000002 0000"+
		" 00 06 00000005 0000EA60 0000 00000003 0000 00000009"+
		" 00 03 00000005 0000EA60 0000 00000004 F00D", " ", "")
	if got := strings.ToUpper(hex.EncodeToString([]byte(packed(p).text))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Mark = 0
	if got := packed(p).text; got != packed(p).text || got[1] != 0xAB {
		t.Error("a plan is packed more than once")
	}
}

// text is how a time to live stands in a plan, in hexadecimal.
func text(ttl string) string {
	return hex.EncodeToString(append([]byte(ttl), make([]byte, 14-len(ttl))...))
}

// Cells in shadow bring what bounds their sections, have these and go by their own marks.
func TestPackedPlanInShadow(t *testing.T) {
	t.Parallel()
	p := &throttle.Plan{Mark: 0xABCD, TTL: time.Minute, Cells: []throttle.Cell{
		{Section: throttle.Guess, Algorithm: throttle.Log, Limit: 7, Window: time.Minute, Mark: 0xABCD, Slot: 1, Own: 0xF00D, Shadow: true, Charge: true},
		{Section: throttle.Send, Algorithm: throttle.Fixed, Limit: 7, Window: time.Minute, Slot: 2, Own: 0xF00E, Shadow: true, Charge: true},
	}}
	p.RetainShadow[throttle.Guess], p.KeepShadow[throttle.Guess] = time.Minute, 7
	want := strings.ReplaceAll("01 ABCD "+text("60000")+strings.Repeat(" 00000000", 9)+
		" 00000000 00000000 0000EA60 00000000 00000000 00000007"+
		" 05 04 00000007 0000EA60 F00D 00000001 F00D"+
		" 03 07 00000007 0000EA60 F00E 00000002 F00E", " ", "")
	if got := strings.ToUpper(hex.EncodeToString([]byte(packed(p).text))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A plan of enforced logs and counters brings what each says after the first charge of a key.
func TestPlainPlan(t *testing.T) {
	t.Parallel()
	p := &throttle.Plan{Mark: 0xABCD, TTL: time.Minute, Cells: []throttle.Cell{
		{Section: throttle.Send, Algorithm: throttle.Log, Limit: 1, Window: throttle.MaxWindow, Mark: 0xABCD, Slot: 1, Charge: true},
		{Section: throttle.Send, Algorithm: throttle.Log, Limit: 2, Window: time.Minute, Slot: 2},
		{Section: throttle.Send, Algorithm: throttle.Log, Limit: 1, Window: time.Minute, Mark: 0xF00D, Slot: 3},
		{Section: throttle.Guess, Algorithm: throttle.Log, Limit: 1, Window: time.Minute, Slot: 4},
	}}
	want := []throttle.Verdict{{Used: 1, Wait: throttle.MaxWindow}, {Used: 1}, {}, {}}
	if got := packed(p); got.text[0] != 0x32 || !reflect.DeepEqual(got.first, want) {
		t.Errorf("%x: %+v", got.text[0], got.first)
	}
	p = &throttle.Plan{Mark: 0xABCD, TTL: time.Minute, Cells: slices.Concat(p.Cells, []throttle.Cell{
		{Section: throttle.Verify, Algorithm: throttle.Counter, Limit: 1, Window: time.Minute, Slot: 5, Charge: true},
		{Section: throttle.Verify, Algorithm: throttle.Counter, Limit: 2, Window: time.Minute, Slot: 6, Charge: true},
		{Section: throttle.Verify, Algorithm: throttle.Counter, Limit: 1, Window: time.Minute, Slot: 7},
	})}
	want = append(want, throttle.Verdict{Used: 1, Wait: 2 * time.Minute}, throttle.Verdict{Used: 1}, throttle.Verdict{})
	if got := packed(p); got.text[0] != 0x72 || !reflect.DeepEqual(got.first, want) {
		t.Errorf("%x: %+v", got.text[0], got.first)
	}
}

// What take_plain.lua does not know, plans do not call plain.
func TestPlansThatAreNotPlain(t *testing.T) {
	t.Parallel()
	log := throttle.Cell{Algorithm: throttle.Log, Limit: 1, Window: time.Minute, Slot: 1, Charge: true}
	counter := throttle.Cell{Algorithm: throttle.Counter, Limit: 1, Window: time.Minute, Slot: 1, Charge: true}
	shadow, bucket, fixed, verify := log, counter, counter, log
	shadow.Shadow, bucket.Algorithm, fixed.Algorithm, verify.Section = true, throttle.Bucket, throttle.Fixed, throttle.Verify
	for name, cells := range map[string][]throttle.Cell{
		"none": {}, "shadow": {shadow}, "bucket": {bucket}, "fixed": {fixed}, "one slot": {counter, counter}, "two sections": {log, verify},
	} {
		if got := packed(&throttle.Plan{Mark: 7, Cells: cells}); got.text[0] >= flagPlain || got.first != nil {
			t.Errorf("%s: %x", name, got.text[0])
		}
	}
}

// A plan that another store has made its own is packed anyway.
func TestPackedPlanOfAnotherStore(t *testing.T) {
	t.Parallel()
	p := phonePlan()
	p.Encoded(func(*throttle.Plan) any { return 7 })
	if packed(p).text != packed(phonePlan()).text {
		t.Error("the plans differ")
	}
}
