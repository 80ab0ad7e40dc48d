package readonly_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
)

// TestWritesInReality runs the lines of testdata/writes.txt: each path that Writes names is changed, and nothing else.
func TestWritesInReality(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs a hundred programs")
	}
	like := newPlace(t)
	for _, r := range rows(t, "testdata/writes.txt") {
		name, _, _ := strings.Cut(r.command, " ")
		if r.why == "no" || !installed(name) {
			continue
		}
		p := like.copy(t)
		if setup := strings.TrimPrefix(r.why, "-"); setup != "" {
			if out, err := p.run(setup, nil); err != nil {
				t.Fatalf("%s: %v: %s", setup, err, out)
			}
		}
		before := p.state(t)
		out, err := p.run(strings.NewReplacer("(", `\(`, ")", `\)`).Replace(r.command)+" </dev/null", nil)
		changed := difference(before, p.state(t))
		paths, _, _ := strings.Cut(r.verdict, "@")
		for path := range strings.FieldsSeq(paths) {
			if path == "~" {
				assert.Nil(t, changed, r.command)
				continue
			}
			found := false
			for _, c := range changed {
				rest, ok := strings.CutPrefix(strings.TrimPrefix(c, "tree/"), path)
				found = found || ok && (rest[0] == ':' || rest[0] == ' ' || rest[0] == '/') || path == "."
			}
			assert.True(t, found, "%s: %s is not among %q: %v %s", r.command, path, changed, err, out)
		}
		for _, c := range changed {
			name, _, _ := strings.Cut(strings.TrimPrefix(c, "tree/"), ":")
			name = strings.TrimSuffix(name, " is new")
			within := strings.HasPrefix(name, ".git/") || name == ".git"
			for path := range strings.FieldsSeq(paths) {
				within = within || name == path || strings.HasPrefix(name, path+"/") ||
					strings.HasPrefix(name, path+".") || path == "." || path == "newaa"
			}
			if !within && name != "tree" {
				t.Errorf("%s: changed %s, too", r.command, c)
			}
		}
	}
}
