package app

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"smsd/internal/config"
	"smsd/internal/secret"
)

func TestTheDevSecretIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	cfg := settings(t, ofDev)
	if _, err := openDataDir(cfg); err != nil {
		t.Fatal(err)
	}
	first, err := loadSecrets(cfg)
	if err != nil {
		t.Fatal(err)
	}
	second, err := loadSecrets(cfg)
	if err != nil || !bytes.Equal(first.index, second.index) { // which follows from the secret
		t.Errorf("another secret the second time: %v", err)
	}
	info, err := os.Stat(filepath.Join(cfg.DataDir, "secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(cfg.DataDir, ".secret-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Two instances on one Redis may share a folder, and start in the same moment.
func TestTwoThatMakeTheDevSecretAtOnceAgree(t *testing.T) {
	t.Parallel()
	cfg := settings(t, ofDev)
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	var made [8]secret.Text
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() { made[i], _ = devSecret(cfg) })
	}
	all.Wait()
	for _, one := range made {
		if one.IsZero() || !one.Same(made[0]) {
			t.Fatal("they made different secrets")
		}
	}
}

func TestADamagedDevSecretIsNotReplaced(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "hunter2", base64.StdEncoding.EncodeToString([]byte("short"))} {
		cfg := settings(t, ofDev)
		path := filepath.Join(cfg.DataDir, "secret")
		if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := devSecret(cfg); err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTheOldestSecretKeysSubjects(t *testing.T) {
	t.Parallel()
	oldest, newest := secret.New(strings.Repeat("o", 32)), secret.New(strings.Repeat("n", 32))
	index := func(rotation ...secret.Text) []byte {
		cfg := settings(t, ofDev)
		cfg.Secrets = rotation
		s, err := loadSecrets(cfg)
		if err != nil || s.root.Len() != len(rotation) {
			t.Fatal(err)
		}
		return s.index
	}
	if !bytes.Equal(index(oldest), index(newest, oldest)) {
		t.Error("a new secret in front resets every counter")
	}
	if bytes.Equal(index(oldest), index(newest)) {
		t.Error("the index secret does not depend on the secret")
	}
	cfg := settings(t, ofDev)
	cfg.Secrets, cfg.IndexSecret = []secret.Text{oldest}, newest
	if s, err := loadSecrets(cfg); err != nil || string(s.index) != newest.Reveal() {
		t.Errorf("the given index secret is not used: %v", err)
	}
}

func TestTheIndexCheckTellsSecretsApartAndNothingElse(t *testing.T) {
	t.Parallel()
	a, b := secrets{index: []byte(strings.Repeat("a", 32))}, secrets{index: []byte(strings.Repeat("b", 32))}
	if bytes.Equal(a.indexCheck(), b.indexCheck()) || bytes.Contains(a.indexCheck(), []byte("aaaa")) || len(a.indexCheck()) != 16 {
		t.Error("not a keyed hash")
	}
}

// docs/settings.md tells operators how to derive the index secret themselves before they drop the
// oldest secret.
func TestTheManualsWayToTheIndexSecret(t *testing.T) {
	t.Parallel()
	oldest := secret.New(strings.Repeat("o", 32))
	manual, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(manual), "openssl kdf ")
	command, _, found := strings.Cut(rest, "\n```")
	if !found {
		t.Fatal("docs/settings.md does not say how")
	}
	shell := exec.Command("sh", "-c", "OLDEST="+base64.StdEncoding.EncodeToString([]byte(oldest.Reveal()))+"; openssl kdf "+command)
	out, err := shell.Output()
	if err != nil {
		t.Skipf("no openssl 3 here: %v", err)
	}
	cfg := settings(t, ofDev)
	cfg.Secrets = []secret.Text{oldest}
	s, err := loadSecrets(cfg)
	if got := strings.TrimSpace(string(out)); err != nil || !strings.EqualFold(got, hex.EncodeToString(s.index)) {
		t.Errorf("the manual derives another one: %v", err)
	}
}

func TestOneProcessAtATimeUsesADataDir(t *testing.T) {
	t.Parallel()
	cfg := settings(t, ofDev)
	first, err := openDataDir(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openDataDir(cfg); err == nil || !strings.Contains(err.Error(), "in use by another smsd") {
		t.Errorf("the second one got %v", err)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	second, err := openDataDir(cfg)
	if err != nil {
		t.Fatalf("not given back: %v", err)
	}
	_ = second.close()
}

// With Redis, an explicit secret and no spool nothing is written: the root file system may be read-only.
func TestAnInstanceThatNeedsNoDiskTouchesNone(t *testing.T) {
	t.Parallel()
	cfg := settings(t, ofDev)
	cfg.Redis.URL, cfg.Secrets = secret.New("redis://localhost"), []secret.Text{secret.New(strings.Repeat("o", 32))}
	cfg.OnRecordsFailure = config.Refuse
	if _, err := openDataDir(cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(cfg.DataDir); err == nil {
		t.Error("data_dir was made")
	}
}
