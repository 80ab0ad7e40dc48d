package search_test

import (
	"os"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}
