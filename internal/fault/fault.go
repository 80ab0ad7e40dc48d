// Package fault has the failure of a call as its reader, a language model, sees it: its kind, what went wrong and what
// to do next. Package tools makes its errors from these.
package fault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

const (
	InvalidInput     config.Code = "invalid_input"
	NotFound         config.Code = "not_found"
	NotAFile         config.Code = "not_a_file"
	NotADirectory    config.Code = "not_a_directory"
	IsBinary         config.Code = "is_binary"
	TooLarge         config.Code = "too_large"
	PathEscape       config.Code = "path_escape"
	PermissionDenied config.Code = "permission_denied"
	Stale            config.Code = "stale"
	Timeout          config.Code = "timeout"
	Aborted          config.Code = "aborted"
	OutputLimit      config.Code = "output_limit"
	MemoryLimit      config.Code = "memory_limit"
	Denied           config.Code = "denied"
	IOError          config.Code = "io_error"
	Internal         config.Code = "internal"
)

type Error struct {
	Code    config.Code
	Message string
	Err     error // the cause, or nil
}

// Errorf returns a failure. A %w in the format is its cause.
func Errorf(code config.Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

// Endless returns the failure for a file that claims to be empty, like those in /proc, but has over most bytes.
func Endless(name string, most int64) *Error {
	return Errorf(TooLarge, "%s does not say how long it is, and did not end within %s. "+
		"Look for what you need in another file", quote.Value(name), size.File(most))
}

// With returns the failure with one more sentence, given without its full stop.
func (e *Error) With(sentence string) *Error {
	with := *e
	if !strings.HasSuffix(with.Message, "?") {
		with.Message += "."
	}
	with.Message += " " + sentence
	return &with
}
