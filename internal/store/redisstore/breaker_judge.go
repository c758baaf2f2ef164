package redisstore

import (
	"context"
	"errors"
	"net"
	"time"
)

// judge says what the end of a trip that was given left says of the server: nil that it is alive, errUnfair nothing, and
// any other error that it does not answer.
//
// Every answer proves it alive, an error too: a server that is full, loading, read-only or does not know a script answers
// at once, so there is nothing to save callers from, and a full one still verifies codes and refuses.
//
// A trip that was cancelled, by Close, says nothing, nor does silence that was too short. A caller that hangs up does not
// end its trip, which is judged as if the caller were there.
func (b *breaker) judge(err error, left time.Duration) error {
	switch {
	case err == nil || refusal(err):
		return nil
	case errors.Is(err, context.Canceled) || timedOut(err) && left < b.fair:
		return errUnfair
	}
	return err
}

func timedOut(err error) bool {
	timeout, is := errors.AsType[net.Error](err)
	return is && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded)
}
