package change

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
)

// maxHistory is the number of changes that Restore can undo. Copies of older ones stay on disk.
const maxHistory = 1000

// undo is what Restore needs to know about a change.
type undo struct {
	copied    string   // the name of the copy
	name, abs string   // of the file
	before    seen.Sum // of the old content, because commands can write to the copy
	after     seen.Sum // of the new content
}

// Journal records the last changes of a workspace for Restore. Its zero value is ready.
type Journal struct {
	changing lock.Mutex // held while a call changes files

	mu   sync.Mutex
	last []undo // oldest first
}

func (h *Journal) add(u undo) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = append(h.last, u)
	if n := len(h.last) - maxHistory; n > 0 {
		h.last = slices.Delete(h.last, 0, n)
	}
}

func (h *Journal) find(copied string) (undo, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.last, func(u undo) bool { return u.copied == copied })
	if i < 0 {
		return undo{}, false
	}
	return h.last[i], true
}

// Copies are copies of old contents in the spill directory that belong together, so that none is removed to make room
// for another. The zero value has none.
type Copies struct{ last *spill.Writer }

func (c *Copies) keep(ctx context.Context, dir *spill.Dir, content []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	w := dir.NewWriter(spill.Undo)
	if c.last != nil {
		w = c.last.Beside(spill.Undo)
	}
	c.last = w
	w.Spill() // otherwise it would hold a second copy
	w.Write(content)
	path, err := w.Keep()
	return filepath.Base(path), err
}

func (s *Set) keep(ctx context.Context, f *File) (string, error) {
	name, err := s.kept.keep(ctx, s.files.Spill, f.Content)
	if err != nil && ctx.Err() == nil {
		err = s.files.notKept(err)
	}
	return name, err
}

// Past is a file that was changed by something other than a tool's call.
type Past struct {
	Name, Abs     string
	Before, After []byte // the old and the new content
	Gone          bool   // it no longer exists
}

// Keep keeps an old content so that Restore can put it back, and returns the name of the copy: "" with NoCopies.
func (f *Files) Keep(ctx context.Context, copies *Copies, p Past) (string, error) {
	if f.NoCopies {
		return "", nil
	}
	name, err := copies.keep(ctx, f.Spill, p.Before)
	if err != nil {
		return "", err
	}
	u := undo{name, p.Name, p.Abs, seen.SumOf(p.Before), seen.Sum{}}
	if !p.Gone {
		u.after = seen.SumOf(p.After)
	}
	f.Journal.add(u)
	return f.SpillName + "/" + name, nil
}

// Restore gives a file the content that it had before a change, by the name of the copy. It puts back a removed or
// moved file; the new place of a moved one is left alone.
func (f *Files) Restore(ctx context.Context, copied string) (c Change, d Done, err error) {
	if copied == "" {
		return c, d, fault.Errorf(fault.NotFound, "this suite knows no change without a copy: where a call creates a "+
			"file, there is nothing to keep. To undo that, remove the file")
	}
	u, ok := f.Journal.find(copied)
	if !ok {
		return c, d, fault.Errorf(fault.NotFound, "this suite knows no change that kept %s. "+
			"To put it back, read the copy and write the file", quote.Value(copied))
	}
	content, err := f.read(copied)
	if err != nil {
		return c, d, err
	}
	if seen.SumOf(content) != u.before {
		return c, d, fault.Errorf(fault.Stale, "%s is no longer the kept copy, and nothing was put back",
			quote.Value(f.SpillName+"/"+copied))
	}
	set, file, err := f.Open(ctx, u.abs, workspace.AsWritten)
	if err != nil {
		return c, d, err
	}
	defer set.End()
	if file.sum != u.after {
		return c, d, u.stale(file)
	}
	c = Change{File: file, Content: content}
	done, err := set.Commit(ctx, c)
	if err != nil {
		return c, d, err
	}
	return c, done[0], nil
}

// stale returns the error for a file that differs from what the change left.
func (u undo) stale(now *File) error {
	name := quote.Value(u.name)
	switch {
	case now.Info == nil:
		return fault.Errorf(fault.Stale, "%s was removed since, and nothing was put back", name)
	case u.after == seen.Sum{}: // the change removed or moved it
		return fault.Errorf(fault.Stale, "%s is there again, and was left alone", name)
	}
	return fault.Errorf(fault.Stale, "%s has changed since, and was left alone", name)
}

func (f *Files) read(copied string) ([]byte, error) {
	path, err := f.Workspace.Resolve(quote.Name(filepath.Join(f.Spill.Path(), copied)))
	if err != nil {
		return nil, err
	}
	file, _, err := path.OpenFile()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, f.MaxFileBytes))
}
