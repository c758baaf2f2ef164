package bench

import (
	"slices"
	"time"
)

// figures are those of one round, or medians of several: per request, but for the first two.
type figures struct {
	Rate      float64 // requests a second
	OfFloor   float64 // Rate divided by the floor's
	ServerCPU float64 // µs
	RedisCPU  float64 // µs
	Commands  float64
	Reads     float64
	Bytes     float64 // to and from Redis
	Allocs    float64
	// DatabaseCPU is PostgreSQL's, in µs; SQLite is in the server.
	DatabaseCPU float64
	Rows        float64 // written
	Dropped     float64 // attempts of which nothing was written
}

// measure runs requests against s.
func measure(s *service, requests []request) (figures, error) {
	return measureBy(connections, s, requests, nil)
}

// measureBy is measure by so many callers, which also adds how long each request took to seen. What is written after
// the answers is waited for, so that its cost is in the figures, but for the rate.
func measureBy(callers int, s *service, requests []request, seen *histogram) (figures, error) {
	l, err := connect(s.API, callers)
	if err != nil {
		return figures{}, err
	}
	defer l.close()
	before := s.written()
	server, redis, database := s.usage(), s.redis.usage(), s.databaseCPU()
	took, err := l.run(requests, seen)
	if err != nil {
		return figures{}, err
	}
	rows := s.settle(before, len(requests))
	used, spent := s.usage(), s.redis.usage().minus(redis)
	n := float64(len(requests))
	return figures{
		Rate:        n / took.Seconds(),
		ServerCPU:   microseconds(used.CPU-server.CPU) / n,
		RedisCPU:    microseconds(spent.CPU) / n,
		Commands:    spent.Commands / n,
		Reads:       spent.Reads / n,
		Bytes:       spent.Bytes / n,
		Allocs:      float64(used.Allocs-server.Allocs) / n,
		DatabaseCPU: microseconds(s.databaseCPU()-database) / n,
		Rows:        rows.Rows / n,
		Dropped:     rows.Dropped / n,
	}, nil
}

func (s *service) databaseCPU() time.Duration {
	if s.database == nil {
		return 0
	}
	return s.database.CPU()
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// medians returns the median of each figure by itself.
func medians(rounds []figures) figures {
	of := func(pick func(figures) float64) float64 {
		var all []float64
		for _, f := range rounds {
			all = append(all, pick(f))
		}
		return median(all)
	}
	return figures{
		Rate:      of(func(f figures) float64 { return f.Rate }),
		OfFloor:   of(func(f figures) float64 { return f.OfFloor }),
		ServerCPU: of(func(f figures) float64 { return f.ServerCPU }),
		RedisCPU:  of(func(f figures) float64 { return f.RedisCPU }),
		Commands:  of(func(f figures) float64 { return f.Commands }),
		Reads:     of(func(f figures) float64 { return f.Reads }),
		Bytes:     of(func(f figures) float64 { return f.Bytes }),
		Allocs:    of(func(f figures) float64 { return f.Allocs }),

		DatabaseCPU: of(func(f figures) float64 { return f.DatabaseCPU }),
		Rows:        of(func(f figures) float64 { return f.Rows }),
		Dropped:     of(func(f figures) float64 { return f.Dropped }),
	}
}

// median returns the mean of the two in the middle where there are two; 0 of none.
func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}
