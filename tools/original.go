package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

// original is a file that a call is to change, or the place for one.
type original struct {
	workspace.Target               // Name to show; Info is nil if there is no file
	content          []byte        // all of its bytes, as they are
	kind             textfile.Info // what they are
	changed          bool          // they are not what this suite has last shown or written
	known            *seen.Version // what that was, or nil
	sum              seen.Sum
}

// open looks at a file, or at the place for one. With what earlier opens hold, the
// content is bounded.
func (t *turn) open(ctx context.Context, name string) (*original, error) {
	s := t.suite
	if t.opened++; t.opened > maxOpened {
		return nil, errorf(CodeTooLarge, "a call changes at most %d files. Make several calls", maxOpened)
	}
	target, err := s.target(ctx, name)
	if err != nil {
		return nil, err
	}
	o := &original{Target: target}
	if o.Info != nil {
		if err := t.load(o, name); err != nil {
			return nil, err
		}
		o.sum = seen.SumOf(o.content)
	}
	o.known = s.lastSeen(o, name)
	o.changed = o.known != nil && !o.known.Is(o.sum, o.Info)
	return o, nil
}

// target finds the place that a path means.
func (s *Suite) target(ctx context.Context, name string) (workspace.Target, error) {
	if err := ctx.Err(); err != nil {
		return workspace.Target{}, failure(err, name)
	}
	target, err := s.ws.Target(name)
	switch {
	case err != nil && s.ws.Gone():
		return target, errorf(CodeNotFound, "%s", goneMessage)
	case err != nil:
		return target, unchanged(err, name)
	}
	return target, nil
}

// load reads the file.
func (t *turn) load(o *original, name string) error {
	f, info, err := o.OpenFile()
	if err != nil {
		return unchanged(err, name)
	}
	defer f.Close()
	if most := t.suite.cfg.MaxFileBytes; info.Size() > most {
		return errorf(CodeTooLarge, "%s is %s, over the limit of %s for files that are changed here", show(o.Name), notice.FileSize(info.Size()), notice.FileSize(most))
	}
	if t.bytes += info.Size(); t.opened > 1 && t.bytes > maxOpenedBytes {
		return errorf(CodeTooLarge, "the files of one call are over %s together. Make several calls", notice.FileSize(maxOpenedBytes))
	}
	o.content = make([]byte, info.Size())
	if _, err := io.ReadFull(f, o.content); err != nil {
		return unchanged(err, name)
	}
	o.kind = sniffed(o.content)
	o.Info = info
	return nil
}

// lastSeen returns what this suite has last shown or written of a file, or nil. A file that was
// read by a link is remembered by that.
func (s *Suite) lastSeen(o *original, name string) *seen.Version {
	paths := []string{o.Abs}
	if p, err := s.ws.Resolve(name); err == nil && p.Abs != o.Abs {
		paths = append(paths, p.Abs)
	}
	return s.seen.Latest(paths...)
}

// glimpsed remembers the files that grep has shown lines of, unless more is known of them.
func (s *Suite) glimpsed(lines []GrepLine) {
	last := ""
	for _, l := range lines {
		if l.Path == last || l.Line == 0 {
			continue
		}
		last = l.Path
		path, err := s.ws.Resolve(workspace.Quote(l.Path))
		if err != nil || s.seen.Latest(path.Abs) != nil {
			continue
		}
		if info, err := path.Stat(); err == nil {
			s.seen.Put(path.Abs, seen.Glimpsed(info))
		}
	}
}

// textOf returns the text of a file in UTF-8, without a byte order mark.
func textOf(content []byte) []byte {
	info := sniffed(content)
	if info.Binary || info.Encoding == textfile.UTF8 {
		return content
	}
	var text bytes.Buffer
	text.Grow(len(content)*3/2 + bytes.MinRead) // the most that UTF-16 needs
	text.ReadFrom(info.Reader(bytes.NewReader(content)))
	return text.Bytes()
}

func sniffed(content []byte) textfile.Info {
	return textfile.Sniff(content[:min(len(content), textfile.SniffLen)])
}

// mayChange returns nil, or the error for a file that was never shown, if the suite wants that.
func (t *turn) mayChange(o *original) error {
	if t.suite.cfg.Edit.RequireRead && o.Info != nil && o.known == nil {
		return errorf(CodeStale, "%s was not read yet, and nothing was changed. Read it, then make the call again", show(o.Name))
	}
	return nil
}

// stale returns the error for a file that has changed since it was last shown, with the text to show
// beside it: what has changed. From then on that counts as shown.
func (t *turn) stale(o *original, b *Bounds) (text string, err error) {
	const since = "%s has changed since it was last shown or written here, and was left alone. "
	name := show(o.Name)
	switch {
	case o.Info == nil:
		t.suite.seen.Put(o.Abs, seen.Version{})
		return "", errorf(CodeStale, since+"It does not exist any more. Make the call again to create it", name)
	case o.known.Content == nil || o.kind.Binary:
		return "", errorf(CodeStale, since+"Read it, then make the call again", name)
	}
	changes := diff.New(textOf(o.known.Content), textOf(o.content))
	text = t.report(b, "", FileChange{Path: o.Name, diff: changes})
	if changes.Large || b.Truncated || b.linesCut {
		return text, errorf(CodeStale, since+"Some of what has changed follows. Read it, then make the call again", name)
	}
	t.suite.seen.Put(o.Abs, seen.Version{Sum: o.sum, Content: o.content})
	return text, errorf(CodeStale, since+"What has changed follows. Make the call again with that in mind", name)
}

// asOpened returns an error if the file is not the one that was opened.
func (o *original) asOpened() error {
	now, err := o.Lstat()
	switch {
	case o.Info == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case o.Info != nil && errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case o.Info != nil && textfile.Unchanged(o.Info, now):
		return nil
	}
	return errorf(CodeStale, "%s was changed by another program just now, and was left alone. Make the call again", show(o.Name))
}

// unchanged is failure for a file that could not be changed.
func unchanged(err error, path string) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, workspace.ErrOwn):
		return &Error{CodePermissionDenied, show(path) + " is where this suite keeps its own files. Use another path", err, nil}
	case errors.Is(err, fs.ErrPermission):
		return &Error{CodePermissionDenied, show(path) + " may not be written; nothing was changed. See its mode and owner with ls -l, or write another file", err, nil}
	case errors.Is(err, syscall.ENOTDIR):
		return &Error{CodeNotADirectory, show(path) + " leads through a file as if that were a directory. Use another path", err, nil}
	case errors.Is(err, syscall.EISDIR): // there is nothing, and the path ends in a slash
		return &Error{CodeNotAFile, show(path) + " can only be a directory. Give the path of a file", err, nil}
	case errors.Is(err, syscall.EROFS):
		return &Error{CodePermissionDenied, show(path) + " is on a file system that may only be read. Write another file", err, nil}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &Error{CodeIOError, fmt.Sprintf("no room on the disk for %s; nothing was changed. Remove files that are not needed, then try again", show(path)), err, nil}
	}
	return failure(err, path)
}
