// Package search_test has the tests of grep, find and ls.
package search_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call         = suitetest.Call
	countedLines = suitetest.CountedLines
	holds        = suitetest.Holds
	jobOf        = suitetest.JobOf
	newSuite     = suitetest.New
)

const (
	long = suitetest.Long
)

func TestMain(m *testing.M) { suitetest.Main(m) }
