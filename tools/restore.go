package tools

import (
	"context"
	"io"
	"path/filepath"
	"sync"

	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/workspace"
)

// beforeKind is what the names of files begin with that hold what others held before a change.
const beforeKind = "before"

// maxKept is the number of changes that Restore can undo. What is older stays on disk.
const maxKept = 1000

// keptFile is where a content came from.
type keptFile struct {
	name, abs string
	after     seen.Sum // of what took its place
}

// keptFiles are the last of them, by the name of the copy.
type keptFiles struct {
	mu    sync.Mutex
	files map[string]keptFile
	order []string
}

func (k *keptFiles) add(before string, f keptFile) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil {
		k.files = map[string]keptFile{}
	}
	if k.files[before] = f; len(k.order) == maxKept {
		delete(k.files, k.order[0])
		k.order = append(k.order[:0], k.order[1:]...)
	}
	k.order = append(k.order, before)
}

func (k *keptFiles) get(before string) (keptFile, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.files[before]
	return f, ok
}

// Restore gives a file the content that it had before a change: before is that of a
// [FileChange] of this suite, one of the last 1000. What it holds now is kept in turn, and its
// name returned. A file that has changed since is left alone: then the code of the error is
// [CodeStale]. It is [CodeNotFound] if the change is not known, or a sweep has removed the copy.
func (s *Suite) Restore(ctx context.Context, before string) (FileChange, error) {
	if s.closed.Load() {
		return FileChange{}, errorf(CodeDenied, "the suite is closed")
	}
	f, err := s.restore(ctx, filepath.Base(filepath.FromSlash(before)))
	if err != nil {
		return f, failure(err, before)
	}
	return f, nil
}

func (s *Suite) restore(ctx context.Context, before string) (FileChange, error) {
	f, ok := s.kept.get(before)
	if !ok {
		return FileChange{}, errorf(CodeNotFound, "no change of this suite is known that kept %s", show(before))
	}
	content, err := s.keptContent(before)
	if err != nil {
		return FileChange{}, err
	}
	t, o, err := s.turnFor(ctx, share{}, f.abs)
	if err != nil {
		return FileChange{}, err
	}
	defer t.end()
	if o.sum != f.after {
		return FileChange{}, errorf(CodeStale, "%s has changed since, and was left alone", show(f.name))
	}
	return t.commitOne(ctx, o, content)
}

// keptContent reads a copy.
func (s *Suite) keptContent(before string) ([]byte, error) {
	path, err := s.ws.Resolve(workspace.Quote(filepath.Join(s.spill.Path(), before)))
	if err != nil {
		return nil, err
	}
	f, _, err := path.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, s.cfg.MaxFileBytes))
}
