package calls_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// All that the searchers of a call hold together is bounded, however many there are.
func TestGrepHoldsLittleOfManyFiles(t *testing.T) {
	if testkit.Race || testing.Short() {
		t.Skip("with a tenth of the text, they could hold all of it")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	// write makes n files of the same text, which is written once. Each is the first of a batch that
	// one searcher takes: behind 16 files, which are searched one by one, come 8, and twice as many
	// each time up to 64. All others have nothing in them.
	write := func(name, text string, n int) {
		path := func(i int) string { return filepath.Join(dir, name, fmt.Sprintf("%03d", i)) }
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		require.NoError(t, os.WriteFile(path(16), []byte(text), 0o644))
		for i := range 16 {
			require.NoError(t, os.WriteFile(path(i), nil, 0o644))
		}
		at, size := 16, 8
		for range n - 1 {
			for i := at + 1; i < at+size; i++ {
				require.NoError(t, os.Link(path(0), path(i)))
			}
			at, size = at+size, min(2*size, 64)
			require.NoError(t, os.Link(path(16), path(at)))
		}
	}
	const empty = 1_000_000
	write("lines", strings.Repeat("one long line ", 1_400_000), 5)
	write("wide", "\xff\xfe"+strings.Repeat("\x22\x6f\x57\x5b\x20\x00", 3_300_000), 3) // "漢字 "
	write("empty", strings.Repeat("\n", empty), 10)
	for _, p := range []tools.GrepParams{
		{Path: "lines", Pattern: "needle", Multiline: true},
		{Path: "wide", Pattern: "needle", Context: 5},
		{Path: "wide", Pattern: "needle", Multiline: true},
		{Path: "lines", Pattern: `(?:\w+ ){40}needle`, Context: 5},
		{Path: "empty", Pattern: "^", Offset: 10*empty - 10, Limit: math.MaxInt, Context: 10},
		{Path: "empty", Pattern: "^$", Multiline: true, Limit: 5},
	} {
		held := peak(t, func() {
			_, err := s.Grep(t.Context(), p)
			require.NoError(t, err)
		})
		t.Logf("%+v: %d MiB", p, held>>20)
		require.Less(t, held, uint64(150<<20), "%+v", p)
	}
}
