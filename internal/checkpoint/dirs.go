package checkpoint

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// dirs opens the directories of a walk, each from the one that it is in. From the root, one takes as many system calls
// as its path has elements: a look at 2,000 directories in each other took 20 seconds.
type dirs struct {
	root *os.Root
	open func(in *os.Root, name string) (*os.Root, error)
	held []heldDir // each in the one before
}

// heldDir is an open directory. Its name ends in a slash.
type heldDir struct {
	name string
	dir  *os.Root
}

// maxHeldDirs is how many directories are open: of a deep tree the deepest, to which a walk comes back first.
const maxHeldDirs = 32

func newDirs(root *os.Root) *dirs {
	return &dirs{root: root, open: func(in *os.Root, name string) (*os.Root, error) {
		return workspace.OpenRoot(in.OpenRoot, name)
	}}
}

// of returns the directory of a path, and the path's last element. The directory is open until the next call.
func (d *dirs) of(name string) (dir *os.Root, base string, err error) {
	above, base := path.Split(name)
	for n := len(d.held); n > 0 && !strings.HasPrefix(above, d.held[n-1].name); n-- {
		d.held[n-1].dir.Close()
		d.held = d.held[:n-1]
	}
	dir, have := d.root, 0
	if n := len(d.held); n > 0 {
		dir, have = d.held[n-1].dir, len(d.held[n-1].name)
	}
	for have < len(above) {
		end := have + strings.IndexByte(above[have:], '/')
		if dir, err = d.open(dir, above[have:end]); err != nil {
			return nil, "", err
		}
		if len(d.held) == maxHeldDirs {
			d.held[0].dir.Close()
			d.held = slices.Delete(d.held, 0, 1)
		}
		have = end + 1
		d.held = append(d.held, heldDir{above[:have], dir})
	}
	return dir, base, nil
}

func (d *dirs) close() {
	for _, h := range d.held {
		h.dir.Close()
	}
	d.held = nil
}
