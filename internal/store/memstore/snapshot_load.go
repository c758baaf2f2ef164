package memstore

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Load takes over what Save wrote, but for what has expired; what is there already stays. The file stays
// too: after a crash, counts of the last clean stop are nearer the truth than none. A file that is missing
// is no error; one that is damaged, foreign, or holds more than there is room for is one that
// names it, and nothing was taken over.
func (c *Counters) Load(path string) error {
	all, err := readSnapshot(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = c.restore(all)
	}
	if err != nil {
		return fmt.Errorf("load counters: %s: %w", path, err)
	}
	return nil
}

func (c *Counters) restore(all []*state) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, fresh, shadows := c.read(), 0, 0
	for _, s := range all {
		if s.shadow {
			shadows++
		} else {
			fresh++
		}
	}
	if err := c.makeRoom(fresh, now); err != nil || c.shadows+shadows > c.maxShadows() {
		return fmt.Errorf("%d keys and %d of shadow rules are more than fit", fresh, shadows)
	}
	for _, s := range all {
		if s.expires > now && c.keys[s.key] == nil {
			s.expires = min(s.expires, now+s.ttl) // the clock may have stepped back
			c.add(s)
		}
	}
	return nil
}

func readSnapshot(path string) ([]*state, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	dec := json.NewDecoder(bufio.NewReader(file))
	var head snapshotHeader
	if err := dec.Decode(&head); err != nil {
		return nil, err
	}
	if head.Format != snapshotFormat || head.Version != snapshotVersion {
		return nil, fmt.Errorf("format %q version %d is not known", head.Format, head.Version)
	}
	if head.Count < 0 {
		return nil, fmt.Errorf("holds %d keys", head.Count)
	}
	return readKeys(dec, head.Count)
}

func readKeys(dec *json.Decoder, count int) ([]*state, error) {
	var all []*state
	for n := 1; n <= count; n++ {
		var k savedKey
		if err := dec.Decode(&k); err != nil {
			return nil, fmt.Errorf("key %d: %w", n, err)
		}
		s, whole := k.state()
		if !whole {
			return nil, fmt.Errorf("key %d: not as a key can be", n)
		}
		all = append(all, s)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more follows key %d", count)
	}
	return all, nil
}
