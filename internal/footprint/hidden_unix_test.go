//go:build unix

package footprint

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/shellpath"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// someHidden is a workspace of small names, of which some are hidden.
func someHidden(t *testing.T) *workspace.Workspace {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, name := range []string{"a", "ab", ".a", "b/a", "b/.b", "b/c/a", "c/ab", "c/b/a", "bb/a", "[a]", "b/{a}", "*a", "a b"} {
		testkit.WriteFile(t, filepath.Join(dir, name), "")
	}
	need.Symlink(t, "c", filepath.Join(dir, "l"))
	need.Symlink(t, filepath.Join("c", "b", "a"), filepath.Join(dir, "b", "l"))
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	files, err := hidden.New(dir, "", []string{"/b/a", "c/b/", ".b", "/bb", "b/{a}"}, "")
	require.NoError(t, err)
	ws.Hide(files.Look)
	return ws
}

// A command is refused for a pattern if, and only if, bash makes the name of a hidden file of it.
func TestPatternsAgainstBash(t *testing.T) {
	need.Program(t, "bash")
	ws := someHidden(t)
	pieces := []string{"*", "?", "[ab]", "[!a]", "[a-c]", "[[:alpha:]]", "a", "b", "c", "l", "/", "/", "/", ".", "..", `\*`, `\[`, "{", "}", "'a'", `"b"`, "[", "]", "**", "{a,b}", "{a,?}", "./"}
	r := rand.New(rand.NewPCG(1, 2))
	var words []string
	for len(words) < testkit.Some(5000) {
		word := ""
		for range 1 + r.IntN(6) {
			word += pieces[r.IntN(len(pieces))]
		}
		if strings.ContainsAny(word, "*?[") && !strings.HasPrefix(word, "/") { // names that are written out, others test
			words = append(words, word)
		}
	}
	script := ""
	for _, word := range words {
		script += "printf '%s\\0' " + word + "; printf '\\n\\0'\n"
	}
	bash := exec.Command("bash", "-s")
	bash.Dir, bash.Env = ws.Dir(), []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
	bash.Stdin = strings.NewReader(script)
	out, err := bash.Output()
	require.NoError(t, err)
	became := strings.Split(string(out), "\n\x00")
	require.Len(t, became, len(words)+1)
	finder, isHidden, refused := shellpath.New(ws.Dir(), nil), ws.Hidden(), 0
	for i, word := range words {
		want := false
		for name := range strings.SplitSeq(strings.TrimSuffix(became[i], "\x00"), "\x00") {
			abs := finder.Find("", name)
			want = want || name != "" && abs != "" && isHidden(abs)
		}
		err := HiddenNamed(t.Context(), ws, finder, "cat "+word, commandline.ParseFor("bash", "cat "+word).Commands, func() bool { return false })
		if err == nil && strings.Contains(word, "{") && strings.ContainsAny(word, `'"\`) {
			continue // braces with quotes around are not expanded
		}
		require.Equal(t, want, err != nil, "%s becomes %q: %v", word, became[i], err)
		if want {
			refused++
		}
	}
	t.Logf("%d of %d are refused", refused, len(words))
}

// Over the bounds it is not known what a pattern stands for, and nothing more is looked at.
func TestPatternsAreBounded(t *testing.T) {
	ws := someHidden(t)
	looks := func(line string, left int, until time.Time) (*patterns, bool) {
		p := newPatterns(ws, line)
		p.left, p.until = left, until
		j := judge{Finder: shellpath.New(ws.Dir(), nil), ctx: context.Background(), hidden: ws.Hidden(), patterns: func() *patterns { return p }}
		return p, j.expands(line, "")
	}
	later := time.Now().Add(time.Hour)
	_, found := looks("b*/*", maxListed, later)
	require.True(t, found)
	_, found = looks("b*/*", 3, later)
	require.False(t, found)
	_, found = looks("b*/*", maxListed, time.Now())
	require.False(t, found)
	for _, line := range []string{strings.Repeat("*/../", 800) + "none", strings.Repeat("**/", 1000) + "none"} {
		p := newPatterns(ws, line)
		p.stars, p.until = true, later
		p.left = 2000
		j := judge{Finder: shellpath.New(ws.Dir(), nil), ctx: context.Background(), hidden: ws.Hidden(), patterns: func() *patterns { return p }}
		require.False(t, j.expands(line, ""))
		require.LessOrEqual(t, p.left, 0)
	}
	_, found = looks(strings.Repeat("[b]", maxPattern)+"*", maxListed, later)
	require.False(t, found)
}
