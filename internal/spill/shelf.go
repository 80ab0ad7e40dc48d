package spill

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Shelve keeps a text in a file and returns its absolute path. A text that is kept already stays in its file, which
// then counts as new. The name comes from a hash of the text, so that no memory is needed and other processes find it
// too; the content is compared, because anyone may have written the file.
func (d *Dir) Shelve(text string) (path string, err error) {
	d.shelving.Lock()
	defer d.shelving.Unlock()
	hash := sha256.Sum256([]byte(text))
	for try := range createTries {
		id := idOf(hash[:])
		if !isMixed(id) {
			hash = sha256.Sum256(hash[:])
			continue
		}
		base := result + "-" + id + resultEnding
		path, err = d.shelve(base, text)
		switch {
		case err == nil:
			return path, nil
		case errors.Is(err, lock.ErrBusy) && try < createTries/2:
			time.Sleep(time.Millisecond) // for a sweep that removes the file, or a process that renews it
		case errors.Is(err, errTaken), errors.Is(err, lock.ErrBusy):
			hash = sha256.Sum256(hash[:])
		case !isGone(err):
			return "", reason(err)
		}
	}
	return "", reason(err)
}

// Renew gives a kept file the age of a new one, and returns its size. The file may still be in use by a writer.
func (d *Dir) Renew(base string) (size int64, err error) {
	root, err := d.enter(false)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	info, err := root.Lstat(base)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() || !isOwn(base) {
		return 0, fs.ErrNotExist
	}
	f, _, err := workspace.OpenRegular(root.OpenFile, base)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := lock.Take(root, base, f); err != nil && !errors.Is(err, lock.ErrBusy) {
		return 0, err
	}
	touch(root, base)
	return info.Size(), nil
}

// shelve keeps a text under a name. The error is errTaken if another text has the name.
func (d *Dir) shelve(base, text string) (path string, err error) {
	root, err := d.Open()
	if err != nil {
		return "", err
	}
	switch err := renew(root, base, text); {
	case err == nil:
		d.keeper.protect(base)
		return filepath.Join(d.path, base), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	f, err := createNew(root, base)
	if err != nil {
		if isGone(err) && !errors.Is(err, errTaken) {
			d.forget(root)
		}
		return "", err
	}
	w := &Writer{dir: d, with: &group{}, file: f, base: base}
	defer w.Close()
	w.Write([]byte(text))
	return w.Keep()
}

// renew gives the file of that name the age of a new one if it has the text. The error is errTaken if it has another,
// and lock.ErrBusy if a sweep is about to remove it.
func renew(root *os.Root, base, text string) error {
	info, err := root.Lstat(base)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
		return errTaken
	}
	f, _, err := workspace.OpenRegular(root.OpenFile, base)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := lock.Take(root, base, f); err != nil {
		return err
	}
	held, err := io.ReadAll(io.LimitReader(f, int64(len(text))+1))
	if err != nil {
		return err
	}
	if string(held) != text {
		return errTaken
	}
	touch(root, base)
	return nil
}

// touch renews the time of a file. If that fails, for example on a read-only disk, the file is still there.
func touch(root *os.Root, base string) {
	now := time.Now()
	root.Chtimes(base, now, now)
}

// protect makes an existing file the last kept one.
func (k *keeper) protect(base string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = &group{names: []string{base}}
}

// OpenOutput opens a full output by its name: of a command, a job or a tool, or a shelved result. A job may still
// write to it. For any other name, such as that of a copy of a changed file, the error is [fs.ErrNotExist].
func (d *Dir) OpenOutput(base string) (*os.File, error) {
	if !isOwn(base) || strings.HasPrefix(base, Undo+"-") || strings.HasSuffix(base, unfinished) {
		return nil, fs.ErrNotExist
	}
	f, _, err := d.OpenKept(base)
	return f, err
}
