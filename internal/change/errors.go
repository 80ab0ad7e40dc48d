package change

import (
	"errors"
	"fmt"
)

// Kind is what is wrong with a change.
type Kind int

const (
	Invalid  Kind = iota // the call asks for what cannot be
	Missing              // what it needs is not there
	TooLarge             // a file, or all of them together
	Denied               // the file may not be changed
	Stale                // the file has changed since it was last shown, or was never shown
	Failed               // it cannot be done now
)

// Error says why files are not changed.
type Error struct {
	Kind    Kind
	Message string
	Err     error // the cause, if there is one
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// errorf returns an Error. A %w in the format is its cause.
func errorf(kind Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{kind, err.Error(), errors.Unwrap(err)}
}

// PathError is an error of the system for a file that was to be changed.
type PathError struct {
	Name string
	Err  error
}

func (e *PathError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns the error of the system.
func (e *PathError) Unwrap() error { return e.Err }

// about returns an error of a file as an Error or a PathError.
func about(err error, name string) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &PathError{name, err}
}

// NotUndoneError says that a change failed after another, which could not be undone.
type NotUndoneError struct {
	Err  error  // why the change failed
	Name string // the file that stays changed
	Undo error  // why it does
}

func (e *NotUndoneError) Error() string {
	return fmt.Sprintf("%v; %s stays changed: %v", e.Err, e.Name, e.Undo)
}
