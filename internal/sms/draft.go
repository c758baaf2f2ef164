package sms

import (
	"context"
	"fmt"
	"time"

	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// draft is a code for one message, drawn and sealed, that is not stored yet. It is made before anything is charged, so
// that the charge may store it (see [PutErrand]) and a random source that is broken costs nobody quota.
type draft struct {
	code secret.Text
	put  *PutErrand
	made time.Time // here
}

// draw makes a draft with a new code.
func (s *Service) draw(o *order) (draft, error) {
	code, err := drawCode(s.random, o.scene.CodeLength)
	if err != nil {
		return draft{}, err
	}
	return s.draft(o, code)
}

func (s *Service) draft(o *order, code secret.Text) (draft, error) {
	sealed, err := s.keys.seal(o.id, o.letter(code))
	if err != nil {
		return draft{}, err
	}
	return draft{code: code, made: s.now(), put: &PutErrand{ID: o.id, Record: NewRecord{
		App: o.app, Scene: o.scene.Name,
		Code: s.keys.codeHash(o.id, code), Phone: s.keys.phoneHash(o.id, o.number),
		Length: len(code.Reveal()), Attempts: o.scene.Attempts, Sealed: sealed,
		TTL: o.scene.TTL, Keep: keep,
	}}}, nil
}

// stored sees to it that the code is stored: the charge has done so, or it is done now.
func (s *Service) stored(ctx context.Context, d draft, quota *throttle.Reservation) (life, error) {
	if quota.ErrandDone() {
		return d.life(d.made, quota.At()), nil
	}
	return s.store(ctx, d)
}

func (s *Service) store(ctx context.Context, d draft) (life, error) {
	started := s.now()
	created, err := s.codes.Put(ctx, d.put.ID, d.put.Record)
	if err != nil {
		return life{}, fmt.Errorf("store the code: %w", err)
	}
	return d.life(started, created), nil
}

// life is that of a code which the store has created since started.
func (d draft) life(started, created time.Time) life {
	return life{started: started, created: created, expires: created.Add(d.put.Record.TTL), accepted: started}
}
