package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// Wherever the context ends, find and ls fail with its error, or give all there is.
func TestListsEndWithTheirContext(t *testing.T) {
	files := map[string]string{}
	many := 300
	if testing.Short() {
		many = 100
	}
	for i := range many {
		files[fmt.Sprintf("d%d/%d", i%3, i)] = ""
	}
	s := newSuite(t, config.Config{}, files)
	for tool, args := range map[string]string{
		"find": `{"pattern": "*"}`, "find by time": `{"pattern": "*", "sort": "mtime"}`, "ls": `{"path": "d0"}`,
	} {
		tool, _, _ := strings.Cut(tool, " ")
		whole, err := s.Call(t.Context(), tool, []byte(args))
		require.NoError(t, err)
		ended := 0
		for n := 0; ; n++ {
			res, err := s.Call(testkit.EndsAfter(t.Context(), n), tool, []byte(args))
			if err == nil {
				require.Equal(t, whole.Text, res.Text, "%s, %d", tool, n)
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.True(t, res.IsError)
			ended++
		}
		require.Greater(t, ended, 5, tool)
	}
}

// A path that is longer than the limit is cut, and what is behind it can be reached.
func TestFindGoesPastALongPath(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("b", 200)
	deep := strings.Repeat(long+"/", 7) + "x"
	s := newSuite(t, config.Config{Find: config.Find{MaxBytes: 1024}}, map[string]string{"a": "", deep: "", "c": ""})
	require.NoError(t, os.Chtimes(filepath.Join(s.Workspace(), "a"), time.Time{}, time.Unix(1, 0)))
	for _, args := range []tools.FindParams{
		{Pattern: "*", Type: "file"}, {Pattern: "*", Type: "file", Sort: "mtime"}, {Pattern: "[ax]", Type: "file"}, {Pattern: "[ax]", Type: "file", Sort: "mtime"},
	} {
		var paths []string
		for range 10 {
			res := suitetest.Do(t, s.Find, args)
			require.LessOrEqual(t, len(res.Text), 2048)
			require.NotEmpty(t, res.Entries)
			for _, e := range res.Entries {
				paths = append(paths, e.Path)
			}
			if args.Offset = res.NextOffset; args.Offset == 0 {
				break
			}
		}
		slices.Sort(paths)
		want := []string{"a", deep, "c"}
		if args.Pattern != "*" { // the long one comes last, or first
			want = want[:2]
		}
		require.Equal(t, want, paths, "%+v", args)
	}
}

// A name that is written as a notice is in quotes, and can be written back.
func TestNamesThatLookLikeNotices(t *testing.T) {
	t.Parallel()
	name := "[" + suitetest.Limited(5, "entry") + "]"
	quoted := `"` + name + `"`
	s := newSuite(t, config.Config{}, map[string]string{name: "needle\n", "d/" + name: "", "[d]/x": ""})
	require.Equal(t, quoted+"\n"+`"[d]"/`+"\nd/", call(t, s, "ls", map[string]any{}).Text)
	require.Equal(t, quoted+"\nd/"+name, call(t, s, "find", map[string]any{"pattern": "*5*"}).Text)
	require.Equal(t, `"[d]/x"`, call(t, s, "find", map[string]any{"pattern": "x"}).Text)
	require.Equal(t, quoted+":1: needle", call(t, s, "grep", map[string]any{"pattern": "needle"}).Text)
	require.Equal(t, "needle\n", call(t, s, "read", map[string]any{"path": quoted}).Text)
	require.Equal(t, "needle\n", call(t, s, "read", map[string]any{"path": name}).Text)
	require.Equal(t, "x", call(t, s, "ls", map[string]any{"path": `"[d]"/`}).Text)
}

// A path of any length is answered at once.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": ""})
	many := testkit.Some(100_000)
	for kind, path := range map[string]string{
		"names":     strings.Repeat("a/", many),
		"dots":      strings.Repeat("../", many),
		"lines":     strings.Repeat("a:1", many),
		"quoted":    `"` + strings.Repeat(`\141`, many) + `"`,
		"one over":  strings.Repeat("/a", 6*1024) + "/",
		"unwrapped": "`" + strings.Repeat("a", 12*1024) + "`",
	} {
		for _, tool := range []string{"read", "grep", "find", "ls", "bash"} {
			testkit.Within(t, time.Minute, func() {
				args := map[string]any{"path": path, "pattern": "x"}
				switch tool {
				case "bash":
					args = map[string]any{"command": "true", "cwd": path}
				case "read", "ls":
					delete(args, "pattern")
				}
				res := call(t, s, tool, args)
				require.True(t, strings.HasPrefix(res.Text, fmt.Sprintf("invalid_input: the path is too long: it has %d bytes, over the limit of 12288", len(path))),
					"%s %s: %.200s", tool, kind, res.Text)
			})
		}
	}
	// Up to the bound the file system decides.
	require.Contains(t, call(t, s, "ls", map[string]any{"path": strings.Repeat("b/", 6*1024)}).Text, "not_found")
}

