package redisstore

import "sync"

// request is the arguments of one call, in memory that is used again. Texts and numbers stand there by their addresses, which
// go-redis takes as well, since a value in an interface is a piece of memory of its own.
type request struct {
	args     []any
	keys     []string
	script   string // its name, or its text
	notAfter int64
}

// requests are those that nobody uses. The zero requests has none yet. Safe for concurrent use.
type requests struct{ pool sync.Pool }

func (p *requests) take() *request {
	if r, ok := p.pool.Get().(*request); ok {
		return r
	}
	return &request{}
}

// free takes r back. After a call that has failed go-redis may still read it, and it must not be freed.
func (p *requests) free(r *request) {
	clear(r.args)
	clear(r.keys)
	p.pool.Put(r)
}

// room is where the keys and the arguments of a usual call are put together: on the stack, since a request has copies.
type room struct {
	keys [8]string
	args [16]any
}

// fill makes r the arguments of k, with the clock to go by, or 0 for the server's own.
func (r *request) fill(k call, command any, script string, now, notAfter int64) []any {
	r.script, r.notAfter = script, notAfter
	r.args = append(r.args[:0], command, &r.script, len(k.keys))
	r.keys = append(r.keys[:0], k.keys...)
	for i := range r.keys {
		r.args = append(r.args, &r.keys[i])
	}
	r.args = append(r.args, now, &r.notAfter)
	r.args = append(r.args, k.args...)
	return r.args
}
