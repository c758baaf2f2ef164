package sms

import (
	"strings"
	"sync"
)

// Bounds of what is remembered of lists, for each scene. The people of a service have a few languages, and browsers a few
// ways to write them: those that come first are remembered, and strangers can't drive them out.
const (
	maxChoices    = 32
	maxChoiceList = 128 // bytes
)

// choices are the tags that locales or lists of languages came to: to work out a list takes some thirty allocations, a
// third of all that a send makes. Safe for concurrent use.
type choices struct {
	mu    sync.RWMutex
	known map[string]string
}

func newChoices() *choices { return &choices{known: map[string]string{}} }

// of returns the tag for list, which find works out if it is not remembered.
func (c *choices) of(list string, find func(list string) string) string {
	c.mu.RLock()
	tag, known := c.known[list]
	c.mu.RUnlock()
	if known {
		return tag
	}
	tag = find(list)
	if len(list) <= maxChoiceList {
		c.remember(list, tag)
	}
	return tag
}

func (c *choices) remember(list, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) < maxChoices {
		c.known[strings.Clone(list)] = tag
	}
}
