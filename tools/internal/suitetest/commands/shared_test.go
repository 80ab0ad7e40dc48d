// Package commands_test has the tests of bash and of job: the shell and the environment of commands, what they print, and
// those that go on in the background.
package commands_test

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
	tail     = suitetest.Tail
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.MainWithSandbox(m) }
