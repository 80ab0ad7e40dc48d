//go:build unix

package tools_test

import (
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

func cmdFifo(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o600))
}
