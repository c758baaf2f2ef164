package memstore

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"smsd/internal/throttle"
)

// Load takes over what Save wrote, but for what has expired; what is there already stays. The file stays
// too: after a crash, counts of the last clean stop are nearer the truth than none. A file that is missing
// is no error; one that is damaged, foreign, or holds more than there is room for is one that
// names it, and nothing was taken over.
func (c *Counters) Load(path string) error {
	all, err := readCounters(path, c.max+c.maxShadows())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = c.restore(path, all)
	}
	if err != nil {
		return fmt.Errorf("load counters: %w", err)
	}
	return nil
}

func (c *Counters) restore(path string, all []*state) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, fresh, shadows := c.read(), 0, 0
	for _, s := range all {
		if s.shadow {
			shadows++
		} else {
			fresh++
		}
	}
	c.sweep(math.MaxInt, now)
	if !c.fit(fresh) || c.shadows+shadows > c.maxShadows() {
		return fmt.Errorf("%s: %d keys and %d of shadow rules are more than fit", path, fresh, shadows)
	}
	for _, s := range all {
		if s.expires > now && c.keys[s.key] == nil {
			s.expires = min(s.expires, now+s.ttl) // the clock may have stepped back
			s.binds = s.expires
			c.add(s)
		}
	}
	return nil
}

func readCounters(path string, most int) (all []*state, err error) {
	err = countersFile.read(path, most, func(k savedKey) error {
		s, whole := k.state()
		if !whole {
			return errors.New("not as a key can be")
		}
		all = append(all, s)
		return nil
	})
	return all, err
}

// state returns what was saved; false if it can't be: instants out of order, numbers out of range, or too many.
func (k savedKey) state() (*state, bool) {
	s := &state{key: throttle.Key{Tag: throttle.Tag(k.Tag), Name: k.Name}, shadow: k.Shadow, expires: k.Expires, ttl: k.TTL}
	whole := k.Tag != "" && k.Name != "" && in(k.TTL, 2*throttle.MaxWindow.Milliseconds()) && len(k.Records) <= maxRecords
	for i := range k.Sections {
		log, sound := loaded(k.Sections[i])
		shadow, soundToo := loaded(k.Shadows[i])
		s.sections[i], s.shadows[i], whole = log, shadow, whole && sound && soundToo
	}
	for _, r := range k.Records {
		record, known := r.record()
		whole = whole && known && in(r[0], 1<<32-1) && r[1] > 0 && in(r[1], throttle.MaxWindow.Milliseconds()) && r[2] >= 0
		s.records = append(s.records, record)
	}
	return s, whole
}

func loaded(saved []savedEntry) (log section, whole bool) {
	whole = len(saved) <= maxSection
	latest := int64(0)
	for _, e := range saved {
		whole = whole && e[0] >= latest && in(e[1], 1<<32-1) && in(e[2], 1<<16-1)
		latest = e[0]
		log = append(log, entry{at: e[0], id: uint32(e[1]), mark: uint16(e[2])})
	}
	return log, whole
}

// record returns what was saved; false if its algorithm is not known or its counts are out of range.
func (s savedRecord) record() (record, bool) {
	r := record{slot: uint32(s[0]), algorithm: throttle.Algorithm(s[5]), window: s[1], start: s[2]}
	switch throttle.Algorithm(s[5]) {
	case throttle.Bucket:
		r.level, r.limit = s[3], s[6]
		return r, r.limit > 0 && in(r.limit, throttle.MaxLimit) && in(r.level, throttle.MaxCount*r.window)
	case throttle.Auto: // a file of the time when Counters alone had records
		r.algorithm = throttle.Counter
	case throttle.Counter, throttle.Fixed:
	default:
		return r, false
	}
	r.current, r.previous = s[3], s[4]
	return r, in(r.current, throttle.MaxCount) && in(r.previous, throttle.MaxCount)
}

// in says that n is 0 to most.
func in(n, most int64) bool { return 0 <= n && n <= most }
