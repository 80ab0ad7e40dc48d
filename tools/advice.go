package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/workspace"
)

// purpose is what a call was about to do when an error came. A set of them is their sum.
type purpose int

const (
	reading  purpose = 1 << iota
	changing         // a file
	entering         // a directory, to run a command there
	starting         // a command
	opening          // an image
	showing          // an image
	shelving         // a result, in the spill directory
)

// advice is what the reader is told about errors.
type advice struct {
	purpose purpose
	is      func(err error, path string) bool
	code    Code
	text    string // {path}, {error} and others stand for values
}

// is makes a condition that holds for an error which is one of these.
func is(targets ...error) func(error, string) bool {
	return func(err error, _ string) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
}

// as makes a condition that holds for an error of a type for which what also holds.
func as[E error](what func(E) bool) func(error, string) bool {
	return func(err error, _ string) bool {
		e, ok := errors.AsType[E](err)
		return ok && what(e)
	}
}

func always(error, string) bool { return true }

const (
	startFailed = "the command could not be started: {error}"
	noCommands  = ". No command can run here; go on with the other tools"
	anyPath     = reading | changing | entering
)

// advices says what the reader is told about an error: the first row that fits holds. Why a command does not start
// is explained, because the model sees neither the limits nor the filters that the program runs under.
var advices = []advice{
	{changing, is(workspace.ErrOwn), CodePermissionDenied,
		"{path} is where this suite keeps its own files. Use another path"},
	{changing, is(fs.ErrPermission), CodePermissionDenied,
		"{path} may not be written; nothing was changed. See its mode and owner with ls -l, or write another file"},
	{changing, is(syscall.ENOTDIR), CodeNotADirectory,
		"{path} leads through a file as if that were a directory. Use another path"},
	// There is nothing, and the path ends in a slash.
	{changing, is(syscall.EISDIR), CodeNotAFile, "{path} can only be a directory. Give the path of a file"},
	{changing, is(syscall.EROFS), CodePermissionDenied,
		"{path} is on a file system that may only be read. Write another file"},
	{changing, is(syscall.ENOSPC, syscall.EDQUOT), CodeIOError,
		"no room on the disk for {path}; nothing was changed. Remove files that are not needed, then try again"},

	{shelving, is(context.Canceled, context.DeadlineExceeded), CodeAborted,
		"the result was not shelved, as the context ended. Keep it as it is"},
	{shelving, is(fs.ErrPermission, syscall.EROFS), CodePermissionDenied, "the result was not shelved, as {path} may " +
		"not be written. Keep it as it is, or set Spill.Dir to a directory of your own that may be written"},
	{shelving, is(syscall.ENOSPC, syscall.EDQUOT), CodeIOError, "the result was not shelved, as there is no room on the " +
		"disk of {path}. Keep it as it is; remove files that are not needed, or lower Spill.MaxTotalBytes"},
	{shelving, always, CodeIOError, "the result was not shelved in {path}: {cause}. Keep it as it is"},

	{entering, is(fs.ErrPermission), CodePermissionDenied,
		"the directory {path} may not be entered. Use another directory, or see its mode and owner with ls -ld"},

	{anyPath, is(context.Canceled, context.DeadlineExceeded), CodeAborted,
		"the call was cancelled; what was gathered so far follows, if there is any"},
	{anyPath, is(workspace.ErrEscape), CodePathEscape,
		"{path} is outside of the workspace. Use a path inside of it, relative to its root"},
	{anyPath, as(func(e *workspace.KindError) bool { return e.Err == workspace.ErrNotDir }), CodeNotADirectory,
		"{path} is {what}. Give a directory"},
	{anyPath, as(func(e *workspace.KindError) bool { return e.Mode.IsDir() }), CodeNotAFile,
		"{path} is a directory. Use ls to list it, or find"},
	{anyPath, as(func(*workspace.KindError) bool { return true }), CodeNotAFile,
		"{path} is {what}, which cannot be read as a file"},
	{anyPath, is(fs.ErrNotExist, syscall.ENOTDIR), CodeNotFound,
		"{path} does not exist. Use ls or find to see what does"},
	{anyPath, func(err error, path string) bool {
		return path == "" && errors.Is(err, fs.ErrPermission)
	}, CodePermissionDenied, "the operating system refused: {error}"},
	{anyPath, is(fs.ErrPermission), CodePermissionDenied, "no permission to read {path}"},
	{anyPath, is(syscall.ELOOP), CodeInvalidInput,
		"{path} goes through too many symbolic links. Use the path that they stand for"},
	{anyPath, func(err error, path string) bool {
		return len(path) > workspace.MaxPath && errors.Is(err, syscall.ENAMETOOLONG)
	}, CodeInvalidInput,
		"the path is too long: it has {length} bytes, and {most} is the most that is taken. It begins with {path}"},
	{anyPath, is(syscall.ENAMETOOLONG), CodeInvalidInput, "the path is too long: {path}"},
	{anyPath, always, CodeIOError, "{path}: {cause}"},

	{starting, is(program.ErrNotFound), CodeIOError,
		startFailed + ". Nor is bash there. The user can name another shell by its path, with Bash.Shell" + noCommands},
	{starting, is(syscall.EAGAIN), CodeIOError, startFailed + ". The limit on processes is reached " +
		"(ulimit -u, or pids.max of the container). End what earlier commands left running, then try again"},
	{starting, is(syscall.EMFILE, syscall.ENFILE), CodeIOError, startFailed + ". The limit on open files is reached " +
		"(ulimit -n of the program that runs the tools). Try again when other calls have ended"},
	{starting, is(syscall.ENOMEM), CodeIOError,
		startFailed + ". There is no memory left for it. End what earlier commands left running, then try again"},
	{starting, is(syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT), CodeIOError, startFailed + ". It is kept in a " +
		"temporary file, for which there is no room. Remove files that are not needed, or give a shorter command"},
	{starting, is(fs.ErrPermission, syscall.ENOSYS), CodeIOError, startFailed + ". The system does not let the " +
		"program that runs the tools start others (a seccomp filter or another sandbox)" + noCommands},
	{starting, always, CodeIOError, startFailed},

	{showing, as(func(*picture.TooLargeError) bool { return true }), CodeTooLarge,
		"{path} is {kind} of {size} pixels{form} and {cause}. {smaller}"},
	{opening | showing, is(picture.ErrUnsupported), CodeIsBinary, "{path} is {kind} {cause}. {convert}"},
	{opening, always, CodeIsBinary, "{path} begins like {kind}, but is {cause}"},
	{showing, is(picture.ErrBroken), CodeIsBinary, "{path} is {kind}, but {cause}"},
	{showing, always, CodeIOError, "{path} ({kind} of {size}) cannot be scaled down: {cause}"},
}

