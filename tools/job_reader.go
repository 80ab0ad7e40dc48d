package tools

import (
	"context"

	"github.com/spillway-go/spillway/internal/capture"
)

type readerKey struct{}

// WithReader returns a context for the calls of one of several readers that share a suite,
// such as the sessions of a server, or a sub-agent. Each reader is shown all that a job printed,
// and all lines of files ([config.RepeatReceipt]), whether another one has seen them or not, and
// told what searches left out. Calls without a reader, or with "", are those of one more.
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
	return js.readers.Get(j.out, readerOf(ctx))
}

// readerOf returns the name of the reader that ctx names.
func readerOf(ctx context.Context) string {
	name, _ := ctx.Value(readerKey{}).(string)
	return name
}

// Forget says that models have lost what they were shown and told: a conversation was cut, compacted or begun anew, or
// the host shortened a result itself. From then on read shows every line again, and grep and find tell again what they
// left out, to all readers. That a file has changed since it was shown or written is still noticed.
func (s *Suite) Forget() {
	s.told.Forget()
	s.shown.Forget()
}

// ForgetReader forgets what was shown to a reader, and what it was told.
func (s *Suite) ForgetReader(reader string) {
	s.told.ForgetReader(reader)
	s.shown.ForgetReader(reader)
	if js := s.shell.jobs; js != nil {
		js.readers.Forget(reader)
	}
}
