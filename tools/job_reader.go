package tools

import "context"

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

// nobody is the reader of calls of which it is not known who makes them.
const nobody = "\x00nobody"

type identifyKey struct{}

// WithoutReader returns a context for calls of which the host does not know who makes them, such as requests without a
// session. The suite remembers nothing of what they show: every line of a file is new to them, each search tells what it
// left out, and job, which shows what is new, refuses to read on. It can still list the jobs and send a signal. The
// refusal ends in identify, a sentence that says what to do so that the host knows; it may be "".
func WithoutReader(ctx context.Context, identify string) context.Context {
	return context.WithValue(WithReader(ctx, nobody), identifyKey{}, identify)
}

// identifyOf says what to do so that the host knows who calls, or is "".
func identifyOf(ctx context.Context) string {
	identify, _ := ctx.Value(identifyKey{}).(string)
	return identify
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
	s.shell.jobs.Forget(reader)
}
