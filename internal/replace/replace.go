// Package replace replaces a file as a whole: a reader finds all of the old content or all of the new.
//
// Package workspace resolves the path. Everything is done through the [os.Root] that confines the file, or one opened
// below it, so a link that is swapped meanwhile does not lead out.
package replace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spillway-go/spillway/internal/workspace"
)

// writeChunk is the number of bytes that are written between two checks of the context.
const writeChunk = 1 << 20

var (
	// errNotKept is the error for a copy that cannot have the owner or an attribute of the replaced file.
	errNotKept = errors.New("the copy differs")
	// errSwapped is the error for a file that was replaced after it was examined.
	errSwapped = errors.New("another file has taken its place meanwhile")
)

// Replace replaces the content of the target. If there is no file, it makes one, with missing directories. A reader
// finds all of the old content or all of the new, even after a crash: the new content is written to a temporary file
// beside the target, which is then renamed. Mode, owner, group, ACL (on Linux) and extended attributes stay; a new
// file gets the system's defaults.
//
// A file with several hard links, or whose owner, group or attributes the new file may not have, is written in place
// instead: a reader may then find part of it, also after a crash.
//
// Replace examines the target anew, which may have changed since [workspace.Workspace.Target]. The error is a
// [workspace.KindError] if it is no longer a regular file, and fs.ErrPermission if it may not be written, even if its
// directory would let it be replaced. Other errors are those of the file system, in an [fs.PathError] with the path.
//
// After an error the file is as before, and nothing new is left. The one exception is a file written in place, which
// may be a mixture after an error while its old bytes are overwritten. A full disk is noticed before that, except on
// file systems that copy on write. ctx is checked only while everything can be undone.
func (t Target) Replace(ctx context.Context, content []byte) error {
	s, err := At(t.Target).Stage(ctx, content) // concurrent calls each need a temporary file of their own
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Commit(ctx)
}

// replaceable describes the named file. It returns nil if there is none, and an error if it may not be replaced.
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

func (s *Staged) writeTemp(ctx context.Context) error {
	// Other users must not read it before it has the owner and the mode of the old file. The umask and the directory
	// decide the mode of a new file.
	perm := fs.FileMode(0o600)
	if s.old == nil {
		perm = 0o666
	}
	f, err := s.dir.OpenFile(s.target.temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY|workspace.OpenFlags, perm)
	if err != nil {
		return err
	}
	steps := []func() error{func() error { return writeAt(ctx, f, s.content, 0) }}
	if s.old != nil { // the mode comes after the owner, because changing the owner clears the setuid bit
		steps = append(steps,
			func() error { return copyOwner(f, s.old) },
			func() error { return copyAttributes(ctx, s.dir, s.name, f) },
			func() error { return f.Chmod(s.old.Mode()) })
	}
	// Closed first, because Windows does not rename open files.
	steps = append(steps, func() error { return cmp.Or(f.Sync(), f.Close()) })
	for _, step := range steps {
		if err = ctx.Err(); err == nil {
			err = step()
		}
		if err != nil {
			f.Close()
			s.dir.Remove(s.target.temp)
			return err
		}
	}
	return nil
}

func (s *Staged) overwrite(ctx context.Context) error {
	f, err := s.dir.OpenFile(s.name, os.O_WRONLY|workspace.OpenFlags, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(now, s.old) {
		return errSwapped
	}
	if err := s.extend(ctx, f, now.Size()); err != nil {
		return err
	}
	// From here on nothing can be undone. The disk has room for the rest.
	if _, err = f.WriteAt(s.content[:min(now.Size(), int64(len(s.content)))], 0); err != nil {
		return err
	}
	if err := f.Truncate(int64(len(s.content))); err != nil {
		return err
	}
	if s.old.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		f.Chmod(s.old.Mode()) // writing clears these bits; an error means that the system does not let us set them
	}
	return f.Sync()
}

// extend writes the part of the content beyond the end of the old one. If the disk is full, which some file systems
// report only when they sync, it cuts the file to its old size, and nothing is lost.
func (s *Staged) extend(ctx context.Context, f *os.File, size int64) error {
	err := ctx.Err()
	if err != nil || size >= int64(len(s.content)) {
		return err
	}
	if err = writeAt(ctx, f, s.content[size:], size); err == nil {
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
