package httpapi

import "errors"

// typed recognises an error by its type, E.
func typed[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// sentinel recognises an error that is one of targets, or wraps one.
func sentinel(targets ...error) func(error) bool {
	return func(err error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
}
