// Package permission_test has the tests of rules and questions.
package permission_test

import (
	"context"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call     = suitetest.Call
	job      = suitetest.Job
	newSuite = suitetest.New
	started  = suitetest.Started
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.MainWithSandbox(m) }

// greet is a tool that is added.
func greet(name string, may ...config.Effects) tools.Tool {
	return tools.Func(name, "Greets.", func(context.Context, struct{}) (string, error) { return "hello", nil }, may...)
}
