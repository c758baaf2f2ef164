package app

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"smsd/internal/config"
	"smsd/internal/keyring"
	"smsd/internal/secret"
)

// secretSize is that of the secret made in dev, and of what is derived: 256 bits.
const secretSize = 32

// What is derived, and for what. Changing one changes every key below it.
const (
	indexLabel = "smsd index"
	checkLabel = "smsd index check"
)

// secrets are the roots of all keys.
type secrets struct {
	root  *keyring.Root // those in rotation
	index []byte
}

// loadSecrets takes the secrets from the settings, and in dev makes what is missing.
func loadSecrets(cfg *config.Config) (secrets, error) {
	texts := cfg.Secrets
	if len(texts) == 0 {
		made, err := devSecret(cfg)
		if err != nil {
			return secrets{}, err
		}
		texts = []secret.Text{made}
	}
	var rotation [][]byte // newest first
	for _, text := range texts {
		rotation = append(rotation, []byte(text.Reveal()))
	}
	root, err := keyring.New(rotation)
	if err != nil {
		return secrets{}, err
	}
	index, err := indexSecret(cfg, rotation[len(rotation)-1])
	return secrets{root, index}, err
}

// indexSecret returns the given one, or derives it from the oldest secret, so that putting a new secret
// in front resets no counter.
func indexSecret(cfg *config.Config, oldest []byte) ([]byte, error) {
	if !cfg.IndexSecret.IsZero() {
		return []byte(cfg.IndexSecret.Reveal()), nil
	}
	return hkdf.Key(sha256.New, oldest, nil, indexLabel, secretSize)
}

// indexCheck is what a Redis remembers of the index secret: enough to tell another one, and no way back.
func (s secrets) indexCheck() []byte {
	mac := hmac.New(sha256.New, s.index)
	mac.Write([]byte(checkLabel))
	return mac.Sum(nil)[:16]
}

// devSecret reads the secret kept under data_dir, or makes it.
func devSecret(cfg *config.Config) (secret.Text, error) {
	if cfg.Profile != config.Dev {
		return secret.Text{}, errors.New("secret: production needs an explicit one")
	}
	path := filepath.Join(cfg.DataDir, "secret")
	kept, err := readSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	if err := makeSecret(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return secret.Text{}, fmt.Errorf("data_dir: %w", err)
	}
	return readSecret(path) // what a process that was faster made is as good
}

func readSecret(path string) (secret.Text, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return secret.Text{}, fmt.Errorf("data_dir: %w", err)
	}
	raw, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil || len(raw) < secretSize {
		return secret.Text{}, fmt.Errorf("data_dir: %s is not a secret that smsd made: delete it, and live codes and counters begin anew", path)
	}
	return secret.New(string(raw)), nil
}

// makeSecret writes a fresh secret to path, whole or not at all, unless there is one: a link to a
// finished file fails where a name is taken.
func makeSecret(path string) error {
	raw := make([]byte, secretSize)
	rand.Read(raw) // never fails, as of Go 1.24
	f, err := os.CreateTemp(filepath.Dir(path), ".secret-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(raw))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
