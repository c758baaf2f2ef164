package testserver

// MoveSlot moves a slot with all its keys, as the Redis Cluster specification has it, while others may use it.
func (c *ClusterServers) MoveSlot(slot int, to *RedisServer) {
	c.t.Helper()
	from := c.BeginMove(slot, to)
	c.MoveKeys(slot, to)
	c.EndMove(slot, from, to)
}

// BeginMove tells both nodes that a slot is on its way, and returns who has it: for what it holds that one answers,
// for the rest it answers ASK.
func (c *ClusterServers) BeginMove(slot int, to *RedisServer) (from *RedisServer) {
	c.t.Helper()
	from = c.Holder(slot)
	to.Do("cluster", "setslot", slot, "importing", c.ids[from])
	from.Do("cluster", "setslot", slot, "migrating", c.ids[to])
	return from
}

// MoveKeys moves the given keys of a slot that is on its way, or, without keys, all that are there.
func (c *ClusterServers) MoveKeys(slot int, to *RedisServer, keys ...string) {
	c.t.Helper()
	from := c.Holder(slot)
	if len(keys) > 0 {
		c.migrate(from, to, keys)
		return
	}
	for {
		some := from.Do("cluster", "getkeysinslot", slot, 10).([]any)
		if len(some) == 0 {
			return
		}
		keys = keys[:0]
		for _, key := range some {
			keys = append(keys, key.(string))
		}
		c.migrate(from, to, keys)
	}
}

func (c *ClusterServers) migrate(from, to *RedisServer, keys []string) {
	c.t.Helper()
	command := []any{"migrate", loopback, to.port, "", 0, askTimeout.Milliseconds(), "auth", c.password, "keys"}
	for _, key := range keys {
		command = append(command, key)
	}
	from.Do(command...) // NOKEY if they have expired meanwhile
}

// EndMove gives the slot to its new node, and waits until every node that runs has heard of it.
func (c *ClusterServers) EndMove(slot int, from, to *RedisServer) {
	c.t.Helper()
	to.Do("cluster", "setslot", slot, "node", c.ids[to])
	from.Do("cluster", "setslot", slot, "node", c.ids[to])
	for _, s := range c.running() {
		s.await("the slot's new node", func() bool { return c.holder(s, slot) == to })
	}
}
