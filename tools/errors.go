package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// A Code names a kind of failure. docs/notices.md lists them, from these comments: what
// happened, and after the first sentence what to do.
type Code = config.Code

const (
	// CodeInvalidInput: an argument is missing, of the wrong type, malformed or out of range, or there is no
	// such tool. The text says what it takes.
	CodeInvalidInput Code = "invalid_input"

	// CodeNotFound: the path, the job or the text to be replaced is not there. The text suggests paths, lists
	// jobs, or shows the nearest lines.
	CodeNotFound Code = "not_found"

	// CodeNotAFile: a directory, FIFO, device or socket where a file is needed. List a directory with ls.
	CodeNotAFile Code = "not_a_file"

	// CodeNotADirectory: a file where a directory is needed. Give a directory.
	CodeNotADirectory Code = "not_a_directory"

	// CodeIsBinary: the file is not text. Inspect it with bash.
	CodeIsBinary Code = "is_binary"

	// CodeTooLarge: the file is over Config.MaxFileBytes, an image takes too much memory, or the call asks for
	// too much (arguments over 16MB, over 100 files). Read a part or grep it, or make several calls.
	CodeTooLarge Code = "too_large"

	// CodePathEscape: the path leads out of the workspace and of what else may be read, itself or through a
	// link. Use a path inside it.
	CodePathEscape Code = "path_escape"

	// CodePermissionDenied: the operating system refused, or the path may be read but not changed. The text
	// says what may be changed.
	CodePermissionDenied Code = "permission_denied"

	// CodeStale: something other than this suite's tools changed the file since they last read or changed it,
	// or since a person was asked about the call. Make the call again in view of the change: the answer shows
	// it, or says to read the file.
	CodeStale Code = "stale"

	// CodeTimeout: the command ran too long and was killed. Ask for more time, or run it in the background.
	CodeTimeout Code = "timeout"

	// CodeAborted: the caller's context ended, or the suite was closed, while the call ran.
	CodeAborted Code = "aborted"

	// CodeOutputLimit: the command printed more than Config.Bash.MaxCaptureBytes and was killed. Print less;
	// the output so far is in the file that the notice names.
	CodeOutputLimit Code = "output_limit"

	// CodeDenied: rules, the user or the Guard refused, the suite is closed, the configuration leaves out the
	// tool or, for Suite.Restore, the copies (Undo.Off), or job does not know what the caller was shown.
	CodeDenied Code = "denied"

	// CodeIOError: reading or writing failed, a command did not start, or an added tool returned an error;
	// with Bash.FailOnExit, a command failed.
	CodeIOError Code = "io_error"

	// CodeInternal: a bug in this library, or a panic in a tool that was added or in the Guard. Please report
	// it.
	CodeInternal Code = "internal"
)

// Error describes a failed call. Its JSON form is {"error": Code, "message": Message}
// with the fields of what was gathered before the failure. It unwraps to its cause, such
// as [context.Canceled] or [fs.ErrNotExist].
type Error struct {
	Code    Code   // what kind of failure it is
	Message string // what went wrong, and what to do next
	Err     error  // the cause; nil if there is none
	details any    // what was gathered
}

// maxMessage is the number of bytes of a message that are shown. Together with
// notices it keeps within the allowance that a result has over its limit.
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

// show prints a value of the caller's in a message.
func show(value string) string { return quote.Value(value) }

// errorText returns an error without the operation and the path in front.
func errorText(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
