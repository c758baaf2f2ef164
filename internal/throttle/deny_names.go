package throttle

// A refusal is remembered under three names.
//
// The whole request's: scene, event and every enforced key. By it alone an event is refused, since only
// then it is known how long every one of its rules would refuse. To refuse for one key what is not known of another
// would tell too short a wait.
//
// That of each cell that refuses: a key and a rule. What one request learns of a number's cooldown,
// another one of that number is told.
//
// Those that the caller gives it, for who asks before the subjects are known.
const (
	wholeName = "whole"
	cellName  = "cell"
	givenName = "given"
)

// nameRoom is the room that a name needs as a rule, so that it is built without an allocation.
const nameRoom = 768

func (c *denyCache) wholeID(a *asked) entryID {
	if c == nil || len(a.groups) == 0 {
		return entryID{}
	}
	name := appendParts(make([]byte, 0, nameRoom), wholeName, a.rules.id, a.event.String(), a.scene)
	for i, g := range a.groups {
		if g.enforced {
			key := a.take.Groups[i].Key
			name = appendParts(name, string(key.Tag), key.Name)
		}
	}
	return c.id(name)
}

func (c *denyCache) cellID(a *asked, group, rule int) entryID {
	key, r, scene := a.take.Groups[group].Key, a.groups[group].rules[rule], ""
	if r.marked() {
		scene = a.scene
	}
	return c.id(appendParts(make([]byte, 0, nameRoom), cellName, a.rules.id, string(key.Tag), key.Name, r.Scene, r.Name, scene))
}

func (c *denyCache) givenID(rules *RuleSet, name []string) entryID {
	return c.id(appendParts(appendParts(make([]byte, 0, nameRoom), givenName, rules.id), name...))
}

// eachCell calls do for every enforced cell, with its place among the verdicts.
func (a *asked) eachCell(do func(group, rule, verdict int)) {
	verdict := 0
	for i, g := range a.groups {
		for j := range g.rules {
			if !g.shadow(j) {
				do(i, j, verdict)
			}
			verdict++
		}
	}
}

// fewGroups is above the groups of most policies; what is made for each of so many stands on the stack.
const fewGroups = 8

// generations appends those of every group to all, before the store is asked.
func (c *denyCache) generations(all []generation, a *asked) []generation {
	if c == nil {
		return nil
	}
	for _, g := range a.take.Groups {
		all = append(all, c.generation(g.Key.Tag))
	}
	return all
}

// learn remembers which cells refuse the next event: after a charge too, where they have just become full. The
// deadlines count from here, after the answer, so that they are never before the store's.
func (c *denyCache) learn(a *asked, since []generation, taken Taken) {
	if c == nil {
		return
	}
	now, found, longest := c.elapsed(), false, denial{}
	a.eachCell(func(group, rule, verdict int) {
		v := taken.Verdicts[verdict]
		if v.Wait <= 0 {
			return
		}
		d := denial{
			id: c.cellID(a, group, rule), at: now, until: now + v.Wait, since: since[group],
			rule: a.groups[group].places[rule], used: v.Used,
		}
		c.put(d)
		if !found || d.until > longest.until {
			found, longest = true, d
		}
	})
	if found && !a.take.Force {
		c.putAs(a.whole, longest)
		if a.named() {
			c.putAs(a.given, longest)
		}
	}
}

func (c *denyCache) putAs(id entryID, d denial) {
	d.id = id
	c.put(d)
}

// denied answers for the store, and says by which entry; the zero Decision if it can't. What has become known since of single
// cells may be a longer wait. Where such a cell is known of no more, since something of its tag was given back, it may refuse
// as long all the same, and only the store knows.
func (c *denyCache) denied(a *asked) (denial, Decision) {
	if c == nil || len(a.groups) == 0 {
		return denial{}, Decision{}
	}
	now := c.elapsed()
	whole, found := c.find(a.whole, now)
	if !found || !whole.fresh(now) {
		return denial{}, Decision{}
	}
	longest, lost := whole, false
	a.eachCell(func(group, rule, _ int) {
		cell, found := c.look(c.cellID(a, group, rule), now)
		switch {
		case !found || cell.until <= whole.until:
		case !c.stands(cell.since):
			lost = true
		case cell.until > longest.until:
			longest = cell
		}
	})
	if lost {
		return denial{}, Decision{}
	}
	return longest, longest.told(a.rules, now)
}

// known returns the longest wait of the request's cells, whole deadlines; the zero Decision if there is none.
func (c *denyCache) known(a *asked) (longest Decision) {
	if c == nil {
		return Decision{}
	}
	now := c.elapsed()
	a.eachCell(func(group, rule, _ int) {
		if d, found := c.find(c.cellID(a, group, rule), now); found {
			longest = longer(longest, d.told(a.rules, now))
		}
	})
	return longest
}

func (c *denyCache) named(rules *RuleSet, name []string) Decision {
	if c == nil {
		return Decision{}
	}
	now := c.elapsed()
	if d, found := c.find(c.givenID(rules, name), now); found {
		return d.told(rules, now)
	}
	return Decision{}
}

// blames returns whom the request's cells that were found full within two seconds count.
func (c *denyCache) blames(a *asked) (all []blame) {
	now := c.elapsed()
	a.eachCell(func(group, rule, _ int) {
		kind := a.groups[group].rules[rule].Blames()
		if kind == 0 {
			return
		}
		if d, found := c.find(c.cellID(a, group, rule), now); found && d.fresh(now) {
			all = addBlame(all, blame{kind, d.since})
		}
	})
	return all
}

// longer returns the decision with the longer wait; of equals, a.
func longer(a, b Decision) Decision {
	if b.RetryAfter > a.RetryAfter {
		return b
	}
	return a
}