// A directory for full outputs whose ignore file has become something else.
func TestIgnoreFileOfTheSpillDirectory(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{".clarvis/.gitignore": "*\n", "a": ""})
	find := func() (text string) {
		testkit.Within(t, time.Minute, func() { text = call(t, s, "find", map[string]any{"pattern": "*"}).Text })
		return text
	}
	require.Equal(t, "a", find())
	name := filepath.Join(s.Workspace(), ".clarvis", ".gitignore")
	require.NoError(t, os.Truncate(name, 1<<40))
	require.Contains(t, find(), ".clarvis/\n")
	require.NoError(t, os.Remove(name))
	need.Symlink(t, "../a", name)
	require.Contains(t, find(), ".clarvis/\n")
}

// What a configuration of git includes again and again does not hold up the
// search for names that are alike.
func TestMissingPathBesideHostileConfiguration(t *testing.T) {
	t.Parallel()
	again := "[include]\n" + strings.Repeat("path = config\n", 10)
	s := newSuite(t, config.Config{}, map[string]string{
		".git/HEAD": "", ".git/objects/x": "", ".git/refs/x": "", ".git/config": again, "main.go": ""})
	testkit.Within(t, time.Minute, func() {
		require.Equal(t, "not_found: mian.go does not exist. Did you mean main.go?", call(t, s, "read", map[string]any{"path": "mian.go"}).Text)
	})
}

func TestIgnoreFileThatIsTooLong(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a/.gitignore": strings.Repeat("#\n", 100_000) + "x\n", "a/x": "needle\n"})
	const said = "[Applied only the first 100000 lines of a/.gitignore: files that later lines ignore are included]"
	require.Equal(t, "a/x\n\n"+said, call(t, s, "find", map[string]any{"pattern": "x"}).Text)
	require.Equal(t, "a/x:1: needle\n\n"+said, call(t, s, "grep", map[string]any{"pattern": "needle"}).Text)
	found := suitetest.Do(t, s.Find, tools.FindParams{Pattern: "x"})
	require.Equal(t, 1, found.RulesCut)
	searched := suitetest.Do(t, s.Grep, tools.GrepParams{Pattern: "needle"})
	require.Equal(t, 1, searched.RulesCut)
}

func TestFindByTimeIsBounded(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": ""})
	require.Equal(t, "invalid_input: offset 9999 is beyond the end: there are 1 results",
		call(t, s, "find", map[string]any{"pattern": "*", "sort": "mtime", "offset": 9999}).Text)
	require.Equal(t, "invalid_input: offset 10000 is beyond the 10000 results that sort=mtime gives. Use a narrower pattern or path, or sort=path",
		call(t, s, "find", map[string]any{"pattern": "*", "sort": "mtime", "offset": 10_000}).Text)
}