// advise returns the error that the reader of a call is told. with holds further placeholders, each in front of
// its value.
func advise(p purpose, err error, path string, with ...string) *Error {
	a := advices[slices.IndexFunc(advices, func(a advice) bool { return a.purpose&p != 0 && a.is(err, path) })]
	with = append(with, "{path}", show(path), "{length}", fmt.Sprint(len(path)),
		"{most}", fmt.Sprint(workspace.MaxPath), "{error}", show(err.Error()), "{cause}", show(errorText(err)))
	if kind, ok := errors.AsType[*workspace.KindError](err); ok {
		with = append(with, "{what}", workspace.Kind(kind.Mode))
	}
	return &Error{a.code, strings.NewReplacer(with...).Replace(a.text), err, nil}
}

// failure turns any error of a call into an Error. path is what the call was
// about, as the caller wrote it.
func failure(err error, path string) *Error { return failureOf(reading, err, path) }

// unchanged is failure for a file that could not be changed.
func unchanged(err error, path string) *Error { return failureOf(changing, err, path) }

func failureOf(p purpose, err error, path string) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e := notChanged(err); e != nil {
		return e
	}
	if bad, ok := errors.AsType[*args.Error](err); ok {
		code := CodeInvalidInput
		if bad.TooLarge {
			code = CodeTooLarge
		}
		return &Error{code, bad.Message, bad.Err, nil}
	}
	return advise(p, err, path)
}

// notStarted returns the error for a command that could not be started.
func (s *shell) notStarted(err error, cwd string) error {
	if !errors.Is(err, proc.ErrDir) {
		return advise(starting, err, "")
	}
	e := failure(err, cmp.Or(cwd, "."))
	if s.paths.ws.Gone() {
		e.Message = workspace.ErrGone.Error()
	}
	return e
}
