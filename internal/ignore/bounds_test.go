package ignore

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestTopEnds(t *testing.T) {
	testkit.IsolateGit(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Top(ctx, t.TempDir(), Options{}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// Rules over the bounds are passed over, and told of.
func TestCut(t *testing.T) {
	home := testkit.IsolateGit(t)
	root := filepath.Join(home, "r")
	line := strings.Repeat("x", 99) + "\n"
	for kind, tt := range map[string]struct {
		rules string
		lines int // that count
		whole bool
	}{
		"all lines":      {strings.Repeat("#\n", maxLines-1) + "last\n", maxLines, true},
		"too many lines": {strings.Repeat("#\n", maxLines) + "last\n", maxLines, false},
		"all bytes":      {strings.Repeat(line, maxBytes/100-1) + "last\n", maxBytes / 100, true},
		"too many bytes": {strings.Repeat(line, maxBytes/100) + "##\n" + line + "last\n", maxBytes/100 + 1, false},
		"one long line":  {strings.Repeat("x", maxBytes) + "\nlast\n", 0, false},
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.WriteFile(t, filepath.Join(root, FileName), tt.rules)
			var told []string
			lines := -1
			o := func(file string, n int) { told, lines = append(told, file), n }
			d := mustTop(t, root, o)
			require.Equal(t, tt.whole, d.Ignored("last", false), "the last line counts: %v; told of %q", !tt.whole, told)
			require.Equal(t, tt.whole, len(told) == 0, "the last line counts: %v; told of %q", !tt.whole, told)
			if !tt.whole && (lines != tt.lines || told[0] != filepath.Join(d.tree.root, FileName)) {
				t.Errorf("told of %d lines in %q", lines, told)
			}
			// The same file further down has what room is left, which is none.
			told = nil
			sub := d.Enter("sub", []byte(tt.rules), false)
			require.Equal(t, tt.whole, sub.Ignored("last", false), "further down: told of %q", told)
			require.NotEmpty(t, told)
		})
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		content string
		room    size
		want    string
		lines   int
	}{
		{"a\nb\nc\n", size{6, 3}, "a\nb\nc\n", 3},
		{"a\nb", size{3, 1}, "a\nb", 1}, // the end of the last line is not counted
		{"a\nb\nc\n", size{6, 2}, "a\nb\n", 2},
		{"a\nb\nc\n", size{5, 3}, "a\nb\n", 2},
		{"a\nb\nc\n", size{1, 3}, "", 0},
		{"a\nb\nc\n", size{0, 0}, "", 0},
	} {
		got, lines, whole := fit([]byte(tt.content), tt.room)
		if string(got) != tt.want || lines != tt.lines || whole != (tt.want == tt.content) {
			t.Errorf("%q in %v: %q, %d lines, whole %v", tt.content, tt.room, got, lines, whole)
		}
	}
}
