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
// one source is a fault; a file of a later source stands over a value of an earlier one. Of a gateway's settings
// only its kind knows which are secret, so each of them can be given as a file.
func resolveFiles(l layer) Faults {
	var faults Faults
	for _, s := range Settings() {
		if s.Secret {
			faults = append(faults, resolveFile(l, s.Key)...)
		}
	}
	for _, key := range sortedKeys(l) {
		if setting, isFile := strings.CutSuffix(key, fileSuffix); isFile && isGatewayKey(key) {
			faults = append(faults, resolveFile(l, setting)...)
		}
	}
	return faults
}

// resolveFile replaces the file of the secret at key, if l gives one.
func resolveFile(l layer, key string) Faults {
	file, found := l[key+fileSuffix]
	if !found {
		return nil
	}
	delete(l, key+fileSuffix)
	resolved := entry{origin: file.origin, faulty: true}
	defer func() { l[key] = resolved }()
	if file.faulty { // which is a Fault already
		return nil
	}
	text, err := onlySecret(l, key, file)
	if err != nil {
		return Faults{{key, file.origin, err.Error()}}
	}
	resolved.text, resolved.faulty = text, false
	return nil
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
