// Package bash_test has the tests of bash, and of the shell and the environment that it has.
package bash_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call     = suitetest.Call
	newSuite = suitetest.New
	tail     = suitetest.Tail
)

func TestMain(m *testing.M) { suitetest.MainWithSandbox(m) }
