package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// The timeline of the package's documentation.
func ExampleLimiter_Reserve() {
	clock := memstore.NewClock(func() time.Time { return time.Unix(0, 0) })
	limiter, err := throttle.New(throttle.Options{
		Store:       memstore.NewCounters(memstore.Options{Clock: clock}),
		IndexSecret: []byte("an index secret of thirty-two b."),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := throttle.Compile([]throttle.Rule{
		{Name: "phone", By: []throttle.Kind{throttle.Phone}, Limit: 2, Window: time.Minute},
	}, []string{"login"})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := 0
	for _, at := range []int{0, 20, 30, 60, 80, 90} {
		clock.Advance(time.Duration(at-now) * time.Second)
		now = at
		res, err := limiter.Reserve(context.Background(), throttle.Request{
			Rules: rules, Event: throttle.Send, Scene: "login",
			Subjects: []throttle.Subject{{Kind: throttle.Phone, ID: "+8613800138000"}},
		})
		var denied *throttle.Denied
		if errors.As(err, &denied) {
			fmt.Printf("%d s: refused, retry after %s\n", at, denied.RetryAfter)
			continue
		}
		fmt.Printf("%d s: allowed, the next after %s\n", at, res.Wait())
	}
	// Output:
	// 0 s: allowed, the next after 0s
	// 20 s: allowed, the next after 40s
	// 30 s: refused, retry after 30s
	// 60 s: allowed, the next after 20s
	// 80 s: allowed, the next after 40s
	// 90 s: refused, retry after 30s
}
