// Package job_test has the tests of jobs, and of what is said of a command while it runs.
package job_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call     = suitetest.Call
	job      = suitetest.Job
	jobOf    = suitetest.JobOf
	newSuite = suitetest.New
	started  = suitetest.Started
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.Main(m) }
