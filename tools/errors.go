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

// A Code names a kind of failure. docs/errors.md lists what leads to each, and what the
// model is told to do.
type Code = config.Code

const (
	CodeInvalidInput     Code = "invalid_input"     // an argument is missing, malformed or out of range
	CodeNotFound         Code = "not_found"         // the path, the job or the text to be replaced is not there
	CodeNotAFile         Code = "not_a_file"        // a file was needed; this is a directory, FIFO, device or socket
	CodeNotADirectory    Code = "not_a_directory"   // a directory was needed
	CodeIsBinary         Code = "is_binary"         // the file is not text
	CodeTooLarge         Code = "too_large"         // a file is over Config.MaxFileBytes, or the call asks for too much
	CodePathEscape       Code = "path_escape"       // the path leads out of the workspace and of what else may be read
	CodePermissionDenied Code = "permission_denied" // the operating system refused, or the path may only be read
	CodeStale            Code = "stale"             // the file has changed since it was last shown or written
	CodeTimeout          Code = "timeout"           // the command ran longer than it may
	CodeAborted          Code = "aborted"           // the caller's context ended, or the suite was closed meanwhile
	CodeOutputLimit      Code = "output_limit"      // the command printed more than Config.Bash.MaxCaptureBytes
	CodeDenied           Code = "denied"            // the Guard refused, the suite does not have the tool, or it is closed
	CodeIOError          Code = "io_error"          // reading, writing, a start or an added tool failed; see also Bash.FailOnExit
	CodeInternal         Code = "internal"          // a bug in this package, in a tool that was added or in the Guard
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
