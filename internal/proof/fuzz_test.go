package proof_test

import (
	"errors"
	"strings"
	"testing"

	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
)

// FuzzToken: whatever a stranger sends is refused with a reason of the list, unless what is signed was signed by us.
func FuzzToken(f *testing.F) {
	store := &watched{Consumed: &prooftest.Consumed{}}
	r := newRig(f, proof.Options{Consumed: store}, 1)
	good := r.sign(login())
	signed := good[:strings.LastIndex(good, ".")+1] // the rest is another one in each process: a signature is random
	f.Add(good)
	f.Add(strings.Replace(good, ".", "..", 1))
	f.Add(r.Header(f) + ".e30.AAAA")
	f.Fuzz(func(t *testing.T, token string) {
		_, err := r.Consume(t.Context(), token, anything)
		if strings.HasPrefix(token, signed) && (err == nil || errors.Is(err, proof.ErrConsumed)) {
			return
		}
		refused, ok := errors.AsType[*proof.InvalidError](err)
		if !ok || refused.Hint() == "" {
			t.Errorf("%q: %v", token, err)
		}
	})
}

// FuzzClaims: whatever stands in a token of ours is read as this service writes it, or refused.
func FuzzClaims(f *testing.F) {
	r := newRig(f, proof.Options{}, 1)
	f.Add(part(f, r.sign(login()), 1))
	f.Add(`{"exp":1e999,"iat":-0,"sub":"+8613800138000","aud":["default"]}`)
	f.Fuzz(func(t *testing.T, payload string) {
		p, err := r.Consume(t.Context(), r.SignPayload(t, payload), anything)
		switch {
		case err == nil && (p.App != "default" || p.Phone.IsZero() || p.SMSID == "" || p.JTI == ""):
			t.Errorf("%q is taken as %+v", payload, p)
		case err != nil && !errors.Is(err, proof.ErrConsumed) && !errors.Is(err, proof.ErrExpired):
			if _, ok := errors.AsType[*proof.InvalidError](err); !ok {
				t.Errorf("%q: %v", payload, err)
			}
		}
	})
}
