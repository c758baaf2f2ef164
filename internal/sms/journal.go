package sms

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// linesPerSecond is how many lines of one outcome the log takes while it is flooded. Twenty show what
// is going on; a process at its limit of 2,000 refusals a second would write a gigabyte an hour.
const linesPerSecond = 20

// journal writes one line for each request, and of outcomes that a client can cause at will only so
// many a second, then one line a second that says how many were left out. Safe for concurrent use.
type journal struct {
	logger   *slog.Logger
	now      func() time.Time
	samplers sync.Map // of *sampler by label, from the closed list of outcomes
}

func newJournal(logger *slog.Logger, now func() time.Time) *journal {
	return &journal{logger: logger, now: now}
}

// lineRoom is above what a line has of attributes, so that they are put together on the stack.
const lineRoom = 16

// write tells of o, whose attributes it asks for only where there is a line: most of a flood are left out.
func (j *journal) write(ctx context.Context, action string, end outcome, err error, o *order) {
	if !j.logger.Enabled(ctx, end.level) || end.sampled && !j.admits(ctx, action, end) {
		return
	}
	var room [lineRoom]slog.Attr
	line := append(room[:0], slog.String("request_id", o.request), slog.String("outcome", end.label))
	line = appendErrorAttrs(o.appendAttrs(line), err)
	j.logger.LogAttrs(ctx, end.level, action, line...)
}

// admits reports whether the log takes one more line like this now; it may tell of those left out.
func (j *journal) admits(ctx context.Context, action string, end outcome) bool {
	found, ok := j.samplers.Load(action + " " + end.label)
	if !ok {
		found, _ = j.samplers.LoadOrStore(action+" "+end.label, newSampler())
	}
	admitted, leftOut := found.(*sampler).take(j.now())
	if leftOut > 0 {
		j.logger.LogAttrs(ctx, end.level, "lines were left out",
			slog.String("action", action), slog.String("outcome", end.label), slog.Int64("left_out", leftOut))
	}
	return admitted
}

// sampler thins out the lines of one kind.
type sampler struct {
	lines     *rate.Limiter
	summaries *rate.Limiter
	leftOut   atomic.Int64 // since the last summary
}

func newSampler() *sampler {
	return &sampler{
		lines:     rate.NewLimiter(linesPerSecond, linesPerSecond),
		summaries: rate.NewLimiter(1, 1),
	}
}

// take says whether to write one more line at now, and how many left out there are to tell of, if it is
// time to.
func (s *sampler) take(now time.Time) (admitted bool, leftOut int64) {
	if s.lines.AllowN(now, 1) {
		return true, 0
	}
	s.leftOut.Add(1)
	if s.summaries.AllowN(now, 1) {
		return false, s.leftOut.Swap(0)
	}
	return false, 0
}
