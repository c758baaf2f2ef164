package memstore

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/renameio/v2"
)

// codesHeader is the first line of a file; each further line is a savedCode.
type codesHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Count   int    `json:"count"`
}

const (
	codesFormat  = "smsd codes"
	codesVersion = 1
)

// savedCode is a verification on disk: keyed hashes and sealed bytes, nothing in clear.
type savedCode struct {
	ID       string `json:"id"`
	App      string `json:"app"`
	Scene    string `json:"scene"`
	Code     []byte `json:"code"`
	Phone    []byte `json:"phone"`
	Length   int    `json:"length"`
	Attempts int    `json:"attempts_left"`
	Sealed   []byte `json:"sealed"`
	Created  int64  `json:"created_ms"` // since 1970, UTC
	Expires  int64  `json:"expires_ms"`
	Keep     int64  `json:"keep_ms"`
	Used     bool   `json:"used"`
}

// Save writes every verification that is not forgotten to path, replacing the file whole; only its
// owner may read it.
func (c *Codes) Save(path string) error {
	if err := writeCodes(path, c.saved()); err != nil {
		return fmt.Errorf("save codes: %w", err)
	}
	return nil
}

func (c *Codes) saved() []savedCode {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	var all []savedCode
	for _, v := range c.byID {
		if now.Before(v.forget()) {
			all = append(all, v.saved())
		}
	}
	return all
}

func writeCodes(path string, all []savedCode) error {
	file, err := renameio.NewPendingFile(path, renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = file.Cleanup() }() // nothing is left of a file that was not finished
	buffered := bufio.NewWriter(file)
	enc := json.NewEncoder(buffered)
	if err := enc.Encode(codesHeader{codesFormat, codesVersion, len(all)}); err != nil {
		return err
	}
	for _, s := range all {
		if err := enc.Encode(s); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}

func (v *verification) saved() savedCode {
	r := v.at(time.Time{})
	return savedCode{
		ID: v.id, App: r.App, Scene: r.Scene, Code: r.Code[:], Phone: r.Phone[:],
		Length: r.Length, Attempts: r.AttemptsLeft, Sealed: r.Sealed, Used: r.Used,
		Created: r.CreatedAt.UnixMilli(), Expires: r.ExpiresAt.UnixMilli(), Keep: v.keep.Milliseconds(),
	}
}
