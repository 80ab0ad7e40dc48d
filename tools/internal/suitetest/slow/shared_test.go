// Package slow_test has the tests on a file system that does not answer.
package slow_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	startSignals = suitetest.StartSignals
)

func TestMain(m *testing.M) { suitetest.Main(m) }
