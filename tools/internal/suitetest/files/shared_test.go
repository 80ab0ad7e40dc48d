// Package files_test has the tests of what reads, finds and changes files: read, grep, find, ls, write, edit and
// apply_patch, with their previews.
package files_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call         = suitetest.Call
	contentOf    = suitetest.ContentOf
	contents     = suitetest.Contents
	countedLines = suitetest.CountedLines
	detailsOf    = suitetest.DetailsOf
	holds        = suitetest.Holds
	jobOf        = suitetest.JobOf
	newSuite     = suitetest.New
	onDisk       = suitetest.OnDisk
	patchSuite   = suitetest.AllTools
	put          = suitetest.Put
	refusedAs    = suitetest.RefusedAs
	write        = suitetest.Write
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.Main(m) }
