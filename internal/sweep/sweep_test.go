package sweep_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/sweep"
)

// heap is what is to be removed, and what became of it.
type heap struct {
	left, removed   int64
	calls, failures int
	fail            error
	most            int // more at once take too long; 0: none do
}

func (h *heap) sweeper(chunks int) sweep.Sweeper {
	return sweep.Sweeper{
		Every: time.Minute, Chunks: chunks,
		Purge: func(ctx context.Context, limit int) (int64, error) {
			h.calls++
			if _, bounded := ctx.Deadline(); !bounded {
				return 0, errors.New("no deadline")
			}
			if h.most > 0 && limit > h.most {
				return 0, context.DeadlineExceeded
			}
			n := min(h.left, int64(limit))
			h.left -= n
			return n, h.fail
		},
		Removed: func(n int64) { h.removed += n },
		Failed:  func(context.Context, error) { h.failures++ },
	}
}

func TestRound(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	ended, end := context.WithCancel(context.Background())
	end()
	for name, c := range map[string]struct {
		ctx            context.Context
		heap           heap
		chunks         int
		removed        int64
		calls, failure int
	}{
		"all of it":              {context.Background(), heap{left: 2500}, 10, 2500, 3, 0},
		"whole chunks":           {context.Background(), heap{left: 2000}, 10, 2000, 3, 0},
		"no more than it may":    {context.Background(), heap{left: 2500}, 2, 2000, 2, 0},
		"a chunk fails":          {context.Background(), heap{left: 2500, fail: boom}, 10, 1000, 1, 1},
		"the end is no failure":  {ended, heap{left: 2500, fail: boom}, 10, 1000, 1, 0},
		"a slow database":        {context.Background(), heap{left: 250, most: 100}, 10, 250, 4, 1},
		"a very slow one":        {context.Background(), heap{left: 25, most: 10}, 10, 25, 5, 2},
		"one that is frozen":     {context.Background(), heap{left: 25, most: 1}, 10, 0, 3, 3},
		"nothing has to be done": {context.Background(), heap{}, 10, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := c.heap
			h.sweeper(c.chunks).Round(c.ctx)
			if h.removed != c.removed || h.calls != c.calls || h.failures != c.failure {
				t.Errorf("%d removed in %d calls, %d failures; want %d, %d, %d", h.removed, h.calls, h.failures, c.removed, c.calls, c.failure)
			}
		})
	}
}

// A round each minute, and none after the end.
func TestRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &heap{}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute+time.Second)
		defer cancel()
		if err := h.sweeper(1).Run(ctx); err != nil || h.calls != 5 {
			t.Errorf("%d rounds in five minutes, %v", h.calls, err)
		}
	})
}
