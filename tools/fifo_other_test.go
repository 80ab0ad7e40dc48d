//go:build !unix

package tools_test

import "github.com/rogpeppe/go-internal/testscript"

func cmdFifo(ts *testscript.TestScript, neg bool, args []string) {
	ts.Fatalf("there are no FIFOs here")
}
