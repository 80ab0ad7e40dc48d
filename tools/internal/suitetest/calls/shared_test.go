// Package calls_test has the tests of calls as such, of tools of any kind, and of what holds for every result and every page.
package calls_test

import (
	"os"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call         = suitetest.Call
	countedLines = suitetest.CountedLines
	detailsOf    = suitetest.DetailsOf
	encode       = suitetest.Encode
	holds        = suitetest.Holds
	job          = suitetest.Job
	linesOf      = suitetest.LinesOf
	newSuite     = suitetest.New
	normal       = suitetest.Normal
	nothingIn    = suitetest.NothingIn
	noticeOf     = suitetest.NoticeOf
	patchSuite   = suitetest.AllTools
	randomLimits = suitetest.RandomLimits
	randomText   = suitetest.RandomText
	randomTree   = suitetest.RandomTree
	snapshot     = suitetest.Snapshot
	sorted       = suitetest.Sorted
	special      = suitetest.Special
	tokenValue   = suitetest.TokenValue
	whole        = suitetest.Whole
)

const (
	knownValue = suitetest.KnownValue
	long       = suitetest.Long
)

// The environment of all these tests has KnownValue.
func TestMain(m *testing.M) {
	os.Setenv("DEPLOY_TOKEN", suitetest.KnownValue)
	testkit.OwnNamespace()
	suitetest.Main(m)
}
