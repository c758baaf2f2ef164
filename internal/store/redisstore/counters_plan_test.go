package redisstore

import (
	"encoding/hex"
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
		{Section: throttle.Send, Algorithm: throttle.Fixed, Limit: 5, Window: time.Minute, Slot: 4},
	}}
	p.Retain[throttle.Send], p.Retain[throttle.Guess] = time.Minute, throttle.MaxWindow
	p.Keep[throttle.Send], p.Keep[throttle.Guess] = throttle.Keep{All: 5}, throttle.Keep{All: 1, PerMark: 1000}
	want := strings.ReplaceAll("02 ABCD 01 34FD9000"+
		" 0000EA60 00000000 9A7EC800"+
		" 00000005 00000000 00000000 00000000 00000001 000003E8"+
		" 02 00 000003E8 9A7EC800 ABCD FFFFFFFF"+
		" 01 05 000F4240 000003E8 0000 00000001"+
		" 00 04 00000005 0000EA60 0000 00000002"+
		" 00 06 00000005 0000EA60 0000 00000003 00000009"+
		" 00 03 00000005 0000EA60 0000 00000004", " ", "")
	if got := strings.ToUpper(hex.EncodeToString([]byte(encoded(p)))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Shadow = true
	if got := encoded(p); got != encoded(p) || got[0] != 2 {
		t.Error("a plan is packed more than once")
	}
	if got := pack(p).(packedPlan); got[0] != flagShadow {
		t.Errorf("flags of a shadow plan: %d", got[0])
	}
}

// A plan that another store has made its own is packed anyway.
func TestPackedPlanOfAnotherStore(t *testing.T) {
	t.Parallel()
	p := phonePlan()
	p.Encoded(func(*throttle.Plan) any { return 7 })
	if encoded(p) != encoded(phonePlan()) {
		t.Error("the plans differ")
	}
}
