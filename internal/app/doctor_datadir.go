package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"smsd/internal/config"
	"smsd/internal/records"
	"smsd/internal/store/memstore"
	"smsd/internal/store/redisstore"
)

// examineDataDir looks at the folder as the start would find it.
func examineDataDir(cfg *config.Config) []Checked {
	d := &dataDir{path: cfg.DataDir}
	all := []Checked{d.checked("folder", d.writable, "an instance may write there")}
	if cfg.Embedded() {
		all = append([]Checked{here("stores", redisstore.OK, "counters and codes are in the process, and here between two runs", "")}, all...)
		all = append(all, d.examineStores()...)
	}
	all = append(all, d.checked("records", d.recordsWhole, "no rows are set aside, and no file is damaged"))
	if len(cfg.Secrets) == 0 {
		all = append(all, d.checked("secret", d.secretReadable, "it can be read, or will be made"))
	}
	return all
}

// examineStores looks at what an instance without Redis keeps. While an instance runs, the files are its own: so without the
// lock, for whatever reason, they are left alone.
func (d *dataDir) examineStores() []Checked {
	lock := d.checked("lock", d.lockFree, "no other smsd uses the folder")
	if lock.State != redisstore.OK {
		return []Checked{lock, here("files", redisstore.Skipped, "only who holds the lock may look at them", "")}
	}
	return []Checked{
		lock,
		d.checked("counters", d.countersReadable, "those kept can be read, or there are none"),
		d.checked("codes", d.codesReadable, "those kept can be read, or there are none"),
	}
}

// toDo is a fault, and what to do about it.
type toDo struct {
	error
	do string
}

// checked makes one check.
func (d *dataDir) checked(name string, check func() error, seen string) Checked {
	err := check()
	if err == nil {
		return here(name, redisstore.OK, fmt.Sprintf("%s: %s", d.path, seen), "")
	}
	do := "see that smsd's user may read and write the folder, or name another one (SMSD_DATA_DIR)"
	if known, ok := errors.AsType[toDo](err); ok {
		do = known.do
	}
	return here(name, redisstore.Finding, err.Error(), do)
}

func here(name string, state redisstore.State, seen, do string) Checked {
	return Checked{"data_dir", redisstore.Checked{Check: name, State: state, Seen: seen, Do: do}}
}

// writable makes and removes a file in the folder, or in what the folder would be made in.
func (d *dataDir) writable() error {
	path, err := filepath.Abs(d.path)
	if err != nil {
		return err
	}
	for {
		_, err := os.Stat(path)
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	f, err := os.CreateTemp(path, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// lockFree takes the lock of the folder for an instant, unless there is none yet.
func (d *dataDir) lockFree() error {
	f, err := os.OpenFile(filepath.Join(d.path, "lock"), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := lockFile(f); !errors.Is(err, errLocked) {
		return err
	}
	return toDo{fmt.Errorf("%s is in use by another smsd: a second one does not start", d.path),
		"nothing, if that is the instance you mean; else give this one a folder of its own (SMSD_DATA_DIR)"}
}

func (d *dataDir) countersReadable() error {
	return movable(memstore.NewCounters(memstore.Options{}).Load(d.counters()))
}

// codesReadable reads the codes under a second name, since the file is gone once it was read.
func (d *dataDir) codesReadable() error {
	if _, err := os.Stat(d.codes()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	folder, err := os.MkdirTemp(d.path, ".doctor-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	second := filepath.Join(folder, "codes")
	if err := os.Link(d.codes(), second); err != nil {
		return err
	}
	err = memstore.NewCodes(memstore.Options{}).Load(second)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), second, d.codes()))
	}
	return movable(err)
}

func movable(err error) error {
	if err == nil {
		return nil
	}
	return toDo{err, "move the file away to begin without it"}
}

// recordsWhole finds what waits for somebody.
func (d *dataDir) recordsWhole() error {
	left, err := records.LookIn(d.path)
	switch {
	case err != nil:
		return err
	case len(left.Aside) > 0:
		return toDo{fmt.Errorf("the database refused rows, which are in %s", filepath.Dir(left.Aside[0])),
			"mend what the log names and start smsd again, which tries them again, or remove the files"}
	case len(left.Damaged) > 0:
		return toDo{fmt.Errorf("some rows of %s could not be read", left.Damaged[0]), "look at the disk, and remove the file when nobody needs it"}
	}
	return nil
}

func (d *dataDir) secretReadable() error {
	_, err := readSecret(filepath.Join(d.path, "secret"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
