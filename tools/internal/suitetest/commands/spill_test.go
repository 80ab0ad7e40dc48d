package commands_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestSpillsKeepToTheirLimit has commands whose outputs are each larger than all
// together may be.
// It is alone: a process that another test starts may hold the lock of a sweep for a moment, which is then left out.
func TestSpillsKeepToTheirLimit(t *testing.T) {
	need.Shell(t)
	for _, split := range []bool{false, true} {
		s := newSuite(t, config.Config{Spill: config.Spill{MaxTotalBytes: 500_000}, Bash: config.Bash{SplitStreams: split}}, nil)
		spills := func() (n int) {
			found, err := os.ReadDir(filepath.Join(s.Workspace(), ".clarvis"))
			require.NoError(t, err)
			for _, f := range found {
				if filepath.Ext(f.Name()) == ".log" {
					n++
				}
			}
			return n
		}
		rounds := 6
		if testing.Short() {
			rounds = 3
		}
		for range rounds {
			res, err := s.Bash(t.Context(), tools.BashParams{Command: "head -c 600000 /dev/zero | tr '\\0' x; head -c 600000 /dev/zero | tr '\\0' y >&2"})
			require.NoError(t, err)
			want := 1
			require.FileExists(t, filepath.Join(s.Workspace(), res.FullOutputPath))
			if split {
				want = 2
				require.FileExists(t, filepath.Join(s.Workspace(), res.FullStderrPath))
			}
			require.Eventually(t, func() bool { return spills() == want }, time.Minute, time.Millisecond)
		}
	}
}
