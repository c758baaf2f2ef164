// Package requestid names one request from its arrival to its last log line. Beside cancellation
// it is the only thing that smsd carries in a context.
package requestid

import (
	"context"

	"github.com/google/uuid"
)

type key struct{}

// New returns a fresh id: a random UUID, so that it tells nothing of how many requests there were.
func New() string { return uuid.NewString() }

// With returns ctx carrying id.
func With(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, key{}, id)
}

// From returns the id that ctx carries, or "".
func From(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}
