package spill

import (
	"io/fs"
	"os"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// OpenOutput opens a full output by its name: of a command, a job or a tool, or a result that was shelved. A job may
// still write to it. For every other name, as that of a copy of a file that was changed, the error is [fs.ErrNotExist].
func (d *Dir) OpenOutput(base string) (*os.File, error) {
	if !isOwn(base) || strings.HasPrefix(base, Undo+"-") || strings.HasSuffix(base, unfinished) {
		return nil, fs.ErrNotExist
	}
	root, err := d.enter(false)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, _, err := workspace.OpenPlain(root, base)
	return f, err
}
