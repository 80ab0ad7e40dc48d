package spill

import (
	"os"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.OwnNamespace()
	testkit.InMemory()
	os.Exit(m.Run())
}
