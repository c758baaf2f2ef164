package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"
)

// maxFile is far above any file that people write.
const maxFile = 1 << 20

// readFile reads the YAML file at path; empty: none.
func readFile(path string) (layer, Faults) {
	if path == "" {
		return nil, nil
	}
	text, err := readBounded(path, maxFile)
	if err != nil {
		return nil, Faults{{Origin: Origin{File: path}, Message: reason(err)}}
	}
	return parseFile(path, text)
}

// parseFile loads text through koanf with the parser of [document].
func parseFile(path string, text []byte) (layer, Faults) {
	doc := &document{path: path}
	file := koanf.New(".")
	if err := file.Load(rawbytes.Provider(text), doc); err != nil {
		return nil, append(doc.faults, Fault{Origin: Origin{File: path}, Message: err.Error()})
	}
	l := layer{}
	for _, key := range file.Keys() {
		l[key] = doc.entries[file.Int(key)]
	}
	return l, append(doc.faults, resolveFiles(l)...)
}

// reason returns err without the path that a Fault names already.
func reason(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err.Error()
	}
	return err.Error()
}

// readBounded reads a file, or a pipe, of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has more than %d bytes", limit)}
	}
	return text, err
}
