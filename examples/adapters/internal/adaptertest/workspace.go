// Package adaptertest is what the tests of the adapters share: a workspace, the
// calls that a scripted model makes in it, a server that answers with them, and a
// command whose processes must be gone.
package adaptertest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// Open makes a workspace with a log of 300 lines, half of them errors, and a
// picture. It panics where that fails, so that examples can use it.
func Open() (suite *tools.Suite, closeAll func()) {
	dir, err := os.MkdirTemp("", "adapter")
	check(err)
	var log strings.Builder
	for i := 1; i <= 150; i++ {
		fmt.Fprintf(&log, "info request %d\nerror request %d\n", i, i)
	}
	check(os.WriteFile(filepath.Join(dir, "server.log"), []byte(log.String()), 0o600))
	check(os.WriteFile(filepath.Join(dir, "logo.png"), PNG(), 0o600))
	suite, err = tools.New(config.Config{Workspace: dir})
	check(err)
	return suite, func() {
		check(suite.Close())
		check(os.RemoveAll(dir))
	}
}

// Suite is [Open] for a test.
func Suite(tb testing.TB) *tools.Suite {
	suite, closeAll := Open()
	tb.Cleanup(closeAll)
	return suite
}

// PNG is the picture in the workspace.
func PNG() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 4, 3))
	img.Set(1, 1, color.RGBA{R: 200, A: 255})
	var buf bytes.Buffer
	check(png.Encode(&buf, img))
	return buf.Bytes()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
