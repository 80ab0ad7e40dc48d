package files_test

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

var linkTold = regexp.MustCompile(`set path=(\S+) and (pattern|glob)=(\S+)`)

// A glob through a link to a directory finds nothing, and says which path does.
func TestGlobThroughLink(t *testing.T) {
	files := map[string]string{"real/a.md": "hi\n", "real/sub/b.md": "hi\n", "d/c.md": "hi\n", "e/f.txt": "hi\n"}
	s := newSuite(t, config.Config{}, files)
	outside := t.TempDir()
	for name, to := range map[string]string{"lnk": "real", "d/in": "../real", "file": "e/f.txt", "out": outside, "broken": "nowhere",
		"abs": filepath.Join(s.Workspace(), "real")} {
		need.Symlink(t, to, filepath.Join(s.Workspace(), name))
	}
	for _, test := range []struct{ path, glob, found string }{ // found is the first result of the call that is told
		{"", "lnk/**/*.md", "lnk/a.md"},
		{"", "lnk/*.md", "lnk/a.md"},
		{"", "./lnk/sub/*.md", "lnk/sub/b.md"},
		{"", "lnk/sub/b.md", "lnk/sub/b.md"},
		{"", "d/in/**", "d/in/a.md"},
		{"d", "in/**/b.md", "d/in/sub/b.md"},
		{"", "abs/**/*.{md,txt}", "abs/a.md"},
		{"", "file/**", ""}, {"", "out/**", ""}, {"", "broken/**", ""}, {"", "l*/none", ""}, {"", "real/none/*", ""},
	} {
		for tool, argument := range map[string]string{"find": "pattern", "grep": "glob"} {
			args := map[string]any{"path": test.path, argument: test.glob}
			if tool == "grep" {
				args["pattern"], args["output_mode"] = "hi", "files_with_matches"
			}
			none := call(t, s, tool, args).Text
			require.Regexp(t, "^No (matches|files) found", none)
			told := linkTold.FindStringSubmatch(none)
			if test.found == "" {
				require.Nil(t, told, none)
				continue
			}
			require.NotNil(t, told, none)
			next := maps.Clone(args)
			next["path"], next[told[2]] = told[1], told[3]
			require.Equal(t, argument, told[2])
			require.Equal(t, test.found, firstLine(call(t, s, tool, next).Text), none)
		}
	}
}

// find takes globs with commas as grep does, where no name has those.
func TestFindListOfGlobs(t *testing.T) {
	s := newSuite(t, config.Config{}, map[string]string{
		"a.md": "x\n", "b.txt": "x\n", "c/d.md": "x\n", "c/e_test.md": "x\n", "f,g.go": "x\n", "h.go": "x\n",
	})
	for _, pattern := range []string{
		"*.md,*.txt", "*.md, *.txt", "*.md,!*_test.md", "c/*.md,b.*", "*.md,!c/**", "{a,b}.*,none", "*.md,*.txt,",
	} {
		found := call(t, s, "find", map[string]any{"pattern": pattern, "type": "file"})
		listed := call(t, s, "grep", map[string]any{"pattern": "x", "glob": pattern, "output_mode": "files_with_matches"})
		require.Equal(t, entries(found), entries(listed), "%s: %s", pattern, found.Text)
		require.NotEmpty(t, entries(found), pattern)
		require.Contains(t, found.Text, "matches nothing, so ")
	}
	require.Equal(t, "f,g.go", call(t, s, "find", map[string]any{"pattern": "f,*.go"}).Text)
	require.Contains(t, call(t, s, "find", map[string]any{"pattern": "*.rs,*.c"}).Text, "No files found")
}

// entries returns the paths of a result of find or grep.
func entries(res tools.Result) (list []string) {
	switch d := res.Details.(type) {
	case tools.FindResult:
		for _, e := range d.Entries {
			list = append(list, e.Path)
		}
	case tools.GrepResult:
		for _, l := range d.Lines {
			list = append(list, l.Path)
		}
	}
	return list
}

