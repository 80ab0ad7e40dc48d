// Package advice words errors for the reader of a call: errors of the system, of a file to change, of arguments.
package advice

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Purpose is what a call was about to do when an error occurred. A sum stands for several purposes.
type Purpose int

const (
	Reading  Purpose = 1 << iota
	Changing         // a file
	Entering         // a directory, to run a command there
	Starting         // a command
	Opening          // an image
	Showing          // an image
	Shelving         // a result, in the spill directory
)

type advice struct {
	purpose Purpose
	is      func(err error, path string) bool
	code    config.Code
	text    string // {path}, {error} and others stand for values
}

// is returns a condition that holds for any of these errors.
func is(targets ...error) func(error, string) bool {
	return func(err error, _ string) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
}

// as returns a condition that holds for an error of type E if what holds for it.
func as[E error](what func(E) bool) func(error, string) bool {
	return func(err error, _ string) bool {
		e, ok := errors.AsType[E](err)
		return ok && what(e)
	}
}

func always(error, string) bool { return true }

const (
	missing     = " does not exist"
	lookAround  = ". Use ls or find to see what does"
	startFailed = "the command could not be started: {error}"
	noCommands  = ". No command can run here; continue with the other tools"
	anyPath     = Reading | Changing | Entering
)

// advices words errors; the first row that fits counts. It explains why a command does not start, because the model
// sees neither the limits nor the filters under which the program runs.
var advices = []advice{
	{Changing, is(workspace.ErrOwn), fault.PermissionDenied,
		"{path} is where this suite keeps its own files. Use another path"},
	{Changing, is(fs.ErrPermission), fault.PermissionDenied,
		"{path} is not writable; nothing was changed. Check its mode and owner with ls -l, or write another file"},
	{Changing, is(syscall.ENOTDIR), fault.NotADirectory,
		"{path} uses a file as a directory. Use another path"},
	// Nothing exists there, and the path ends in a slash.
	{Changing, is(syscall.EISDIR), fault.NotAFile, "{path} can only be a directory. Give the path of a file"},
	{Changing, is(syscall.EROFS), fault.PermissionDenied,
		"{path} is on a read-only file system. Write another file"},
	{Changing, is(syscall.ENOSPC, syscall.EDQUOT), fault.IOError,
		"no room on the disk for {path}; nothing was changed. Remove unneeded files, then try again"},

	{Shelving, is(context.Canceled, context.DeadlineExceeded), fault.Aborted,
		"the result was not shelved, because the context ended. Keep it as it is"},
	{Shelving, is(fs.ErrPermission, syscall.EROFS), fault.PermissionDenied, "the result was not shelved, because {path} " +
		"is not writable. Keep it as it is, or set Spill.Dir to a writable directory of your own"},
	{Shelving, is(syscall.ENOSPC, syscall.EDQUOT), fault.IOError, "the result was not shelved, because the disk of " +
		"{path} is full. Keep it as it is; remove unneeded files, or lower Spill.MaxTotalBytes"},
	{Shelving, always, fault.IOError, "the result was not shelved in {path}: {cause}. Keep it as it is"},

	{Entering, is(fs.ErrPermission), fault.PermissionDenied,
		"the directory {path} cannot be entered. Use another directory, or check its mode and owner with ls -ld"},

	{anyPath, is(context.Canceled, context.DeadlineExceeded), fault.Aborted,
		"the call was cancelled; results so far follow, if there are any"},
	{anyPath, is(workspace.ErrEscape), fault.PathEscape,
		"{path} is outside of the workspace. Use a path inside of it, relative to its root"},
	{anyPath, as(func(*workspace.UnreadError) bool { return true }), fault.Denied,
		"{path} is hidden from the tools, as {cause}. Do it without that file, or ask the user"},
	{anyPath, is(workspace.ErrHidden), fault.Denied, "{path} is hidden from the tools, whether it exists or not " +
		"(Hidden or HiddenFile). Do it without that file, or ask the user"},
	{anyPath, as(func(e *workspace.KindError) bool { return e.Err == workspace.ErrNotDir }), fault.NotADirectory,
		"{path} is {what}. Give a directory"},
	{anyPath, as(func(e *workspace.KindError) bool { return e.Mode.IsDir() }), fault.NotAFile,
		"{path} is a directory. Use ls to list it, or find"},
	{anyPath, as(func(*workspace.KindError) bool { return true }), fault.NotAFile,
		"{path} is {what}, which cannot be read as a file"},
	{anyPath, is(fs.ErrNotExist, syscall.ENOTDIR), fault.NotFound,
		"{path}" + missing + lookAround},
	{anyPath, func(err error, path string) bool {
		return path == "" && errors.Is(err, fs.ErrPermission)
	}, fault.PermissionDenied, "the operating system refused: {error}"},
	{anyPath, is(fs.ErrPermission), fault.PermissionDenied, "no permission to read {path}"},
	{anyPath, is(syscall.ELOOP), fault.InvalidInput,
		"{path} goes through too many symbolic links. Use the path that they lead to"},
	{anyPath, func(err error, path string) bool {
		return len(path) > workspace.MaxPath && errors.Is(err, syscall.ENAMETOOLONG)
	}, fault.InvalidInput,
		"the path is too long: it has {length} bytes, over the limit of {most}. It begins with {path}"},
	{anyPath, is(syscall.ENAMETOOLONG), fault.InvalidInput, "the path is too long: {path}"},
	{anyPath, always, fault.IOError, "{path}: {cause}"},

	{Starting, is(program.ErrNotFound), fault.IOError,
		startFailed + ". bash is not there either. The user can set Bash.Shell to the path of another shell" + noCommands},
	{Starting, is(syscall.EAGAIN), fault.IOError, startFailed + ". The limit on processes is reached " +
		"(ulimit -u, or pids.max of the container). End what earlier commands left running, then try again"},
	{Starting, is(syscall.EMFILE, syscall.ENFILE), fault.IOError, startFailed + ". The limit on open files is reached " +
		"(ulimit -n of the program that runs the tools). Try again when other calls have ended"},
	{Starting, is(syscall.ENOMEM), fault.IOError,
		startFailed + ". There is not enough memory. End what earlier commands left running, then try again"},
	{Starting, is(syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT), fault.IOError, startFailed + ". There is no " +
		"room for the temporary file that holds it. Remove unneeded files, or give a shorter command"},
	{Starting, is(fs.ErrPermission, syscall.ENOSYS), fault.IOError, startFailed + ". The system does not let the " +
		"program that runs the tools start others (a seccomp filter or another sandbox)" + noCommands},
	{Starting, always, fault.IOError, startFailed},

	{Showing, as(func(*picture.TooLargeError) bool { return true }), fault.TooLarge,
		"{path} is {kind} of {size} pixels{form} and {cause}. {smaller}"},
	{Opening | Showing, is(picture.ErrUnsupported), fault.IsBinary, "{path} is {kind} {cause}. {convert}"},
	{Opening, always, fault.IsBinary, "{path} begins like {kind}, but is {cause}"},
	{Showing, is(picture.ErrBroken), fault.IsBinary, "{path} is {kind}, but {cause}"},
	{Showing, always, fault.IOError, "{path} ({kind} of {size}) cannot be scaled down: {cause}"},
}

