// Package access_test has the tests of what a suite may read and change.
package access_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	allow     = suitetest.Allow
	call      = suitetest.Call
	contentOf = suitetest.ContentOf
	encode    = suitetest.Encode
	greet     = suitetest.Greet
	holds     = suitetest.Holds
	job       = suitetest.Job
	linesOf   = suitetest.LinesOf
	newSuite  = suitetest.New
	put       = suitetest.Put
	refusedAs = suitetest.RefusedAs
	snapshot  = suitetest.Snapshot
	started   = suitetest.Started
	write     = suitetest.Write
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.MainWithSandbox(m) }
