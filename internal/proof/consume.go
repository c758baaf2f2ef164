package proof

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/phone"
)

// Proof is what a consumed token proved.
type Proof struct {
	Verification
	JTI        string
	VerifiedAt time.Time // the token's iat: UTC, whole seconds, the clock of who signed
}

// budget bounds one write of a consumed token: what a database takes to fsync on a bad day, and less than callers wait.
const budget = 2 * time.Second

// remembered is how long a consumed token is remembered after its own end. A code lives for a day at most, and while it
// does a Redis that failed over might let it be verified again; the token of that lives for MaxTTL.
const remembered = 24*time.Hour + MaxTTL + MaxSkew

// Consume checks token and uses it up: of all calls with one verification's tokens, on every instance, one succeeds. It returns an
// [*InvalidError], [ErrExpired], [ErrConsumed], an error that unwraps to [ErrUnavailable] if nobody can tell, or what else
// broke. Only a token that passed every check is used up. A caller that hangs up changes nothing of it.
func (t *Tokens) Consume(ctx context.Context, token string, w Want) (Proof, error) {
	p, err := t.consume(context.WithoutCancel(ctx), token, w)
	t.metrics.count(err)
	return p, err
}

func (t *Tokens) consume(ctx context.Context, token string, w Want) (Proof, error) {
	c, err := t.check(token, w, t.now())
	if err != nil {
		return Proof{}, err
	}
	p, err := c.proof()
	if err != nil {
		return Proof{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	err = t.consumed.Consume(ctx, c.ID, c.App, time.Unix(c.Expires, 0).Add(remembered).UTC())
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err != nil {
		return Proof{}, err
	}
	return p, nil
}

func (c *claims) proof() (Proof, error) {
	number, err := phone.Parse(c.Subject, "")
	if err != nil {
		return Proof{}, invalid(ReasonClaims)
	}
	return Proof{
		Verification: Verification{SMSID: c.SMSID, App: c.App, Scene: c.Scene, Phone: number, Nonce: c.Nonce},
		JTI:          c.ID, VerifiedAt: time.Unix(c.IssuedAt, 0).UTC(),
	}, nil
}
