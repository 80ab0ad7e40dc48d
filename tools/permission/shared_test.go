// Package permission_test has the tests of rules and questions.
package permission_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	allow    = suitetest.Allow
	call     = suitetest.Call
	greet    = suitetest.Greet
	job      = suitetest.Job
	newSuite = suitetest.New
	started  = suitetest.Started
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.MainWithSandbox(m) }
