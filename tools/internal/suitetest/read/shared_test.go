// Package read_test has the tests of read.
package read_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call     = suitetest.Call
	newSuite = suitetest.New
)

func TestMain(m *testing.M) { suitetest.Main(m) }
