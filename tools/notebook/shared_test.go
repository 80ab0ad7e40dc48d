// Package notebook_test has the tests of notebooks in read and edit.
package notebook_test

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
	tokenValue = suitetest.TokenValue
)

func TestMain(m *testing.M) { suitetest.Main(m) }
