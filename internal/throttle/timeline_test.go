package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// The timeline of the package comment, column by column.
func TestTimelineOfThePackageComment(t *testing.T) {
	t.Parallel()
	sends := []int{0, 20, 30, 40, 60, 80, 90}
	for algorithm, want := range map[throttle.Algorithm]string{ // + allowed, or the seconds to wait
		throttle.Log:     "+ + 30 20 + + 30",
		throttle.Counter: "+ + 60 50 30 10 +",
		throttle.Fixed:   "+ + 30 20 + + 30",
		throttle.Bucket:  "+ + + 20 + 10 +",
	} {
		t.Run(algorithm.String(), func(t *testing.T) {
			t.Parallel()
			l := newTimeline(t, throttle.Rule{Limit: 2, Window: time.Minute, Algorithm: algorithm})
			var got []string
			for _, at := range sends {
				l.pass(time.Duration(at)*time.Second - l.real)
				got = append(got, l.answer(t))
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// answer is + or the seconds to wait.
func (l *timeline) answer(t *testing.T) string {
	t.Helper()
	_, err := l.Limiter.Reserve(context.Background(), l.request)
	if d, refused := errors.AsType[*throttle.Denied](err); refused {
		return fmt.Sprint(d.RetryAfter.Seconds())
	}
	if err != nil {
		t.Fatal(err)
	}
	return "+"
}

// go-redisstore#10, APIcast#667, boulder#8785: exhausted, then raised: allowed at once, and a refusal states the new limit.
// Whatever the rule counts by, before and after.
func TestARaisedLimitFreesAtOnce(t *testing.T) {
	t.Parallel()
	all := []throttle.Algorithm{throttle.Log, throttle.Counter, throttle.Bucket, throttle.Fixed}
	for _, before := range all {
		for _, after := range all {
			t.Run(fmt.Sprintf("%s to %s", before, after), func(t *testing.T) {
				t.Parallel()
				l := newTimeline(t, throttle.Rule{Limit: 2, Window: time.Hour, Algorithm: before})
				l.exhaust(t, 2, 2)
				raised := throttle.Rule{Name: "a", Limit: 4, Window: time.Hour, Algorithm: after}
				l.request.Rules = compile(t, []throttle.Rule{raised}, "login")
				if after == throttle.Log && before != throttle.Log {
					l.exhaust(t, 4, 4) // beside what is left of the other count
					return
				}
				l.exhaust(t, 2, 4)
			})
		}
	}
}

// exhaust reserves n times, and then is refused with the limit.
func (l *timeline) exhaust(t *testing.T, n int, limit int64) {
	t.Helper()
	for range n {
		if got := l.answer(t); got != "+" {
			t.Fatalf("refused for %s s", got)
		}
	}
	_, err := l.Limiter.Reserve(context.Background(), l.request)
	if d, refused := errors.AsType[*throttle.Denied](err); !refused || d.Limit != limit || !strings.Contains(err.Error(), fmt.Sprintf("of %d,", limit)) {
		t.Fatalf("got %v, want a refusal by a limit of %d", err, limit)
	}
}
