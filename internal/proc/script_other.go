//go:build unix && !linux

package proc

import "os"

func scriptFile(script string) (*os.File, error) { return unlinkedFile(script) }

func stateFile(int64) (*os.File, error) { return unlinkedFile("") }
