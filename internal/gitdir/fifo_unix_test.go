//go:build unix

package gitdir

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// A directory is not waited for that has become one since it was looked for.
func TestPlacesThatAreFIFOs(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	r := &Repository{Root: fifo, places: []string{fifo}}
	for name, open := range map[string]opener{"OpenFile": r.OpenFile, "OpenPlain": r.OpenPlain} {
		testkit.Within(t, time.Minute, func() {
			if _, err := open(filepath.Join(fifo, "config")); !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
