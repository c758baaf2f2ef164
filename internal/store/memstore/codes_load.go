package memstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"smsd/internal/sms"
)

// Load adds what Save wrote, and removes the file: were it read a second time, after a crash, codes
// used meanwhile would work again. A file that is missing is no error. One that is damaged, or holds
// more than there is room for, is an error; then nothing was added and the file stays.
func (c *Codes) Load(path string) error {
	all, err := readCodes(path, c.max)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = c.restore(path, all)
	}
	if err != nil {
		return fmt.Errorf("load codes: %w", err)
	}
	return nil
}

func (c *Codes) restore(path string, all []*verification) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.byID)+len(all) > c.max {
		return fmt.Errorf("%s: %d verifications and %d in memory are more than %d", path, len(all), len(c.byID), c.max)
	}
	if err := removeForGood(path); err != nil {
		return err
	}
	for _, v := range all {
		if c.byID[v.id] == nil {
			c.add(v)
		}
	}
	return nil
}

// removeForGood also syncs the folder, so that a power cut does not bring the file back.
func removeForGood(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	return folder.Sync()
}

func readCodes(path string, most int) (all []*verification, err error) {
	err = codesFile.read(path, most, func(s savedCode) error {
		v, err := s.verification()
		all = append(all, v)
		return err
	})
	return all, err
}

func (s savedCode) verification() (*verification, error) {
	var code, phone sms.Hash
	if copy(code[:], s.Code) != len(code) || copy(phone[:], s.Phone) != len(phone) {
		return nil, errors.New("a hash is too short")
	}
	return &verification{id: s.ID, keep: time.Duration(s.Keep) * time.Millisecond, record: sms.Record{
		App: s.App, Scene: s.Scene, Code: code, Phone: phone,
		Length: s.Length, AttemptsLeft: s.Attempts, Sealed: s.Sealed, Used: s.Used,
		CreatedAt: time.UnixMilli(s.Created).UTC(), ExpiresAt: time.UnixMilli(s.Expires).UTC(),
	}}, nil
}
