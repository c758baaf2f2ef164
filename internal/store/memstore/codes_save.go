package memstore

import (
	"fmt"
	"time"
)

// codesFile is what Save writes and Load reads.
var codesFile = lines[savedCode]{format: "smsd codes", version: 1}

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
	if err := codesFile.write(path, c.saved()); err != nil {
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

func (v *verification) saved() savedCode {
	r := v.at(time.Time{})
	return savedCode{
		ID: v.id, App: r.App, Scene: r.Scene, Code: r.Code[:], Phone: r.Phone[:],
		Length: r.Length, Attempts: r.AttemptsLeft, Sealed: r.Sealed, Used: r.Used,
		Created: r.CreatedAt.UnixMilli(), Expires: r.ExpiresAt.UnixMilli(), Keep: v.keep.Milliseconds(),
	}
}
