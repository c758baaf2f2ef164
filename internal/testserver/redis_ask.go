package testserver

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// askTimeout is far above what a loaded machine takes for one answer.
const askTimeout = 30 * time.Second

// client returns a connection by the socket, as the user who may do everything.
func (s *RedisServer) client() *redis.Client {
	o := &redis.Options{
		Network: "unix", Addr: s.Socket(), PoolSize: 1, MaxRetries: -1, Protocol: 2, DisableIdentity: true,
		DialTimeout: askTimeout, ReadTimeout: askTimeout, WriteTimeout: askTimeout,
	}
	if s.owner != "" {
		o.Password = s.owner
	}
	return redis.NewClient(o)
}

// Ask sends one command as the user who may do everything.
func (s *RedisServer) Ask(command ...any) (any, error) {
	c := s.client()
	defer func() { _ = c.Close() }()
	return c.Do(context.Background(), command...).Result()
}

// Do is [RedisServer.Ask] where an error fails the test.
func (s *RedisServer) Do(command ...any) any {
	s.t.Helper()
	answer, err := s.Ask(command...)
	if err != nil {
		s.t.Fatalf("%v: %v", command[0], err)
	}
	return answer
}

// text is the answer to a command as text; "" if there is none.
func (s *RedisServer) text(command ...any) string {
	answer, err := s.Ask(command...)
	if err != nil {
		return ""
	}
	text, _ := answer.(string)
	return text
}

// await waits until true, or fails the test. Servers agree with each other in their own time; there is no clock
// to replace.
func (s *RedisServer) await(what string, is func() bool) {
	s.t.Helper()
	for limit := time.Now().Add(startTimeout); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			s.t.Fatalf("redis-server: %s does not come", what)
		}
	}
}
