package redisstore

import (
	"strings"

	"smsd/internal/throttle"
)

// keyspace makes keys. Its value is the prefix with the version of the layout.
type keyspace string

func newKeyspace(prefix string) keyspace { return keyspace(prefix + ":1:") }

// counter returns the key of a counted subject.
func (k keyspace) counter(key throttle.Key) string {
	return string(k) + "{" + string(key.Tag) + "}:" + key.Name
}

// counters appends the keys of groups, all in one piece of memory.
func (k keyspace) counters(keys []string, groups []throttle.Group) []string {
	var all strings.Builder
	all.Grow(k.bytes(groups))
	for _, g := range groups {
		start := all.Len()
		for _, part := range [...]string{string(k), "{", string(g.Key.Tag), "}:", g.Key.Name} {
			all.WriteString(part)
		}
		keys = append(keys, all.String()[start:])
	}
	return keys
}

// bytes is how long the keys of groups are.
func (k keyspace) bytes(groups []throttle.Group) int {
	n := len(groups) * (len(k) + len("{}:"))
	for _, g := range groups {
		n += len(g.Key.Tag) + len(g.Key.Name)
	}
	return n
}

// code returns the key of a verification. In a cluster an id with a brace in it is some slot's like any other.
func (k keyspace) code(id string) string { return string(k) + "c:{" + id + "}" }

// index returns the key of the check value.
func (k keyspace) index() string { return string(k) + "index" }

// resets returns the key of the latest reset's number, and the channel on which resets are told.
func (k keyspace) resets() string { return string(k) + "resets" }

// probe returns a key to try commands on.
func (k keyspace) probe() string { return string(k) + "probe" }

// tagPattern returns the glob of every key with a tag.
func (k keyspace) tagPattern(tag throttle.Tag) string {
	return globEscape.Replace(string(k)+"{"+string(tag)+"}:") + "*"
}

var globEscape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`)
