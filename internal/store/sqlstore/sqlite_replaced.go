package sqlstore

import (
	"fmt"
	"os"
)

// still says whether the file of this name is the one that was opened. SQLite does not notice that its file was removed, or that
// another one has its name: it goes on with the one that it has open, which is gone when the process ends. A connection that it
// makes later is to the new one.
func (f sqliteFile) still(opened os.FileInfo) error {
	now, err := os.Stat(string(f))
	if err == nil && os.SameFile(opened, now) {
		return nil
	}
	return fmt.Errorf("%w: %s was removed or replaced while it is in use: stop, put back the one that is meant, and start again", ErrUnavailable, f)
}
