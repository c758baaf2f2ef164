package sms_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"
	"time"

	"smsd/internal/sms"
)

// hoarder keeps whatever a store is given.
type hoarder struct {
	sms.Codes
	seen bytes.Buffer
}

func (h *hoarder) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	for _, part := range [][]byte{[]byte(n.App), []byte(n.Scene), n.Code[:], n.Phone[:], n.Sealed} {
		h.seen.Write(part)
	}
	return h.Codes.Put(ctx, id, n)
}

func (h *hoarder) Amend(ctx context.Context, id string, a sms.Amendment) error {
	h.seen.Write(a.Code[:])
	h.seen.Write(a.Sealed)
	return h.Codes.Amend(ctx, id, a)
}

func (h *hoarder) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	h.seen.WriteString(g.App + g.Scene)
	h.seen.Write(g.Phone[:])
	for _, c := range g.Codes {
		h.seen.Write(c[:])
	}
	return h.Codes.Verify(ctx, id, g)
}

// better-auth 11297: a dump of the store holds keyed hashes and sealed bytes only, and so does the file
// that the embedded store leaves behind.
func TestNothingIsStoredInClear(t *testing.T) {
	t.Parallel()
	all := &hoarder{}
	r := newRig(t, setup{policy: with("resend: rotate"), codes: func(c sms.Codes) sms.Codes { all.Codes = c; return all }})
	q := ask(alice)
	q.Region, q.Locale, q.DeviceID = "CN", "zh-CN", "my-device"
	sent := r.send(q)
	r.resend(sent.SMSID)
	for left := 4; left >= 0; left-- {
		r.verifyRequest(sms.VerifyRequest{SMSID: sent.SMSID, Code: otherCode(r.codeOf(alice)), Phone: alice, Client: home}, incorrect(left))
	}
	path := filepath.Join(t.TempDir(), "codes")
	if err := r.codes.Save(path); err != nil {
		t.Fatal(err)
	}
	file := must(os.ReadFile(path))
	secrets := []string{alice[1:], alice[3:], "zh-CN", "my-device", "203.0.113"}
	for _, m := range r.messages(alice) {
		secrets = append(secrets, m.Code.Reveal(), otherCode(m.Code.Reveal()))
	}
	for _, s := range secrets {
		encoded := base64.StdEncoding.EncodeToString([]byte(s))
		for name, dump := range map[string][]byte{"the store": all.seen.Bytes(), "the file": file} {
			if bytes.Contains(dump, []byte(s)) || bytes.Contains(dump, []byte(encoded[:len(encoded)*3/4])) {
				t.Errorf("%s holds %q", name, s)
			}
		}
	}
	if all.seen.Len() == 0 || len(file) == 0 {
		t.Error("nothing was stored")
	}
}
