package redisstore

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/pause"
)

// How the connection for messages is kept. Whatever happens to it costs nobody more than half a second, until the number
// is read.
const (
	// silence is how long nothing need be heard before the server is asked for a sign of life.
	silence = 10 * time.Second
	// retryFirst and retryMost are between two tries to connect; with retryRefused, an operator changes the ACL.
	retryFirst   = 100 * time.Millisecond
	retryMost    = 5 * time.Second
	retryRefused = time.Minute
)

// followMessages listens until Close, and connects again whenever it must.
func (c *Client) followMessages(e *events) {
	wait := retryFirst
	for c.life.Err() == nil {
		heard, err := c.listen(e)
		switch {
		case err != nil && mentions(err, "NOPERM"):
			c.warnOfSilence("subscribe")
			wait = retryRefused
		case heard:
			wait = retryFirst
		default:
			wait = min(2*wait, retryMost)
			c.servers.suspect()
		}
		pause.About(c.life, wait)
	}
}

// listen connects and takes messages until the connection fails, or the server is no longer the one to listen to. It
// says whether anything was heard.
func (c *Client) listen(e *events) (heard bool, err error) {
	channel := c.keys.resets()
	n, err := c.newsNode()
	if err != nil {
		return false, err
	}
	c.tryPublish(n)
	p := n.subscribe(c.life, channel)
	defer func() { _ = p.Close() }()
	defer context.AfterFunc(c.life, func() { _ = p.Close() })() // a read does not heed a context
	for {
		got, err := hear(c.life, p, channel, silence)
		if err != nil {
			return heard, err
		}
		if message, ok := got.(*redis.Message); ok {
			e.message(message.Payload)
		}
		heard = true
		if now, err := c.newsNode(); err != nil || now != n {
			return heard, err // it is another server's turn
		}
	}
}

// tryPublish finds out what the first reset would find out otherwise. Nobody minds an empty message.
func (c *Client) tryPublish(n *node) {
	ctx, cancel := context.WithTimeout(c.life, c.budget)
	defer cancel()
	cmd := redis.NewIntCmd(ctx, "publish", c.keys.resets(), "")
	if err := (route{node: n}).apart(ctx, cmd); err != nil && mentions(err, "NOPERM") {
		c.warnOfSilence("publish")
	}
}

// newsNode returns the server to listen to: in a cluster each passes on what is published to any.
func (c *Client) newsNode() (*node, error) {
	return c.servers.holder(c.life, c.keys.resets())
}

// hear returns what comes next. After a silence of most it subscribes again, which changes nothing and must be answered.
func hear(ctx context.Context, p *redis.PubSub, channel string, most time.Duration) (any, error) {
	got, err := p.ReceiveTimeout(ctx, most)
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		return got, err
	}
	if err := p.Subscribe(ctx, channel); err != nil {
		return nil, err
	}
	return p.ReceiveTimeout(ctx, most)
}
