package advice

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

func TestStartAdvice(t *testing.T) {
	fork := func(err error) error { return &fs.PathError{Op: "fork/exec", Path: "/bin/bash", Err: err} }
	for _, test := range []struct {
		err  error
		want string
	}{
		{fork(syscall.EAGAIN), "The limit on processes is reached"},
		{fork(syscall.EPERM), "does not let the program that runs the tools start others"},
		{fork(syscall.EACCES), "does not let the program that runs the tools start others"},
		{fork(syscall.ENOSYS), "does not let the program that runs the tools start others"},
		{fork(syscall.ENOMEM), "not enough memory"},
		{fmt.Errorf("output pipe: %w", os.NewSyscallError("pipe2", syscall.EMFILE)), "The limit on open files is reached"},
		{fmt.Errorf("output pipe: %w", os.NewSyscallError("pipe2", syscall.ENFILE)), "The limit on open files is reached"},
		{&fs.PathError{Op: "open", Path: "/tmp/x", Err: syscall.ENOSPC}, "no room for the temporary file"},
		{&fs.PathError{Op: "open", Path: "/tmp/x", Err: syscall.EROFS}, "no room for the temporary file"},
		{fmt.Errorf("no shell: %w", program.ErrNotFound), "bash is not there either"},
	} {
		got := strings.TrimPrefix(Of(Starting, test.err, "").Message, "the command could not be started: "+test.err.Error())
		require.Contains(t, got, test.want)
		require.True(t, strings.HasPrefix(got, ". ") && !strings.HasSuffix(got, "."), got)
	}
	require.Equal(t, "the command could not be started: fork/exec /bin/bash: input/output error", Of(Starting, fork(syscall.EIO), "").Message)
}

func TestShelvingAdvice(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{context.DeadlineExceeded, "aborted: the result was not shelved, because the context ended. Keep it as it is"},
		{syscall.EACCES, "permission_denied: the result was not shelved, because .clarvis is not writable. " +
			"Keep it as it is, or set Spill.Dir to a writable directory of your own"},
		{&fs.PathError{Op: "mkdir", Path: ".clarvis", Err: syscall.EROFS}, "permission_denied: the result was not shelved, because .clarvis is not writable."},
		{syscall.ENOSPC, "io_error: the result was not shelved, because the disk of .clarvis is full. " +
			"Keep it as it is; remove unneeded files, or lower Spill.MaxTotalBytes"},
		{syscall.EDQUOT, "io_error: the result was not shelved, because the disk of .clarvis is full."},
		{syscall.EIO, "io_error: the result was not shelved in .clarvis: input/output error. Keep it as it is"},
	} {
		e := Of(Shelving, test.err, ".clarvis")
		require.Contains(t, string(e.Code)+": "+e.Message, test.want)
	}
}

// Where nobody can tell what is hidden, the error is that of the system; it is still one for what may be hidden.
func TestUnknownHidden(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{syscall.ENAMETOOLONG, "invalid_input: the path is too long: a/b"},
		{syscall.EACCES, "permission_denied: no permission to read a/b"},
		{syscall.ELOOP, "invalid_input: a/b goes through too many symbolic links."},
		{syscall.EIO, "io_error: a/b: input/output error"},
	} {
		unread := &workspace.UnreadError{File: "a/.agentignore", Err: test.err, Unknown: true}
		e := Of(Reading, &fs.PathError{Op: "open", Path: "a/b", Err: unread}, "a/b")
		require.Contains(t, string(e.Code)+": "+e.Message, test.want)
		require.ErrorIs(t, e, workspace.ErrHidden)
		unread.Unknown = false
		require.Equal(t, fault.Denied, Of(Reading, unread, "a/b").Code)
	}
}

// What was refused has a name, also where the call gave no path.
func TestPermissionDeniedNamesWhat(t *testing.T) {
	refused := &fs.PathError{Op: "open", Path: "/proc/self/fd/3", Err: syscall.EPERM}
	require.Equal(t, &fault.Error{Code: fault.PermissionDenied, Message: "no permission to read /work", Err: refused}, Of(Reading, refused, "/work"))
	require.Equal(t, "the operating system refused: open /proc/self/fd/3: operation not permitted", Of(Reading, refused, "").Message)
}
