package bench

import (
	"fmt"
	"strings"
	"time"
)

// wayRule is one of the eight rules, as the ways that know one limit a key have it.
type wayRule struct {
	name   string
	by     string
	limit  int64
	window time.Duration
}

// eightRules are over a phone, its address, its network and its block of numbers: four subjects.
var eightRules = []wayRule{
	{"phone-hour", "phone", 5, time.Hour},
	{"phone-day", "phone", 10, 24 * time.Hour},
	{"login-minute", "phone, scene", admitted, time.Minute},
	{"login-hour", "phone, scene", 4, time.Hour},
	{"login-day", "phone, scene", 8, 24 * time.Hour},
	{"ip-burst", "ip", 25, 5 * time.Minute},
	{"net-hour", "ip_net", 200, time.Hour},
	{"range-hour", "prefix", 50, time.Hour},
}

// key is a name as such libraries make it; every phone has its address, network and block for itself.
func (r wayRule) key(n int) string { return fmt.Sprintf("%s:%d", r.name, 8613800000000+n) }

// bucket is the key of the window of the clock that an instant is in.
func (r wayRule) bucket(n int, at time.Time) string {
	return fmt.Sprintf("%s:%d", r.key(n), at.UnixMilli()/r.window.Milliseconds())
}

// eightPolicy is the same rules as a policy, each of which counts by the same algorithm.
func eightPolicy(algorithm string) string {
	var b strings.Builder
	b.WriteString("limits:\n")
	for _, r := range eightRules {
		fmt.Fprintf(&b, "  - {name: %s, by: [%s], limit: %d, window: %s, algorithm: %s}\n", r.name, r.by, r.limit, r.window, algorithm)
	}
	_, scenes, _ := strings.Cut(sevenRules, "scenes:\n")
	scenes, _, _ = strings.Cut(scenes, "    limits:\n")
	return b.String() + "scenes:\n" + scenes
}

// gcraScript is one limit by the generic cell rate algorithm. KEYS[1] holds the theoretical arrival time in ms; ARGV is ms an event,
// and the limit. It returns whether the event is allowed, and the wait.
const gcraScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + ARGV[1]
local wait = arrival - now - ARGV[1] * ARGV[2]
if wait > 0 then return { 0, wait } end
redis.call('SET', KEYS[1], arrival, 'PX', arrival - now)
return { 1, 0 }`

// countersScript asks the counter of each key, and counts in all of them if none is full. ARGV is the limit and the window in ms
// of each. It returns 0, or the first key that is full.
const countersScript = `
local counts = redis.call('MGET', unpack(KEYS))
for i = 1, #KEYS do
  if tonumber(counts[i] or 0) >= tonumber(ARGV[2 * i - 1]) then return i end
end
for i = 1, #KEYS do
  if redis.call('INCR', KEYS[i]) == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[2 * i]) end
end
return 0`
