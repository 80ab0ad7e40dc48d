package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// A Code names a kind of failure. docs/errors.md lists what leads to each, and what the
// model is told to do.
type Code string

const (
	CodeInvalidInput     Code = "invalid_input"     // an argument is missing, malformed or out of range
	CodeNotFound         Code = "not_found"         // the path does not exist
	CodeNotAFile         Code = "not_a_file"        // a file was needed; this is a directory, FIFO, device or socket
	CodeNotADirectory    Code = "not_a_directory"   // a directory was needed
	CodeIsBinary         Code = "is_binary"         // the file is not text
	CodeTooLarge         Code = "too_large"         // the file is over Config.MaxFileBytes, and no part of it was asked for
	CodePathEscape       Code = "path_escape"       // the path leads out of the workspace and of Config.AllowedRoots
	CodePermissionDenied Code = "permission_denied" // the operating system refused
	CodeStale            Code = "stale"             // the file has changed since it was last shown or written
	CodeTimeout          Code = "timeout"           // the command ran longer than it may
	CodeAborted          Code = "aborted"           // the caller's context ended, or the suite was closed meanwhile
	CodeOutputLimit      Code = "output_limit"      // the command printed more than Config.Bash.MaxCaptureBytes
	CodeDenied           Code = "denied"            // the Guard refused, the suite does not have the tool, or it is closed
	CodeIOError          Code = "io_error"          // reading failed, the command did not start, or a tool that was added failed; with Config.Bash.FailOnExit, the command did
	CodeInternal         Code = "internal"          // a bug in this package, in a tool that was added or in the Guard
)

// Error describes a failed call. Its JSON form is {"error": Code, "message": Message}
// with the fields of what was gathered before the failure. It unwraps to its cause, such
// as [context.Canceled] or [fs.ErrNotExist].
type Error struct {
	Code    Code   // what kind of failure it is
	Message string // what went wrong, and what to do next
	Err     error  // the cause, if there is one
	details any    // what was gathered
}

// maxMessage is the number of bytes of a message that are shown. Together with
// notices it keeps within the allowance that a result has over its limit.
const maxMessage = 700

// Error returns the code and the message, as the model reads them: "not_found: ...". A
// message of over 700 bytes is cut.
func (e *Error) Error() string {
	message := truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Bytes: maxMessage}, Unmarked: true}.Truncate(e.Message)
	if message.Truncated {
		message.Text += "..."
	}
	return string(e.Code) + ": " + message.Text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MarshalJSON returns the error's JSON form.
func (e *Error) MarshalJSON() ([]byte, error) {
	fields := map[string]any{}
	if e.details != nil {
		data, err := json.Marshal(e.details)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
	}
	maps.Copy(fields, map[string]any{"error": e.Code, "message": strings.TrimPrefix(e.Error(), string(e.Code)+": ")})
	return json.Marshal(fields)
}

// CodeOf returns the code of an [*Error], however it is wrapped, and "" for other errors
// and for nil.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// errorf makes an Error. A %w in the format is its cause.
func errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// show prints a value of the caller's in a message: on one line, and not at a
// length that floods it.
func show(value string) string {
	line, _ := cutLine([]byte(workspace.Printable(value)), 200, "...")
	return string(line)
}

// failure turns any error of a call into an Error. path is what the call was
// about, as the caller wrote it.
func failure(err error, path string) *Error {
	var e *Error
	var kind *workspace.KindError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{CodeAborted, "the call was cancelled; what was gathered so far follows, if there is any", err, nil}
	case errors.Is(err, workspace.ErrEscape):
		return &Error{CodePathEscape, show(path) + " is outside of the workspace. Use a path inside of it, relative to its root", err, nil}
	case errors.As(err, &kind) && kind.Err == workspace.ErrNotDir:
		return &Error{CodeNotADirectory, fmt.Sprintf("%s is %s. Give a directory", show(path), workspace.Kind(kind.Mode)), err, nil}
	case errors.As(err, &kind) && kind.Mode.IsDir():
		return &Error{CodeNotAFile, show(path) + " is a directory. Use ls to list it, or find", err, nil}
	case errors.As(err, &kind):
		return &Error{CodeNotAFile, fmt.Sprintf("%s is %s, which cannot be read as a file", show(path), workspace.Kind(kind.Mode)), err, nil}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &Error{CodeNotFound, show(path) + " does not exist. Use ls or find to see what does", err, nil}
	case path == "" && errors.Is(err, fs.ErrPermission):
		return &Error{CodePermissionDenied, "the operating system refused: " + show(err.Error()), err, nil}
	case errors.Is(err, fs.ErrPermission):
		return &Error{CodePermissionDenied, "no permission to read " + show(path), err, nil}
	case errors.Is(err, syscall.ELOOP):
		return &Error{CodeInvalidInput, show(path) + " goes through too many symbolic links. Use the path that they stand for", err, nil}
	case len(path) > workspace.MaxPath && errors.Is(err, syscall.ENAMETOOLONG):
		return &Error{CodeInvalidInput, fmt.Sprintf("the path is too long: it has %d bytes, and %d is the most that is taken. It begins with %s",
			len(path), workspace.MaxPath, show(path)), err, nil}
	case errors.Is(err, syscall.ENAMETOOLONG):
		return &Error{CodeInvalidInput, "the path is too long: " + show(path), err, nil}
	}
	return &Error{CodeIOError, fmt.Sprintf("%s: %s", show(path), show(errorText(err))), err, nil}
}

// errorText returns an error without the operation and the path in front.
func errorText(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
