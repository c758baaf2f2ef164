package config

import (
	"errors"
	"strings"

	"smsd/internal/secret"
)

// maxSecretFile is room for eight secrets of any size that people make.
const maxSecretFile = 64 << 10

// fileSuffix makes the key of a secret the key of its file.
const fileSuffix = "_file"

// resolveFiles replaces each secret that one source gives as a file, by what stands in it. Giving both in
// one source is a fault; a file of a later source stands over a value of an earlier one.
func resolveFiles(l layer) Faults {
	var faults Faults
	for _, s := range Settings() {
		file, found := l[s.Key+fileSuffix]
		if !s.Secret || !found {
			continue
		}
		delete(l, s.Key+fileSuffix)
		resolved := entry{origin: file.origin, faulty: true}
		if !file.faulty { // which is a Fault already
			text, err := onlySecret(l, s.Key, file)
			if err != nil {
				faults = append(faults, Fault{s.Key, file.origin, err.Error()})
			}
			resolved.text, resolved.faulty = text, err != nil
		}
		l[s.Key] = resolved
	}
	return faults
}

// onlySecret reads the file, unless l gives the secret itself too.
func onlySecret(l layer, key string, file entry) (secret.Text, error) {
	if both, found := l[key]; found {
		return secret.Text{}, errors.New("is given twice: here as a file, and by " + both.origin.String())
	}
	return readSecret(file.text.Reveal())
}

// readSecret returns what stands in the file at path, without the line's end that editors put there.
func readSecret(path string) (secret.Text, error) {
	if path == "" {
		return secret.Text{}, errors.New("must be the path of a file")
	}
	raw, err := readBounded(path, maxSecretFile)
	if err != nil {
		return secret.Text{}, err
	}
	text := strings.TrimRight(string(raw), "\r\n")
	if text == "" {
		return secret.Text{}, errors.New(path + " is empty")
	}
	return secret.New(text), nil
}
