package readonly_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/stretchr/testify/assert"
)

// TestWrites compares the paths that commands write to, in the form of testdata/writes.txt.
func TestWrites(t *testing.T) {
	for _, r := range rows(t, "testdata/writes.txt") {
		assert.Equal(t, r.verdict, written(r.command), r.command)
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
			assert.Equal(t, "~", written(r.command), r.command)
		}
	}
}
