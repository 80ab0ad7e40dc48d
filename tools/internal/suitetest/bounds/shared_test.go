// Package bounds_test has the tests of what holds for every result and every page.
package bounds_test

import (
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call         = suitetest.Call
	encode       = suitetest.Encode
	holds        = suitetest.Holds
	linesOf      = suitetest.LinesOf
	newSuite     = suitetest.New
	normal       = suitetest.Normal
	noticeOf     = suitetest.NoticeOf
	randomLimits = suitetest.RandomLimits
	randomText   = suitetest.RandomText
	randomTree   = suitetest.RandomTree
	snapshot     = suitetest.Snapshot
	special      = suitetest.Special
)

func TestMain(m *testing.M) { suitetest.Main(m) }
