//go:build unix && !linux

package proc

import "os"

// scriptFile returns a file without a name.
func scriptFile(script string) (*os.File, error) { return unlinkedFile(script) }

// stateFile returns a file for the state of a shell.
func stateFile(int64) (*os.File, error) { return unlinkedFile("") }
