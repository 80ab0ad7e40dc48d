// Package calls_test has the tests of calls as such, of tools of any kind.
package calls_test

import (
	"os"
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call         = suitetest.Call
	countedLines = suitetest.CountedLines
	detailsOf    = suitetest.DetailsOf
	holds        = suitetest.Holds
	job          = suitetest.Job
	newSuite     = suitetest.New
	nothingIn    = suitetest.NothingIn
	patchSuite   = suitetest.AllTools
	sorted       = suitetest.Sorted
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
	suitetest.Main(m)
}
