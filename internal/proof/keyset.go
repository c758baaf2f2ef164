package proof

import (
	"encoding/json"
	"fmt"
	"time"
)

// Period is how long a key signs. A week is short against what it takes to find a key, and long against everything
// that must happen within: backends that keep the set for [MaxAge], clocks that differ, and people who look.
const Period = 7 * 24 * time.Hour

// Retired is how long the key of a period that is over stays published: as long as its last token may live, by a clock
// that is as far off as [MaxSkew].
const Retired = MaxTTL + MaxSkew

// MaxSkew is how far the clocks of instances and backends may be apart. Machines that keep time at all are within
// seconds of each other.
const MaxSkew = 5 * time.Minute

// MaxAge is how long a published set may be kept.
const MaxAge = time.Hour

// keyset is the keys at an instant, and until when they are those. Immutable.
type keyset struct {
	from, until time.Time
	signing     *key            // the newest secret's for this period
	known       map[string]*key // by header: of this period, the one before and the next one, for each secret
	published   []byte          // as JSON (RFC 7517, section 5)
}

// newKeyset derives the keys at now from the seeds of the secrets, newest first.
func newKeyset(seeds [][]byte, now time.Time) (*keyset, error) {
	period := now.Unix() / int64(Period/time.Second)
	start := time.Unix(period*int64(Period/time.Second), 0)
	s := &keyset{from: start, until: start.Add(Retired), known: map[string]*key{}}
	retired := !now.Before(s.until)
	if retired {
		s.from, s.until = s.until, start.Add(Period)
	}
	var set struct {
		Keys []jwk `json:"keys"`
	}
	for _, seed := range seeds {
		for _, p := range []int64{period, period + 1, period - 1} {
			k, err := deriveKey(seed, p)
			if err != nil {
				return nil, err
			}
			s.known[k.header] = k
			if s.signing == nil {
				s.signing = k
			}
			if p >= period || !retired {
				set.Keys = append(set.Keys, k.public)
			}
		}
	}
	var err error
	if s.published, err = json.Marshal(set); err != nil {
		return nil, fmt.Errorf("proof: key set: %w", err)
	}
	return s, nil
}

func (s *keyset) holds(now time.Time) bool { return !now.Before(s.from) && now.Before(s.until) }
