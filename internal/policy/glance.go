package policy

import (
	"os"
	"syscall"
)

// glance is what a file looked like from outside when it was last looked at: far cheaper than reading it.
type glance struct {
	info   os.FileInfo // nil: it could not be opened
	looked bool
}

// changed looks at the file, and says whether it looks otherwise than before; at first it does.
func (g *glance) changed(path string) bool {
	was := *g
	g.info, g.looked = look(path), true
	switch {
	case !was.looked:
		return true
	case was.info == nil || g.info == nil:
		return was.info != nil || g.info != nil
	}
	return !os.SameFile(was.info, g.info) || was.info.Size() != g.info.Size() || !was.info.ModTime().Equal(g.info.ModTime())
}

// look opens the file, as [ReadFile] does, and reads nothing of it. A network file system answers from its cache, seconds
// old, who asks by the name alone; it asks its server about a file that is opened (NFS: close-to-open).
func look(path string) os.FileInfo {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}
