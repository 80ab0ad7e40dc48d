package replace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/workspace"
)

const tempPrefix = ".spillway-"

var tempName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.spillway-[A-Z2-7]{26}\.tmp$`) })

// NewTemp returns a new name for a temporary file: 26 characters of base 32 (130 random bits) between tempPrefix and
// ".tmp".
func NewTemp() string { return tempPrefix + rand.Text() + ".tmp" }

// IsTemp reports whether a name is one that [NewTemp] returns.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && tempName().MatchString(name)
}

// Target is the place of a file, with the name of a temporary file beside it.
type Target struct {
	workspace.Target
	root *os.Root // confines rel
	rel  string
	temp string
}

func At(place workspace.Target) Target {
	root, rel := place.Confined()
	return Target{place, root, rel, NewTemp()}
}

// Temp returns the absolute path of the temporary file that a change makes. If the process is killed meanwhile, the
// file stays, and [RemoveTemp] removes it.
func (t Target) Temp() string { return filepath.Join(filepath.Dir(t.Abs), t.temp) }

// RemoveTemp removes the file of a path from [Target.Temp], if it exists. It removes no other file.
func RemoveTemp(w *workspace.Workspace, path string) error {
	place, err := w.Target(path)
	if err != nil || place.Info == nil {
		return err
	}
	t := At(place)
	if !IsTemp(filepath.Base(t.rel)) {
		return t.failed("remove", fs.ErrPermission)
	}
	return t.failed("remove", t.root.Remove(t.rel))
}

// Lstat describes what is there now. It does not follow links that are newer than the target.
func (t Target) Lstat() (fs.FileInfo, error) {
	info, err := t.root.Lstat(t.rel)
	if err != nil {
		return nil, t.failed("lstat", err)
	}
	return info, nil
}

// Check returns the error that [Target.Stage] or [Target.StageRemoval] would return, as far as that is known without
// making anything.
func (t Target) Check(removal bool) error {
	op := "write"
	if removal {
		op = "remove"
	}
	dir, err := workspace.OpenRoot(t.root.OpenRoot, filepath.Dir(t.rel))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !removal:
		return nil // the directory would be made
	case err != nil:
		return t.failed(op, err)
	}
	defer dir.Close()
	info, err := replaceable(dir, filepath.Base(t.rel))
	if err == nil && info == nil && removal {
		err = fs.ErrNotExist
	}
	return t.failed(op, err)
}

// failed returns the error of an operation, with the target's path in place of those of system calls.
func (t Target) failed(op string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	} else if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	if kind, ok := errors.AsType[*workspace.KindError](err); ok {
		return &workspace.KindError{Path: t.Name, Mode: kind.Mode, Err: kind.Err}
	}
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: t.Name, Err: err}
}
