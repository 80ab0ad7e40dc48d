package change

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
)

// maxOriginals is the number of changes that Restore can undo. What is older stays on disk.
const maxOriginals = 1000

// original is what a file held before a change, of which there is a copy.
type original struct {
	copied    string   // the name of the copy
	name, abs string   // of the file
	before    seen.Sum // of the content: commands can write to the copy
	after     seen.Sum // of what took its place
}

// originals are the last of them, oldest first.
type originals struct {
	mu   sync.Mutex
	last []original
}

func (k *originals) add(o original) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = append(k.last, o)
	if n := len(k.last) - maxOriginals; n > 0 {
		k.last = slices.Delete(k.last, 0, n)
	}
}

func (k *originals) get(copied string) (original, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, o := range k.last {
		if o.copied == copied {
			return o, true
		}
	}
	return original{}, false
}

// keep copies what a file holds to the spill directory, and returns the name of the copy.
func (s *Set) keep(ctx context.Context, f *File) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	w := s.files.Spill.NewWriter(spill.Original)
	if s.kept != nil {
		w = s.kept.Beside(spill.Original)
	}
	s.kept = w
	w.Spill() // or it would hold a copy
	w.Write(f.Content)
	path, err := w.Keep()
	if err != nil {
		return "", s.files.notKept(err)
	}
	return filepath.Base(path), nil
}

// Restore gives a file the content that it had before a change, by the name of the copy.
func (f *Files) Restore(ctx context.Context, copied string) (c Change, d Done, err error) {
	o, ok := f.originals.get(copied)
	if !ok {
		return c, d, errorf(Missing, "no change of this suite is known that kept %s. "+
			"To put it back, read the copy and write the file", quote.Value(copied))
	}
	content, err := f.read(copied)
	if err != nil {
		return c, d, err
	}
	if seen.SumOf(content) != o.before {
		return c, d, errorf(Stale, "%s is not what was kept any more, and nothing was put back", quote.Value(f.SpillName+"/"+copied))
	}
	set, file, err := f.Open(ctx, o.abs)
	if err != nil {
		return c, d, err
	}
	defer set.End()
	if file.sum != o.after {
		return c, d, errorf(Stale, "%s has changed since, and was left alone", quote.Value(o.name))
	}
	c = Change{File: file, Content: content}
	done, err := set.Commit(ctx, c)
	if err != nil {
		return c, d, err
	}
	return c, done[0], nil
}

// read reads a copy.
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
