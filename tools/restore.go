package tools

import (
	"context"
	"path/filepath"
)

// Restore gives a file the content that it had before a change: before is that of a
// [FileChange] of this suite, one of the last 1000. What it holds now is kept in turn, and its
// name returned. A file that has changed since is left alone, and a copy that has is not put
// back: then the code of the error is [CodeStale]. It is [CodeNotFound] if this suite has made
// no such change, as it does not know then what was kept, or a sweep has removed the copy, and
// [CodeDenied] if the suite is closed or keeps no copies, because Undo.Off is set.
func (s *Suite) Restore(ctx context.Context, before string) (FileChange, error) {
	if s.calls.isClosed() {
		return FileChange{}, errorf(CodeDenied, "the suite is closed")
	}
	if s.cfg.Undo.Off {
		return FileChange{}, errorf(CodeDenied, "nothing can be put back, because the option Undo.Off is set and this "+
			"suite keeps no copies. Unset it before changes that are to be undone")
	}
	c, done, err := s.changes.files.Restore(ctx, filepath.Base(filepath.FromSlash(before)))
	if err != nil {
		return FileChange{}, failure(err, before)
	}
	return fileChange(c, done), nil
}
