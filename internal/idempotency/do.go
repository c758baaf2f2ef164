package idempotency

import (
	"context"
	"errors"
	"time"
)

// Do executes run once for all requests with r's key, or answers what is known of an earlier one. run gets a [Turn],
// whose Begin it must call before it does what can't be undone. An answer of run is stored; an error is not.
//
// Errors are run's own, the gate's, or one of this package. A caller that hangs up changes nothing.
func (l *Ledger) Do(ctx context.Context, r Request, run func(t *Turn) ([]byte, error)) (Answer, error) {
	if err := r.Gate.Ask(); err != nil {
		return Answer{}, err
	}
	a := l.asked(r)
	if err := l.running.enter(a); err != nil {
		return l.end(Answer{}, passed(r.Gate, err))
	}
	defer l.running.leave(a.id)
	answer, err := l.look(ctx, a)
	switch {
	case errors.Is(err, ErrNotFound):
		return l.execute(ctx, a, run)
	case errors.Is(err, ErrUnavailable):
		return l.end(answer, err)
	}
	if refused := r.Gate.Allow(); refused != nil {
		return Answer{}, refused
	}
	return l.end(answer, err)
}

// passed is err for a request that the gate lets through.
func passed(g Gate, err error) error {
	if refused := g.Allow(); refused != nil {
		return refused
	}
	return err
}

// end counts how a request ended that was not executed.
func (l *Ledger) end(answer Answer, err error) (Answer, error) {
	l.metrics.ended(answer, err)
	return answer, err
}

// execute runs it, and sees to what became of it.
func (l *Ledger) execute(ctx context.Context, a asked, run func(t *Turn) ([]byte, error)) (Answer, error) {
	t := &Turn{ledger: l, asked: a}
	body, err := run(t)
	switch {
	case t.twin:
		return l.end(l.afterTwin(ctx, a))
	case err != nil && !t.begun:
		if answer, found := l.afterRefusal(ctx, a, err); found != nil {
			return l.end(answer, found.err)
		}
	case err != nil && t.begun && !t.held:
		t.forget(ctx)
	case err == nil:
		t.finish(ctx, body)
	}
	l.metrics.executed(err)
	return Answer{Body: body}, err
}

// afterRefusal looks for the twin that may be why a request was refused with err. Such a request takes a place for its
// look-ups: where run was refused from memory it took none, and who repeats it under one new key after another would have
// the store asked as often as the process takes requests. Without a place there is no second look, and none at the next one.
func (l *Ledger) afterRefusal(ctx context.Context, a asked, err error) (Answer, *found) {
	if a.Gate.Allow() != nil || a.Doubtful == nil || !a.Doubtful(err) {
		return Answer{}, nil
	}
	return l.lookAgain(ctx, a)
}

// afterTwin answers a request whose twin has begun: it is running, or has ended.
func (l *Ledger) afterTwin(ctx context.Context, a asked) (Answer, error) {
	answer, err := l.look(ctx, a)
	if errors.Is(err, ErrNotFound) {
		return Answer{}, ErrInProgress // the twin has failed meanwhile, and a repetition will be a new attempt
	}
	return answer, err
}

// found is how a second look ended.
type found struct{ err error }

// lookAgain looks for a twin that was charged before this request and has begun since; nil if there is none, or
// nobody can tell.
func (l *Ledger) lookAgain(ctx context.Context, a asked) (Answer, *found) {
	for waited := time.Duration(0); waited < l.linger; waited += lookGap {
		l.pause(lookGap)
		answer, err := l.look(ctx, a)
		if errors.Is(err, ErrUnavailable) {
			break
		}
		if !errors.Is(err, ErrNotFound) {
			return answer, &found{err}
		}
	}
	return Answer{}, nil
}
