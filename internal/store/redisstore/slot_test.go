package redisstore

import "testing"

// The specification's own example of the checksum, and its rules for braces.
func TestSlotOf(t *testing.T) {
	t.Parallel()
	if got := crc16("123456789"); got != 0x31C3 {
		t.Errorf("checksum %#x", got)
	}
	for key, as := range map[string]string{
		"x{user1000}.following": "user1000",
		"foo{{bar}}zap":         "{bar",
		"foo{bar}{zap}":         "bar",
	} {
		if slotOf(key) != slotOf(as) {
			t.Errorf("%s is not where %s is", key, as)
		}
	}
	for _, whole := range []string{"foo{}{bar}", "foo{bar", "foo}bar{"} {
		if slotOf(whole) != int(crc16(whole))%slotCount {
			t.Errorf("%s: not the whole key", whole)
		}
	}
}
