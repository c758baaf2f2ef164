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
}

// measure runs requests against i, and r (nil: none) beside it.
func measure(i *instance, r *watched, requests []request) (figures, error) {
	return measureBy(connections, i, r, requests, nil)
}

// measureBy is measure by so many callers, which also adds how long each request took to seen.
func measureBy(callers int, i *instance, r *watched, requests []request, seen *histogram) (figures, error) {
	l, err := connect(i.API, callers)
	if err != nil {
		return figures{}, err
	}
	defer l.close()
	server, redis := i.usage(), r.maybe()
	took, err := l.run(requests, seen)
	used := i.usage()
	spent := r.maybe().minus(redis)
	n := float64(len(requests))
	return figures{
		Rate:      n / took.Seconds(),
		ServerCPU: microseconds(used.CPU-server.CPU) / n,
		RedisCPU:  microseconds(spent.CPU) / n,
		Commands:  spent.Commands / n,
		Reads:     spent.Reads / n,
		Bytes:     spent.Bytes / n,
		Allocs:    float64(used.Allocs-server.Allocs) / n,
	}, err
}

// maybe is usage where there is a Redis.
func (w *watched) maybe() redisUsage {
	if w == nil {
		return redisUsage{}
	}
	return w.usage()
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
