// Package replace replaces a file as a whole: a reader finds all of the old content or all of
// the new.
//
// Where the file is, package workspace finds out. Everything is done through the [os.Root] that
// confines the file, or one opened below it, so no link that is swapped meanwhile leads out.
package replace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spillway-go/spillway/internal/workspace"
)

// writeChunk is the number of bytes that are written between two looks at the context.
const writeChunk = 1 << 20

var (
	// errNotKept is the error for a copy that cannot have the owner or an attribute of the
	// file that it is to replace.
	errNotKept = errors.New("the copy differs")
	// errSwapped is the error for a file that is no longer the one that was looked at.
	errSwapped = errors.New("another file has taken its place meanwhile")
)

// Replace makes content all that the target holds. If there is no file, it makes one, and
// the directories that are missing. A reader finds all of the old content or all of the
// new, also after a crash: the new one is written to a temporary file beside the
// target, which then takes its name. Mode, owner, group, ACL (on Linux) and
// extended attributes stay; a new file has those that any program's would have.
//
// A file that has several names (hard links), or whose owner, group or attributes the new
// file is not allowed to have, is written in place instead: a reader, or a crash, may
// then find a part of it.
//
// Replace looks anew at what there is, which may be another file than the one that
// [workspace.Workspace.Target] found. What is no longer a regular file is a
// [workspace.KindError]. A file that may not be written is fs.ErrPermission, also where its
// directory would let it be replaced. Other errors are those of the file system, in an
// [fs.PathError] with the path.
//
// After an error the file is as it was, and nothing new is left. The one exception is a
// file written in place: an error while its old bytes are overwritten leaves a mixture. A full
// disk is noticed before that, but on file systems that copy on write. ctx is looked at
// only as long as everything can be undone.
func (t Target) Replace(ctx context.Context, content []byte) error {
	t.temp = newTempName() // of one target, several calls may replace the file at once
	s, err := t.Stage(ctx, content)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Commit(ctx)
}

// replacement is the work of one Replace.
type replacement struct {
	dir     *os.Root
	name    string
	content []byte
	old     fs.FileInfo // of the file that is replaced, or nil
	temp    string
	file    *os.File // of that name
}

// replaceable returns what describes the file of a name, or nil if there is none. The error
// says why it may not be replaced.
func replaceable(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &workspace.KindError{Path: name, Mode: info.Mode(), Err: workspace.ErrNotRegular}
	}
	return info, mayWrite(dir, name, info)
}

// prepare makes the file that is to take the place of the old one.
func (r *replacement) prepare(ctx context.Context) error {
	// Nobody else may read it before it has the owner and the mode of the old file. A new file
	// has the mode that the umask and its directory give it.
	perm := fs.FileMode(0o600)
	if r.old == nil {
		perm = 0o666
	}
	var err error
	if r.file, err = r.dir.OpenFile(r.temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY|workspace.OpenFlags, perm); err != nil {
		return err
	}
	steps := []func() error{func() error { return writeAt(ctx, r.file, r.content, 0) }}
	if r.old != nil { // the mode after the owner, because a change of that clears the setuid bit
		steps = append(steps,
			func() error { return copyOwner(r.file, r.old) },
			func() error { return copyAttributes(ctx, r.dir, r.name, r.file) },
			func() error { return r.file.Chmod(r.old.Mode()) })
	}
	// Windows renames no file that is open.
	steps = append(steps, func() error { return cmp.Or(r.file.Sync(), r.file.Close()) })
	for _, step := range steps {
		if err = ctx.Err(); err == nil {
			err = step()
		}
		if err != nil {
			r.file.Close()
			r.dir.Remove(r.temp)
			return err
		}
	}
	return nil
}

// overwrite writes the content into the file that is there.
func (r *replacement) overwrite(ctx context.Context) error {
	f, err := r.dir.OpenFile(r.name, os.O_WRONLY|workspace.OpenFlags, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(now, r.old) {
		return errSwapped
	}
	if err := r.extend(ctx, f, now.Size()); err != nil {
		return err
	}
	// From here on there is no way back. The room for what is written is there.
	if _, err = f.WriteAt(r.content[:min(now.Size(), int64(len(r.content)))], 0); err != nil {
		return err
	}
	if err := f.Truncate(int64(len(r.content))); err != nil {
		return err
	}
	if r.old.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		f.Chmod(r.old.Mode()) // writing clears these bits, and the system decides who may set them
	}
	return f.Sync()
}

// extend writes what goes beyond the end of the old content. If there is no room for it, the
// file is cut to its old size and nothing is lost. Some file systems notice that only in
// a sync.
func (r *replacement) extend(ctx context.Context, f *os.File, size int64) error {
	err := ctx.Err()
	if err != nil || size >= int64(len(r.content)) {
		return err
	}
	if err = writeAt(ctx, f, r.content[size:], size); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		f.Truncate(size)
	}
	return err
}

func writeAt(ctx context.Context, f *os.File, content []byte, at int64) error {
	for len(content) > 0 {
		n := min(len(content), writeChunk)
		if _, err := f.WriteAt(content[:n], at); err != nil {
			return err
		}
		content, at = content[n:], at+int64(n)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
