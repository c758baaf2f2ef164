package sms

import (
	"context"
	"errors"
	"slices"

	"smsd/internal/phone"
)

// guess is the attempt as a store compares it. The verification is read first only where something of
// it is needed for that: see [Service.needs].
func (s *Service) guess(ctx context.Context, a *attempt) (Guess, error) {
	g := Guess{App: a.app, Scene: a.asked, Length: len(a.code.Reveal()), Codes: s.keys.codeHashes(a.id, a.code), Mark: a.mark}
	if s.needs(a) {
		var err error
		if a.known, err = s.peek(ctx, a); err != nil || a.gone {
			return g, err
		}
	}
	if a.phone == "" {
		return g, nil
	}
	number, err := phone.Parse(a.phone, a.readWith())
	if err != nil {
		return g, err
	}
	g.Phone = s.keys.phoneHash(a.id, number)
	if number == a.number {
		g.Phone = a.known.Phone // maybe an older secret's
	}
	return g, nil
}

// needs reports whether the verification must be read before the guess: for the region of a national
// number, for a number that an older secret may have hashed, for limits that depend on its scene, or to tell somebody
// before it is used up.
func (s *Service) needs(a *attempt) bool {
	byPhone := a.phone != "" && (!phone.IsInternational(a.phone) || s.keys.rotating())
	return byPhone || a.policy.verifiesByScene || a.before != nil
}

// fits reports whether g is right of r, which a store decides anew.
func (g Guess) fits(r Record) bool {
	return g.Length == r.Length && (g.Scene == "" || g.Scene == r.Scene) &&
		(g.Phone == Hash{} || g.Phone == r.Phone) && slices.Contains(g.Codes, r.Code)
}

// peek reads the verification, unless it is not there or another app's; that is for later to say, when
// the verify has been counted.
func (s *Service) peek(ctx context.Context, a *attempt) (Record, error) {
	record, err := s.codes.Get(ctx, a.id)
	if errors.Is(err, ErrNotFound) || err == nil && record.App != a.app {
		a.gone = true
		return Record{}, nil
	}
	if err != nil {
		return Record{}, err
	}
	return record, s.learn(a, record)
}

// readWith is the region for a national number: the one that send used, or else the number's own.
func (a *attempt) readWith() string {
	if a.region != "" {
		return a.region
	}
	return a.number.Country()
}

// ruledBy is the scene by whose rules the verify is counted: the verification's own where a rule
// depends on it (see [Service.needs]); otherwise it makes no difference.
func (a *attempt) ruledBy() string {
	switch {
	case a.scene != nil:
		return a.scene.Name
	case a.policy.Scenes[a.asked] != nil:
		return a.asked
	}
	return a.policy.anyScene
}
