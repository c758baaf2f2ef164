package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// longCodes are too long to be met by chance.
const longCodes = `
limits: [{name: phone-hour, by: [phone], limit: 20, window: 1h}]
scenes:
  login:
    code: {length: 10, ttl: 5m, attempts: 5}
    templates: {en: "{{.Code}} is your code."}
    limits: [{name: cooldown, by: [phone, scene], limit: 2, window: 60s}]
`

const aliceDevice = "the-device-of-alice"

// glific 236, otpgateway README (codes and numbers in a database): what an instance leaves behind after sends,
// verifies, resends, refusals and failures, every file of it and every row, holds no number, code, address or device in clear.
func TestNothingIsKeptInClear(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*testing.T) setting{
		"sqlite":   func(*testing.T) setting { return ofDev },
		"postgres": func(t *testing.T) setting { return onPostgres(testserver.Postgres(t).URL()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, longCodes, change(t))
			codes := s.useOfEveryKind()
			if err := s.app.Stop(context.Background()); err != nil {
				t.Fatal(err)
			}
			kept := append(s.files(), s.rows()...)
			if !bytes.Contains(kept, []byte("+861380013")) {
				t.Error("the prefix is not found: the scan looks at nothing")
			}
			for _, text := range append(codes, "13800138000", "7400123456", "2025550110", home, "203.0.113", aliceDevice) {
				for _, form := range []string{text, hex.EncodeToString([]byte(text)), strings.ToUpper(hex.EncodeToString([]byte(text))), base64.StdEncoding.EncodeToString([]byte(text))} {
					if bytes.Contains(kept, []byte(form)) {
						t.Errorf("%s is kept as %s", text, form)
					}
				}
			}
		})
	}
}

// useOfEveryKind returns the codes that were sent.
func (s *service) useOfEveryKind() (codes []string) {
	s.t.Helper()
	for _, number := range []string{alice, bob} {
		sent := s.wants(s.post("send", fields{"phone": number, "scene": "login", "device_id": aliceDevice}), "200")
		id := sent.text("sms_id")
		code := s.codeOf(id)
		codes = append(codes, code)
		s.verify(id, "0000000000")
		s.wants(s.resend(id), "200")
		s.wants(s.send(number), "429 rate_limited")
		s.wants(s.verify(id, code), "200")
		s.verify(id, code)
	}
	s.wants(s.send("+12025550110"), "422 undeliverable")
	s.post("send", fields{"phone": alice, "scene": "none", "device_id": aliceDevice})
	return codes
}

// files is every file in data_dir.
func (s *service) files() (all []byte) {
	s.t.Helper()
	err := filepath.WalkDir(s.cfg.DataDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "secret" {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// rows is every row of the database, as text.
func (s *service) rows() []byte {
	s.t.Helper()
	db, err := sqlstore.Open(s.t.Context(), sqlstore.Options{URL: s.cfg.Database.URL, File: s.cfg.DatabaseFile()})
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	verifications, _, err := db.Records().Verifications(s.t.Context(), records.Filter{Limit: records.MaxPage})
	if err != nil || len(verifications) < 3 {
		s.t.Fatalf("%d verifications, %v", len(verifications), err)
	}
	decisions, _, err := db.Records().Decisions(s.t.Context(), records.Filter{Limit: records.MaxPage})
	if err != nil || len(decisions) < 10 {
		s.t.Fatalf("%d decisions, %v", len(decisions), err)
	}
	text := fmt.Appendf(nil, "%+v %+v", verifications, decisions)
	for _, v := range verifications {
		text = append(text, v.Sealed...)
	}
	return text
}

// While the database is away nobody is told that a send which was answered never was.
func TestStatusIsNeverAWrongNotFound(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	s := start(t, "", onPostgres(server.URL()))
	s.sent(bob) // there is a connection to lose
	server.Kill()
	id, _ := s.sent(alice)
	s.wants(s.get("/api/v1/sms/"+id), "503 unavailable")
	server.Restart()
	until(t, "the row is there", func() bool {
		a := s.get("/api/v1/sms/" + id)
		if a.status == http.StatusNotFound {
			t.Fatal("a wrong 404")
		}
		return a.status == http.StatusOK
	})
	until(t, "what never was is not there", func() bool {
		return s.get("/api/v1/sms/00000000-0000-4000-8000-000000000000").outcome() == "404 verification_not_found"
	})
}

// Nor while its row is set aside, however long that is.
func TestStatusOfARowThatIsSetAsideIsNoNotFound(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	s := start(t, "", onPostgres(server.URL()))
	server.Do("ALTER TABLE verifications ADD CHECK (country <> 'CN')")
	id, _ := s.sent(alice)
	other, _ := s.sent(bob)
	s.advance(24 * time.Hour)
	until(t, "the database has all that it takes", func() bool { return s.get("/readyz").text("status") == "ok" })
	s.wants(s.get("/api/v1/sms/"+other), "200")
	s.wants(s.get("/api/v1/sms/"+id), "503 unavailable")
	s.wants(s.get("/api/v1/sms/00000000-0000-4000-8000-000000000000"), "404 verification_not_found")
}

// An erased number is gone from the rows, and on Redis its code and its limits are; another number's stay.
func TestEraseReachesRedis(t *testing.T) {
	t.Parallel()
	s := start(t, "", onRedis(testserver.Redis(t).URL()))
	id, code := s.sent(alice)
	other, otherCode := s.sent(bob)
	s.wants(s.send(alice), "429 rate_limited")
	receipt := s.erase(alice)
	if receipt.Codes != 1 || receipt.Counters != "emptied" || receipt.Verifications != 1 || receipt.Phone != "+86 138****8000" || len(receipt.Remains) == 0 {
		t.Errorf("receipt %+v", receipt)
	}
	s.wants(s.verify(id, code), "404 verification_not_found")
	until(t, "the limits begin anew", func() bool { return s.send(alice).status == http.StatusOK })
	s.wants(s.send(bob), "429 rate_limited")
	s.wants(s.verify(other, otherCode), "200")
	if a := s.wants(s.get("/api/v1/sms/"+id), "200"); a.field("phone") != nil || a.text("country") != "CN" {
		t.Errorf("the row that remains: %s", a)
	}
}

// Without Redis, codes and counters are the running instance's, and the receipt says so.
func TestEraseWithoutRedis(t *testing.T) {
	t.Parallel()
	s := start(t, "")
	id, code := s.sent(alice)
	receipt := s.erase(alice)
	if receipt.Codes != 0 || receipt.Counters != "left" || receipt.Verifications != 1 || !strings.Contains(receipt.Remains[0].What, "in the memory of the instance") {
		t.Errorf("receipt %+v", receipt)
	}
	s.wants(s.verify(id, code), "200")
}

// erase does what the command does, while the instance runs.
func (s *service) erase(number string) *Receipt {
	s.t.Helper()
	r, err := OpenRecords(s.t.Context(), s.cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Close()
	receipt, err := r.Erase(s.t.Context(), phone.MustParse(number))
	if err != nil {
		s.t.Fatal(err)
	}
	return receipt
}
