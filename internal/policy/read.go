package policy

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// ReadFile returns the text of a policy file for [Parse]. It never blocks and never reads much more than
// [MaxSize]: a file that is larger is cut, so that Parse refuses it. The file is opened without blocking, since opening a FIFO
// waits for its other end; what is no regular file is refused before a byte of it is read.
func ReadFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	defer f.Close()
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, fmt.Errorf("policy: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("policy: %s: not a regular file", path)
	}
	return Read(f)
}

// Read is [ReadFile] of what is open already, as standard input. It waits for what is yet to come.
func Read(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, MaxSize+1)) // one more, so that Parse sees that it is too large
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return text, nil
}