// Of words an error that occurred for a purpose; nil for no error. path is the path in the call, as written. with
// lists further placeholders, each followed by its value.
func Of(purpose Purpose, err error, path string, with ...string) *fault.Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	if undone, ok := errors.AsType[*change.NotUndoneError](err); ok {
		return fault.Errorf(fault.IOError, "%s. %s had been changed already and could not be restored: %s. Read it",
			Of(Reading, undone.Err, ""), quote.Value(undone.Name), quote.Value(cause(undone.Undo)))
	}
	if e, ok := errors.AsType[*change.PathError](err); ok {
		return Of(Changing, e.Err, e.Name)
	}
	if bad, ok := errors.AsType[*args.Error](err); ok {
		code := fault.InvalidInput
		if bad.TooLarge {
			code = fault.TooLarge
		}
		return &fault.Error{Code: code, Message: bad.Message, Err: bad.Err}
	}
	if unread, ok := errors.AsType[*workspace.UnreadError](err); ok && unread.Unknown {
		told := Of(purpose, unread.Err, path, with...)
		told.Err = err
		return told
	}
	a := advices[slices.IndexFunc(advices, func(a advice) bool { return a.purpose&purpose != 0 && a.is(err, path) })]
	with = append(with, "{path}", quote.Value(path), "{length}", fmt.Sprint(len(path)),
		"{most}", fmt.Sprint(workspace.MaxPath), "{error}", quote.Value(err.Error()), "{cause}", quote.Value(cause(err)))
	if kind, ok := errors.AsType[*workspace.KindError](err); ok {
		with = append(with, "{what}", workspace.Kind(kind.Mode))
	}
	return &fault.Error{Code: a.code, Message: strings.NewReplacer(with...).Replace(a.text), Err: err}
}

// cause returns an error without the operation and the path before it.
func cause(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// Missing returns the error for a path that does not exist. It suggests the paths near it, if there are any.
func Missing(path string, near []string) *fault.Error {
	e := fault.Errorf(fault.NotFound, "%s%s", quote.Value(path), missing)
	if len(near) > 0 {
		shown := make([]string, len(near))
		for i, like := range near {
			shown[i] = quote.Value(like)
		}
		e.Message += ". Did you mean " + strings.Join(shown, " or ") + "?"
	}
	return e
}

// Instead returns the error for a missing path with another suggestion than to look around.
func Instead(e *fault.Error, todo string) *fault.Error {
	other := *e
	other.Message = strings.TrimSuffix(e.Message, lookAround)
	return other.With(todo)
}

// LikelyUTF16 returns the error for a file that is taken for binary but looks like text in that encoding. verb is what
// the call wanted to do with it.
func LikelyUTF16(path, encoding, verb string) *fault.Error {
	return fault.Errorf(fault.IsBinary, "%s has NUL bytes, but looks like text in UTF-16 without a byte order mark. Use "+
		"encoding=%s to %s it", quote.Value(path), encoding, verb)
}
