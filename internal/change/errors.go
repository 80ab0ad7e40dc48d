package change

import (
	"errors"
	"fmt"

	"github.com/spillway-go/spillway/internal/fault"
)

// PathError is an error of the system about a file to change.
type PathError struct {
	Name string
	Err  error
}

func (e *PathError) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *PathError) Unwrap() error { return e.Err }

// StaleError refuses to change a file that has changed since it was last shown: see [File.Stale].
type StaleError struct{ File *File }

func (e *StaleError) Error() string { return e.File.Name + " has changed since it was last shown" }

func about(err error, name string) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return &PathError{name, err}
}

// NotUndoneError says that a change failed, and that an earlier one of the call could not be undone.
type NotUndoneError struct {
	Err  error  // why the change failed
	Name string // the file that stays changed
	Undo error  // why it could not be undone
}

func (e *NotUndoneError) Error() string {
	return fmt.Sprintf("%v; %s stays changed: %v", e.Err, e.Name, e.Undo)
}
