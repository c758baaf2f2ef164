package sms_test

import (
	"errors"
	"sync"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// inParallel starts n calls at the same instant and counts how they ended.
func inParallel(n int, call func(i int) error) map[string]int {
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		start = make(chan struct{})
		tally = map[string]int{}
	)
	for i := range n {
		wg.Go(func() {
			<-start
			name := ending(call(i))
			mu.Lock()
			defer mu.Unlock()
			tally[name]++
		})
	}
	close(start)
	wg.Wait()
	return tally
}

func ending(err error) string {
	var denied *throttle.Denied
	var wrong *sms.IncorrectError
	switch {
	case err == nil:
		return "success"
	case errors.As(err, &denied):
		return "refused"
	case errors.As(err, &wrong):
		return "incorrect"
	}
	return err.Error()
}
