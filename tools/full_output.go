package tools

import (
	"io"
	"path"
	"path/filepath"
)

// FullOutputPath returns the file with the full output of a call, as read takes it; "" if there is none. It is that of
// a job, too.
func (r Result) FullOutputPath() string { return r.Shown().spilled }

// OpenOutput opens a file with a full output, as results name it, or by the last part of that name. It opens nothing
// else of the spill directory, and nothing outside of it; neither rules nor the guard are asked. The error is an
// [*Error], whose code is [CodeNotFound] if there is no such output, or not any more. The caller closes the file.
// Secrets in it are replaced as Config.Redact says, even if a command has changed the file.
func (s *Suite) OpenOutput(name string) (io.ReadCloser, error) {
	if s.isClosed() {
		return nil, errorf(CodeDenied, "the suite is closed")
	}
	f, err := s.spill.OpenOutput(path.Base(filepath.ToSlash(name)))
	if err != nil {
		return nil, failure(err, name)
	}
	if s.redact.Off() {
		return f, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{s.redact.NewReader(f), f}, nil
}