// The URL of a file is taken for its path, and confined like that.
func TestFileURLs(t *testing.T) {
	s := newSuite(t, config.Config{Tools: config.ToolNames()}, map[string]string{"a b/é%.txt": "hi\n", "e.txt": "hi\n"})
	of := func(path string) string {
		abs := filepath.ToSlash(filepath.Join(s.Workspace(), path))
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(abs, "/")}).String()
	}
	require.Contains(t, of("a b/é%.txt"), "a%20b/%C3%A9%25.txt")
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"read", map[string]any{"path": of("a b/é%.txt")}, "hi\n"},
		{"read", map[string]any{"path": of("e.txt") + "#L1"}, "hi\n"},
		{"grep", map[string]any{"pattern": "hi", "path": of("a b")}, "a b/é%.txt:1: hi\n"},
		{"find", map[string]any{"pattern": "*", "path": of("a b")}, "a b/é%.txt\n"},
		{"ls", map[string]any{"path": of("a b")}, "é%.txt\n"},
		{"edit", map[string]any{"path": of("e.txt"), "old_string": "hi", "new_string": "ho"}, "Edited e.txt"},
		{"write", map[string]any{"path": of("new dir/n.txt"), "content": "n\n"}, "Created new dir/n.txt"},
		{"apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Add File: " + of("p.txt") + "\n+x\n*** Update File: " +
			of("e.txt") + "\n@@\n-ho\n+hu\n*** End Patch"}, "Created p.txt"},
	} {
		require.Contains(t, call(t, s, c.tool, c.args).Text+"\n", c.want, "%v", c.args)
	}
	require.NoFileExists(t, filepath.Join(s.Workspace(), "file:"))
	outside := filepath.Join(t.TempDir(), "x.txt")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	for _, url := range []string{"file:///" + strings.TrimPrefix(filepath.ToSlash(outside), "/"), of("../x"), "file:///%2e%2e/x"} {
		res := call(t, s, "read", map[string]any{"path": url})
		require.Equal(t, tools.CodePathEscape, res.Details.(*tools.Error).Code, res.Text)
		res = call(t, s, "write", map[string]any{"path": url, "content": "x"})
		require.Equal(t, tools.CodePathEscape, res.Details.(*tools.Error).Code, res.Text)
	}
	res, want := call(t, s, "read", map[string]any{"path": "file://elsewhere/e.txt"}), tools.CodeNotFound
	if runtime.GOOS == "windows" {
		want = tools.CodePathEscape
	}
	require.Equal(t, want, res.Details.(*tools.Error).Code, res.Text)
}

// What a repository has git read outside of the workspace is not read. A search says so, once to each reader.
func TestRulesOutside(t *testing.T) {
	testkit.IsolateGit(t)
	s := newSuite(t, config.Config{}, map[string]string{"a.log": "x\n", "in/b.log": "x\n", "in.rules": "b.log\n"})
	git := func(dir string, args ...string) { testkit.Git(t, filepath.Join(s.Workspace(), dir), args...) }
	rules := filepath.Join(t.TempDir(), "rules")
	require.NoError(t, os.WriteFile(rules, []byte("a.log\n"), 0o644))
	git(".", "init", "-q")
	git(".", "config", "core.excludesFile", rules)
	git("in", "init", "-q", "--separate-git-dir", filepath.Join(s.Workspace(), "elsewhere.git"))
	git("in", "config", "core.excludesFile", filepath.Join(s.Workspace(), "in.rules"))
	said := "[Git also reads " + rules + ", outside of the workspace, so it may ignore more]"
	found := call(t, s, "find", map[string]any{"pattern": "*.log"}).Text
	require.Contains(t, found, "a.log\n\n")
	require.Contains(t, found, "[Skipped 1 ignored entry: in/b.log.")
	require.Contains(t, found, said[1:len(said)-1])
	for _, args := range []map[string]any{{"pattern": "x", "glob": "a*"}, {"pattern": "x", "path": "in", "ignored": true}} {
		require.NotContains(t, call(t, s, "grep", args).Text, "Git also reads", "it was said before")
	}
	require.Contains(t, call(t, s, "grep", map[string]any{"pattern": "qqqq"}).Text, said[1:len(said)-1])
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "qqqq", "path": "in"}).Text, "Git also reads")
}
