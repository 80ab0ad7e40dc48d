package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// A Code names a kind of failure. docs/notices.md lists them by the first sentences of these comments: what happened.
// What to do stands behind it.
type Code = config.Code

const (
	// CodeInvalidInput: an argument is missing, of the wrong type, malformed or out of range, or there is no such
	// tool. The text says what it takes.
	CodeInvalidInput Code = fault.InvalidInput

	// CodeNotFound: the path, the job or the old text is not there. The message suggests paths, lists jobs, or shows
	// the nearest lines.
	CodeNotFound Code = fault.NotFound

	// CodeNotAFile: a directory, FIFO, device or socket where a file is needed. List a directory with ls.
	CodeNotAFile Code = fault.NotAFile

	// CodeNotADirectory: a file where a directory is needed. Give a directory.
	CodeNotADirectory Code = fault.NotADirectory

	// CodeIsBinary: the file is not text. Inspect it with bash.
	CodeIsBinary Code = fault.IsBinary

	// CodeTooLarge: the file is over MaxFileBytes, an image takes too much memory, the call has over 16MB of
	// arguments or over 100 files, or a script would get only a part. Read a part, grep it, or make several calls.
	CodeTooLarge Code = fault.TooLarge

	// CodePathEscape: the path, or a link in it, leads out of the workspace and of what else may be read. Use a path
	// inside.
	CodePathEscape Code = fault.PathEscape

	// CodePermissionDenied: the operating system refused, or the path may be read but not changed. The text
	// says what may be changed.
	CodePermissionDenied Code = fault.PermissionDenied

	// CodeStale: something other than this suite's tools changed the file since they last read or changed it, or
	// since a person was asked about the call. The text shows the change or says to read the file; call again then.
	CodeStale Code = fault.Stale

	// CodeTimeout: the command ran too long and was killed. Ask for more time, or run it in the background.
	CodeTimeout Code = fault.Timeout

	// CodeAborted: the caller's context ended, or the suite was closed, while the call ran.
	CodeAborted Code = fault.Aborted

	// CodeOutputLimit: the command printed more than Bash.MaxCaptureBytes and was killed. Print less; the notice
	// names the file with the output so far.
	CodeOutputLimit Code = fault.OutputLimit

	// CodeMemoryLimit: the command held more than Bash.MaxMemory and was killed. Hold less at a time; the text shows
	// what it printed until then.
	CodeMemoryLimit Code = fault.MemoryLimit

	// CodeDenied: rules, the user or the Guard refused, the suite is closed, the configuration leaves out the tool
	// or the copies that Suite.Restore needs (Undo.Off), or job does not know what the caller was shown.
	CodeDenied Code = fault.Denied

	// CodeIOError: reading or writing failed, a command did not start, or an added tool returned an error;
	// with Bash.FailOnExit, a command failed.
	CodeIOError Code = fault.IOError

	// CodeInternal: a bug in this library, or a panic of an added tool or the Guard. Please report it.
	CodeInternal Code = fault.Internal
)

// Error describes a failed call. Its JSON form is {"error": Code, "message": Message}
// with the fields of what was gathered before the failure.
//
// It unwraps to its cause, such as [context.Canceled] or [fs.ErrNotExist].
type Error struct {
	Code    Code   // the kind of failure
	Message string // what went wrong, and what to do next
	Err     error  // the cause; nil if there is none
	details any    // what was gathered before the failure
}

// maxMessage bounds a message in bytes. With notices it stays within the allowance that results have over their limit.
const maxMessage = 700

// Error returns the code and the message, as the model reads them: "not_found: ...". A
// message of over 700 bytes is cut.
func (e *Error) Error() string {
	limits := truncation.Limits{Bytes: maxMessage}
	policy := truncation.Policy{Strategy: truncation.HeadChars, Limits: limits, Unmarked: true}
	message := policy.Truncate(e.Message)
	if message.Truncated {
		message.Text += "..."
	}
	return string(e.Code) + ": " + message.Text
}

// Details returns what was gathered before the failure: a BashResult of bash and so on, TruncatedDetails of an added
// tool, or nil.
func (e *Error) Details() any { return e.details }

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

// failure turns any error of a call into an Error. path is the one that the call named, as written.
func failure(err error, path string) *Error { return failureOf(advice.Reading, err, path) }

func failureOf(purpose advice.Purpose, err error, path string) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	f := advice.Of(purpose, err, path)
	return &Error{f.Code, f.Message, f.Err, nil}
}

func show(value string) string { return quote.Value(value) }

func refuse(cfg *config.Config, option, value, want string) error {
	_, source, _ := cfg.Lookup(option)
	return &config.OptionError{Option: option, Value: value, Want: want, Source: source}
}

// maxStack bounds the stack in an event, in bytes.
const maxStack = 16 << 10

// panicked is wrapped in the error of a panic. The stack is for the host; a model cannot act on it.
type panicked struct{ stack string }

func (*panicked) Error() string { return "panic" }

func stackOf(err *Error) string {
	if err == nil {
		return ""
	}
	p, ok := errors.AsType[*panicked](err.Err)
	if !ok {
		return ""
	}
	return p.stack
}

func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = bug(what, fmt.Sprint(p))
	}
}

// bug returns the error of a panic. It must be called while the panicking function is still on the stack.
func bug(what, said string) *Error {
	stack := debug.Stack()
	return &Error{
		Code: CodeInternal, Message: fmt.Sprintf("a bug in %s: %s. Try something else", what, show(said)),
		Err: &panicked{string(stack[:min(len(stack), maxStack)])},
	}
}
