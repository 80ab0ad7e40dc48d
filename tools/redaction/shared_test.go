// Package redaction_test has the tests of secrets that are withheld.
package redaction_test

import (
	"os"
	"testing"

	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call        = suitetest.Call
	contentOf   = suitetest.ContentOf
	contents    = suitetest.Contents
	githubToken = suitetest.GithubToken
	newSuite    = suitetest.New
	nothingIn   = suitetest.NothingIn
	tokenValue  = suitetest.TokenValue
	whole       = suitetest.Whole
)

const (
	knownValue = suitetest.KnownValue
)

// The environment of all these tests has KnownValue.
func TestMain(m *testing.M) {
	os.Setenv("DEPLOY_TOKEN", suitetest.KnownValue)
	suitetest.Main(m)
}
