// Package requestid names one request from its arrival to its last log line. Beside cancellation
// it is the only thing that smsd carries in a context.
package requestid

import (
	"context"

	"github.com/google/uuid"
)

type key struct{}

// New returns a fresh id: a UUID of version 7 (RFC 9562, section 5.7). It tells when the request came, as its answer does anyway, and
// by its 62 random bits nothing of how many requests there were. Those of one moment are neighbours in an index, which so grows at its
// end: rows of records are a good deal cheaper to write than with random ids. It is a name, no secret.
func New() string { return uuid.Must(uuid.NewV7()).String() } // it fails where crypto/rand does, which never does

// carrier is a context and the id it carries: [context.WithValue] takes an object more, for the text in its interface.
type carrier struct {
	context.Context
	id string
}

// Value returns the carrier itself for the package's own key.
func (c *carrier) Value(k any) any {
	if k == any(key{}) {
		return c
	}
	return c.Context.Value(k)
}

// With returns ctx carrying id.
func With(ctx context.Context, id string) context.Context { return &carrier{ctx, id} }

// From returns the id that ctx carries, or "".
func From(ctx context.Context) string {
	if c, ok := ctx.Value(key{}).(*carrier); ok {
		return c.id
	}
	return ""
}
