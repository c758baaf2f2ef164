package redisstore

import (
	"path"
	"slices"
	"testing"

	"smsd/internal/throttle"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	k := newKeyspace("smsd")
	tag := throttle.Tag("AbC-_0123456789abcdefg")
	for got, want := range map[string]string{
		k.counter(throttle.Key{Tag: tag, Name: "p"}):   "smsd:1:{AbC-_0123456789abcdefg}:p",
		k.counter(throttle.Key{Tag: tag, Name: "p~"}):  "smsd:1:{AbC-_0123456789abcdefg}:p~",
		k.code("0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"): "smsd:1:c:{0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69}",
		k.code("a}b"):                        "smsd:1:c:{a}b}", // limiters#48
		k.index():                            "smsd:1:index",
		k.tagPattern(tag):                    "smsd:1:{AbC-_0123456789abcdefg}:*",
		newKeyspace(`[*]?\`).tagPattern(tag): `\[\*\]\?\\:1:{AbC-_0123456789abcdefg}:*`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if ok, _ := path.Match(k.tagPattern(tag), k.code(string(tag))); ok {
		t.Error("the pattern of a tag matches a code's key")
	}
}

// The keys of several groups are those of each, behind what is there already.
func TestKeysOfGroups(t *testing.T) {
	t.Parallel()
	k := newKeyspace("smsd")
	var groups []throttle.Group
	want := []string{"before"}
	for _, key := range []throttle.Key{{Tag: "first", Name: "p"}, {}, {Tag: "third", Name: "a~"}} {
		groups = append(groups, throttle.Group{Key: key})
		want = append(want, k.counter(key))
	}
	if got := k.counters([]string{"before"}, groups); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
