package memstore

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/google/renameio/v2"
)

// lines is a format of files: a header, then as many lines of JSON as it says, each of them a T.
type lines[T any] struct {
	format  string
	version int
}

// header is the first line.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Count   int    `json:"count"`
}

// write replaces the file at path whole; only its owner may read it.
func (l lines[T]) write(path string, all []T) error {
	file, err := renameio.NewPendingFile(path, renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = file.Cleanup() }() // nothing is left of a file that was not finished
	buffered := bufio.NewWriter(file)
	if err := l.encode(json.NewEncoder(buffered), all); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}

func (l lines[T]) encode(enc *json.Encoder, all []T) error {
	if err := enc.Encode(header{l.format, l.version, len(all)}); err != nil {
		return err
	}
	for _, line := range all {
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// read gives each line of the file at path to take, whose error ends it. A file of more than most lines,
// of another format, or of more or fewer lines than it says, is an error. So is one that is not there.
func (l lines[T]) read(path string, most int, take func(T) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := l.decode(json.NewDecoder(bufio.NewReader(file)), most, take); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (l lines[T]) decode(dec *json.Decoder, most int, take func(T) error) error {
	count, err := l.count(dec, most)
	if err != nil {
		return err
	}
	for n := range count {
		var line T
		err := dec.Decode(&line)
		if err == nil {
			err = take(line)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", n+1, err)
		}
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more follows record %d", count)
	}
	return nil
}

// count reads the header.
func (l lines[T]) count(dec *json.Decoder, most int) (int, error) {
	var head header
	if err := dec.Decode(&head); err != nil {
		return 0, err
	}
	if head.Format != l.format || head.Version != l.version {
		return 0, fmt.Errorf("format %q version %d is not known", head.Format, head.Version)
	}
	if head.Count < 0 || head.Count > most {
		return 0, fmt.Errorf("holds %d records, must be 0 to %d", head.Count, most)
	}
	return head.Count, nil
}
