package readonly_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/readonly"
)

// TestWrites compares the paths that commands write to, in the form of testdata/writes.txt.
func TestWrites(t *testing.T) {
	for _, r := range rows(t, "testdata/writes.txt") {
		if got := written(r.command); got != r.verdict {
			t.Errorf("%s: writes %s, and not %s", r.command, got, r.verdict)
		}
	}
}

func written(command string) string {
	var paths []string
	by := ""
	for _, w := range readonly.Writes(words(command)) {
		name := "?"
		if w.Path.Known {
			name = w.Path.Text
		}
		if w.By != "" {
			by = "@" + w.By
		}
		if !slices.Contains(paths, name) {
			paths = append(paths, name)
		}
	}
	if paths == nil {
		return "~"
	}
	return strings.Join(paths, " ") + by
}

// TestWritesOrNot: a command that is known to change nothing has no path that it writes to.
func TestWritesOrNot(t *testing.T) {
	for _, file := range []string{"testdata/commands.txt", "testdata/reported.txt", "testdata/writes.txt"} {
		for _, r := range rows(t, file) {
			if strings.Contains(r.command, "$") || readonly.Check(words(r.command)) != "" {
				continue
			}
			if got := written(r.command); got != "~" {
				t.Errorf("%s changes nothing, and writes %s", r.command, got)
			}
		}
	}
}
