package memstore

import (
	"container/heap"
	"time"
)

func (c *Codes) add(v *verification) {
	c.byID[v.id] = v
	heap.Push(&c.queue, v)
}

func (c *Codes) remove(v *verification) {
	delete(c.byID, v.id)
	heap.Remove(&c.queue, v.index)
}

// shed removes verifications that are forgotten at now. One at least, if there is one: which is all
// the room that a Put needs.
func (c *Codes) shed(now time.Time) {
	for range shedPerPut {
		if len(c.queue) == 0 || now.Before(c.queue[0].forget()) {
			return
		}
		c.remove(c.queue[0])
	}
}

// forgetQueue is a [heap.Interface]: the verification that is forgotten first stands first.
type forgetQueue []*verification

func (q forgetQueue) Len() int           { return len(q) }
func (q forgetQueue) Less(i, j int) bool { return q[i].forget().Before(q[j].forget()) }

func (q forgetQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *forgetQueue) Push(x any) {
	v := x.(*verification)
	v.index = len(*q)
	*q = append(*q, v)
}

func (q *forgetQueue) Pop() any {
	last := len(*q) - 1
	v := (*q)[last]
	(*q)[last] = nil // or the array would keep it alive
	*q = (*q)[:last]
	return v
}

// fix puts v where its changed forget instant belongs.
func (q *forgetQueue) fix(v *verification) { heap.Fix(q, v.index) }
