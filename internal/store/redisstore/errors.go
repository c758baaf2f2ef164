package redisstore

import (
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Whatever goes wrong between here and Redis means "nobody can tell": a time-out, a lost connection, a
// server that is full, loading, read-only or without its primary, a script that was called late. None of
// it is a refusal, and none of it is worth telling apart but for the operator, who finds the cause in the text.
// So failed wraps every error alike.
func failed(unavailable error, operation string, cause error) error {
	return fmt.Errorf("%w: redis: %s: %w", unavailable, operation, cause)
}

// errLate is a call whose deadline passed before the server came to it.
var errLate = errors.New("too late: the server came to it after the deadline, and changed nothing")

// errReply is an answer that no script of ours gives.
var errReply = errors.New("the script's answer is not understood")

// redisError is an error that the server gave inside a script.
type redisError string

func (e redisError) Error() string { return string(e) }

// refusal reports whether the server has answered, with an error.
func refusal(err error) bool {
	_, answered := errors.AsType[redis.Error](err)
	_, inScript := errors.AsType[redisError](err)
	return answered || inScript || errors.Is(err, errReply)
}

// unknownScript reports whether err is NOSCRIPT: the server has not run the script. Of no error, which is the rule, it does
// not ask: that takes an object.
func unknownScript(err error) bool { return err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") }

// onTwoServers reports whether err is TRYAGAIN: the server has not run the script, since it has, of a slot that moves,
// some of the keys alone.
func onTwoServers(err error) bool { return err != nil && redis.IsTryAgainError(err) }
