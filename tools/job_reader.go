package tools

import (
	"context"
	"slices"

	"github.com/spillway-go/spillway/internal/capture"
)

// maxReaders is how many positions of readers in the output of jobs a suite remembers. One takes
// less than 1 KiB, and what an unfinished line does: usually nothing, 512 KiB at most.
const maxReaders = 256

type readerKey struct{}

// WithReader returns a context for the calls of one of several readers that share a suite,
// such as the sessions of a server. Each reader is shown all that a job printed, whether
// another one has seen it or not. Calls without a reader, or with "", are those of one more.
//
// The suite remembers 256 positions of readers in the output of jobs, those used last; where
// one was forgotten, job begins with the whole output again. It needs the job's file for
// that: without it, all readers share one position. Call [Suite.ForgetReader] when a reader
// has gone.
func WithReader(ctx context.Context, reader string) context.Context {
	return context.WithValue(ctx, readerKey{}, reader)
}

// ForgetReader forgets what was shown to a reader.
func (s *Suite) ForgetReader(reader string) {
	js := s.shell.jobs
	if js == nil {
		return
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	js.readers = slices.DeleteFunc(js.readers, func(r jobReader) bool { return r.name == reader })
}

// jobReader is a reader of a job.
type jobReader struct {
	job  *Job
	name string
	*capture.Reader
}

// reader returns the reader of the job that ctx names.
func (js *jobs) reader(ctx context.Context, j *Job) *capture.Reader {
	name, _ := ctx.Value(readerKey{}).(string)
	if name == "" {
		return j.out.Reader()
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	i := slices.IndexFunc(js.readers, func(r jobReader) bool { return r.job == j && r.name == name })
	r := jobReader{j, name, nil}
	if i >= 0 {
		r = js.readers[i]
		js.readers = slices.Delete(js.readers, i, i+1)
	} else {
		r.Reader = j.out.NewReader()
	}
	js.readers = append(js.readers, r)
	js.readers = slices.Delete(js.readers, 0, max(len(js.readers)-maxReaders, 0))
	return r.Reader
}
