package testserver

import (
	"strings"
	"testing"
)

// A cluster serves every slot, moves one with its keys, half-way too, and survives a primary.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := RedisCluster(t)
	if n := len(c.Nodes()); n != 6 || strings.Count(c.URL(), ",") != 5 {
		t.Errorf("%d nodes, %s", n, c.URL())
	}
	slot := c.Slot("{a}1")
	from := c.Holder(slot)
	from.Do("set", "{a}1", "x")
	from.Do("set", "{a}2", "y")
	to := c.Node()
	c.BeginMove(slot, to)
	c.MoveKeys(slot, to, "{a}1")
	if _, err := from.Ask("get", "{a}1"); err == nil || !strings.HasPrefix(err.Error(), "ASK ") {
		t.Errorf("a key that has moved: %v", err)
	}
	if _, err := from.Ask("mget", "{a}1", "{a}2"); err == nil || !strings.HasPrefix(err.Error(), "TRYAGAIN ") {
		t.Errorf("keys on two nodes: %v", err)
	}
	c.MoveKeys(slot, to)
	c.EndMove(slot, from, to)
	if _, err := from.Ask("get", "{a}2"); err == nil || !strings.HasPrefix(err.Error(), "MOVED ") {
		t.Errorf("a slot that has moved: %v", err)
	}
	if got := to.text("get", "{a}2"); got != "y" {
		t.Errorf("the key that was moved holds %q", got)
	}
	other := (slot + slots/2) % slots
	dead := c.KillPrimary(other)
	c.AwaitFailover(other, dead)
	if c.Holder(other) == dead {
		t.Error("a dead node serves")
	}
	dead.Restart()
	c.Await()
}
