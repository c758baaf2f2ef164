package redisstore

import (
	"context"
	"slices"
	"strings"
)

// Warnings returns what an operator should change on the server, in words. Safe for concurrent use.
func (c *Client) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.warnings)
}

// warn adds a warning, once.
func (c *Client) warn(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.warnings, text) {
		c.warnings = append(c.warnings, text)
	}
}

// lookAtEviction warns of a server that throws keys away when it is full: a counter that is thrown away
// lets its subject start anew.
func (c *Client) lookAtEviction(ctx context.Context) {
	_ = c.everyPrimary(func(n *node) error { c.lookAtEvictionOf(ctx, n); return nil })
}

func (c *Client) lookAtEvictionOf(ctx context.Context, n *node) {
	info, err := n.redis.Info(ctx, "memory").Result()
	if err != nil {
		c.warn(c.named(n) + "the eviction policy could not be read (INFO is not permitted?): maxmemory-policy must be noeviction")
		return
	}
	if policy := infoField(info, "maxmemory_policy"); policy != "noeviction" && policy != "" {
		c.warn(c.named(n) + "maxmemory-policy is " + policy + ": a full server drops counters and codes; set it to noeviction")
	}
}

// named begins a text about a server: with its address, where there may be others.
func (c *Client) named(n *node) string {
	if c.servers.kind == one {
		return "redis: "
	}
	return "redis: " + n.address + ": "
}

// infoField returns one field of INFO's text, or "".
func infoField(info, name string) string {
	for line := range strings.Lines(info) {
		if value, found := strings.CutPrefix(line, name+":"); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
