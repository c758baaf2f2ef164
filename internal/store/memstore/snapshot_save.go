package memstore

import (
	"bufio"
	"encoding/json"
	"fmt"

	"github.com/google/renameio/v2"
)

// Save writes every counter that may still matter to path, replacing the file whole; only its owner may
// read it.
func (c *Counters) Save(path string) error {
	if err := writeSnapshot(path, c.saved()); err != nil {
		return fmt.Errorf("save counters: %w", err)
	}
	return nil
}

func (c *Counters) saved() []savedKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	var all []savedKey
	for _, s := range c.keys {
		if s.expires > now {
			all = append(all, s.saved())
		}
	}
	return all
}

func writeSnapshot(path string, all []savedKey) error {
	file, err := renameio.NewPendingFile(path, renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = file.Cleanup() }() // nothing is left of a file that was not finished
	buffered := bufio.NewWriter(file)
	enc := json.NewEncoder(buffered)
	if err := enc.Encode(snapshotHeader{snapshotFormat, snapshotVersion, len(all)}); err != nil {
		return err
	}
	for _, k := range all {
		if err := enc.Encode(k); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}
