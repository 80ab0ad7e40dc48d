package tools

import (
	"context"

	"github.com/spillway-go/spillway/internal/capture"
)

type readerKey struct{}

// WithReader returns a context for the calls of one of several readers that share a suite,
// such as the sessions of a server. Each reader is shown all that a job printed, whether
// another one has seen it or not, and told what searches left out. Calls without a reader, or
// with "", are those of one more.
//
// The suite remembers 256 positions of readers in the output of jobs, those used last; where
// one was forgotten, job begins with the whole output again. It needs the job's file for
// that: without it, all readers share one position. Call [Suite.ForgetReader] when a reader
// has gone.
func WithReader(ctx context.Context, reader string) context.Context {
	return context.WithValue(ctx, readerKey{}, reader)
}

// reader returns the reader of the job that ctx names.
func (js *jobs) reader(ctx context.Context, j *Job) *capture.Reader {
	return js.readers.Get(j.out, readerName(ctx))
}

// readerName returns the name of the reader that ctx names.
func readerName(ctx context.Context) string {
	name, _ := ctx.Value(readerKey{}).(string)
	return name
}

// Forget says that the conversation was cut, of all readers: nothing counts as shown or told
// any more. What grep and find told once, they tell again. Call it when you clear or summarize
// old results.
func (s *Suite) Forget() { s.told.Forget() }

// ForgetReader forgets what was shown to a reader, and what it was told.
func (s *Suite) ForgetReader(reader string) {
	s.told.ForgetReader(reader)
	if js := s.shell.jobs; js != nil {
		js.readers.Forget(reader)
	}
}
