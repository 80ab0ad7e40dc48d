// Package patch_test has the tests of apply_patch.
package patch_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call       = suitetest.Call
	contents   = suitetest.Contents
	newSuite   = suitetest.New
	patchSuite = suitetest.AllTools
)

func TestMain(m *testing.M) { suitetest.Main(m) }
