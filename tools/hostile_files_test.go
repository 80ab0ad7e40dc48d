package tools_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// All that the searchers of a call hold together is bounded, however many there are.
func TestGrepHoldsLittleOfManyFiles(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	write := func(name, text string, n int) {
		for i := range n {
			path := filepath.Join(dir, name, fmt.Sprintf("%03d", i))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	wide := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune(strings.Repeat("漢字 ", testkit.Some(3_300_000)))) {
		wide = append(wide, byte(c), byte(c>>8))
	}
	empty := testkit.Some(1_000_000)
	write("lines", strings.Repeat("one long line ", testkit.Some(1_400_000)), 8)
	write("wide", string(wide), 3)
	write("empty", strings.Repeat("\n", empty), 10)
	for _, p := range []tools.GrepParams{
		{Path: "lines", Pattern: "needle", Context: 5},
		{Path: "lines", Pattern: "needle", Multiline: true},
		{Path: "wide", Pattern: "needle", Context: 5},
		{Path: "wide", Pattern: "needle", Multiline: true},
		{Path: "lines", Pattern: `(?:\w+ ){40}needle`},
		{Path: "empty", Pattern: "^", Offset: 10*empty - 10, Limit: math.MaxInt, Context: 10},
		{Path: "empty", Pattern: "^$", Multiline: true, Limit: 5},
	} {
		held := peak(t, func() {
			_, err := s.Grep(t.Context(), p)
			require.NoError(t, err)
		})
		t.Logf("%+v: %d MiB", p, held>>20)
		require.Less(t, held, uint64(200<<20), "%+v", p)
	}
}
