// Package edit_test has the tests of what changes files: write, edit, apply_patch and their previews.
package edit_test

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
	newSuite     = suitetest.New
	patchSuite   = suitetest.AllTools
	put          = suitetest.Put
	refusedAs    = suitetest.RefusedAs
	write        = suitetest.Write
)

func TestMain(m *testing.M) { suitetest.Main(m) }
