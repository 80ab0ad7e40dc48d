package access_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// misspelt are names that do not exist, with those that are meant: the kinds of what is corrected.
var misspelt = []struct {
	kind, name, written string
	unixOnly            bool // Windows has no such name, or no such difference
}{
	{"typographic quote for a plain one", "it's.txt", "it’s.txt", false},
	{"plain quote for a typographic one", "it’s.txt", "it's.txt", false},
	{"double quotes", "a “b” c.txt", "a „b‟ c.txt", false},
	{"composed", "caf\u00e9.txt", "cafe\u0301.txt", false},
	{"decomposed", "cafe\u0301.txt", "caf\u00e9.txt", false},
	{"no-break space", "a b.txt", "a\u00a0b.txt", false},
	{"plain space for a narrow one", "at 10\u202fAM.txt", "at 10 AM.txt", false}, // as macOS names screenshots
	{"dash", "a-b.txt", "a–b.txt", false},
	{"zero width", "ab.txt", "a\u200bb.txt", false},
	{"at", "plain.txt", "@plain.txt", false},
	{"spaces around", "plain.txt", " plain.txt ", true},
	{"backticks", "plain.txt", "`plain.txt`", false},
	{"single quotes", "plain.txt", "'plain.txt'", false},
	{"line", "plain.txt", "plain.txt:2", false},
	{"line and column", "plain.txt", "plain.txt:2:5", false},
	{"lines", "plain.txt", "plain.txt#L1-L2", false},
	{"at and line", "plain.txt", "@plain.txt:1", false},
	{"backslash", "sub/plain.txt", `sub\plain.txt`, true},
	{"backslash of a shell", "a b.txt", `a\ b.txt`, true},
}

// named returns a suite with all tools of files, and a workspace with a file, or a directory with the file "in".
func named(t *testing.T, name string, dir bool) *tools.Suite {
	t.Helper()
	const text = "one\ntwo needle\n"
	files := map[string]string{name: text}
	if dir {
		files = map[string]string{name + "/in": text}
	}
	all := []string{"read", "bash", "grep", "find", "ls", "write", "edit", "apply_patch"}
	return newSuite(t, config.Config{Tools: all}, files)
}

// tree returns the files and directories of a workspace, but for what the suite itself keeps.
func tree(t *testing.T, s *tools.Suite) (names []string) {
	t.Helper()
	err := filepath.WalkDir(s.Workspace(), func(path string, e fs.DirEntry, err error) error {
		if e.Name() == ".clarvis" {
			return fs.SkipDir
		}
		rel, _ := filepath.Rel(s.Workspace(), path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	require.NoError(t, err)
	return names
}

func patchOf(lines ...string) map[string]any {
	return map[string]any{"patch": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"}
}

// spelt returns a name as a notice of its correction has it.
func spelt(name string) string {
	if strings.TrimSpace(name) != name {
		return quote.Quoted(name)
	}
	return quote.Name(name)
}

// What one tool corrects in a path, every tool corrects, and says.
func TestNamesThatLookAlike(t *testing.T) {
	t.Parallel()
	type argsOf = func(path string) map[string]any
	pathAnd := func(more ...any) argsOf {
		return func(path string) map[string]any {
			args := map[string]any{"path": path}
			for i := 0; i < len(more); i += 2 {
				args[more[i].(string)] = more[i+1]
			}
			return args
		}
	}
	calls := []struct {
		name, tool string
		dir, below bool // the path is that of a directory, or that of a file in there
		args       argsOf
		want       string
	}{
		{"read", "read", false, false, pathAnd("offset", 1), "two needle"},
		{"read digest", "read", true, true, func(path string) map[string]any { return map[string]any{"path": path + "/in", "show": "digest"} }, "two needle"},
		{"read several", "read", false, false, func(path string) map[string]any { return map[string]any{"paths": []string{path}} }, "needle"},
		{"read below", "read", true, true, func(path string) map[string]any { return map[string]any{"path": path + "/in"} }, "two needle"},
		{"grep", "grep", false, false, pathAnd("pattern", "needle"), "two needle"},
		{"grep nothing", "grep", false, false, pathAnd("pattern", "haystack"), notice.NoMatches},
		{"grep dir", "grep", true, false, pathAnd("pattern", "needle"), "two needle"},
		{"find", "find", true, false, pathAnd("pattern", "in"), "in"},
		{"find nothing", "find", true, false, pathAnd("pattern", "out"), "No files found"},
		{"ls", "ls", true, false, pathAnd(), "in"},
		{"bash", "bash", true, false, func(path string) map[string]any { return map[string]any{"cwd": path, "command": "cat in"} }, "two needle"},
		{"edit", "edit", false, false, pathAnd("old_string", "needle", "new_string", "pin"), "+two pin"},
		{"edits below", "edit", true, true, func(path string) map[string]any {
			return map[string]any{"path": path + "/in", "edits": []any{map[string]any{"old_string": "needle", "new_string": "pin"}}}
		}, "+two pin"},
		{"apply_patch", "apply_patch", false, false, func(path string) map[string]any {
			return patchOf("*** Update File: "+path, "@@", "-two needle", "+two pin")
		}, "+two pin"},
		{"apply_patch delete", "apply_patch", false, false, func(path string) map[string]any { return patchOf("*** Delete File: " + path) }, "Deleted"},
		{"apply_patch move", "apply_patch", false, false, func(path string) map[string]any {
			return patchOf("*** Update File: "+path, "*** Move to: moved", "@@", "-two needle", "+two pin")
		}, "Moved"},
	}
	for _, m := range misspelt {
		if m.unixOnly && runtime.GOOS == "windows" {
			continue
		}
		for _, c := range calls {
			t.Run(m.kind+"/"+c.name, func(t *testing.T) {
				dressed := m.name == "plain.txt" // with something around it or behind it, as no directory in a path is
				if dressed && c.below || c.tool == "apply_patch" && strings.Contains(m.kind, "around") {
					t.Skip("it cannot be written so there")
				}
				s := named(t, m.name, c.dir)
				before := tree(t, s)
				res := call(t, s, c.tool, c.args(m.written))
				require.False(t, res.IsError, res.Text)
				require.Contains(t, res.Text, c.want)
				if !strings.Contains(c.name, "delete") && !strings.Contains(c.name, "move") {
					require.Equal(t, before, tree(t, s))
				}
				if c.tool == "read" && strings.HasPrefix(m.kind, "line") {
					require.NotContains(t, res.Text, "does not exist") // it shows them
					return
				}
				used, written := m.name, m.written
				if c.below {
					used, written = used+"/in", m.written+"/in"
				}
				require.Contains(t, res.Text, spelt(written)+" does not exist, so "+quote.Name(used)+" was used")
			})
		}
	}
}

// A file that would look like one that exists is not created, unless its path is in quotes.
func TestTwinsAreRefused(t *testing.T) {
	t.Parallel()
	creates := map[string]func(path string) (tool string, args map[string]any){
		"write": func(path string) (string, map[string]any) {
			return "write", map[string]any{"path": path, "content": "new\n"}
		},
		"edit": func(path string) (string, map[string]any) {
			return "edit", map[string]any{"path": path, "old_string": "", "new_string": "new\n"}
		},
		"add": func(path string) (string, map[string]any) {
			return "apply_patch", patchOf("*** Add File: "+path, "+new")
		},
		"move": func(path string) (string, map[string]any) {
			return "apply_patch", patchOf("*** Update File: other", "*** Move to: "+path, "@@", "-two needle", "+new")
		},
	}
	for _, m := range misspelt {
		if m.unixOnly && runtime.GOOS == "windows" {
			continue
		}
		for name, of := range creates {
			for _, dir := range []bool{false, true} {
				dressed := m.name == "plain.txt"
				trimmed := strings.HasPrefix(name, "add") || name == "move"
				if dir && strings.Contains(m.kind, "line") || trimmed && strings.Contains(m.kind, "around") {
					continue // that is not in the middle of a path, or not seen
				}
				t.Run(fmt.Sprintf("%s/%s/%v", m.kind, name, dir), func(t *testing.T) {
					s := named(t, m.name, dir)
					put(t, s, "other", "one\ntwo needle\n")
					written, meant := m.written, m.name
					if dir {
						meant += "/new"
						if written += "/new"; dressed {
							written = strings.Replace(m.written, m.name, meant, 1)
						}
					}
					before := tree(t, s)
					tool, args := of(written)
					res := call(t, s, tool, args)
					require.Equal(t, tools.CodeNotFound, res.Code, res.Text)
					require.Contains(t, res.Text, quote.Name(written)+" does not exist, but "+quote.Name(m.name)+
						" does; nothing was changed. If you mean that, use the path "+quote.Name(meant)+". To create another "+
						"beside it, put the path in double quotes: "+quote.Quoted(written))
					require.Equal(t, before, tree(t, s))

					if runtime.GOOS == "windows" && strings.ContainsAny(written, ":") || runtime.GOOS == "darwin" {
						return // there is no such name, or it is the same
					}
					tool, args = of(quote.Quoted(written))
					res = call(t, s, tool, args)
					require.False(t, res.IsError, res.Text)
					require.Contains(t, tree(t, s), written)
					require.Subset(t, append(tree(t, s), "other"), before)
				})
			}
		}
	}
}

// lookalikes are calls that change or read the file a–b.txt by another name.
var lookalikes = map[string]map[string]any{
	"read":        {"path": "a-b.txt"},
	"grep":        {"path": "a-b.txt", "pattern": "needle"},
	"edit":        {"path": "a-b.txt", "old_string": "needle", "new_string": "pin"},
	"write":       {"path": "a-b.txt", "content": "new\n"},
	"apply_patch": patchOf("*** Update File: a-b.txt", "@@", "-two needle", "+two pin"),
}

// Rules judge the file that is meant, by its name and by what the call says, and a refusal does not tell the name.
func TestRulesJudgeWhatANameStandsFor(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"edit(a–b.*)", "read(*–*)", "edit(a-*)"} {
		for tool, args := range lookalikes {
			s := newSuite(t, config.Config{
				Tools: []string{"read", "grep", "write", "edit", "apply_patch"},
				Rules: config.Rules{Allow: []string{"read", "grep", "edit"}, Deny: []string{rule}},
			}, map[string]string{"a–b.txt": "one\ntwo needle\n"})
			res := call(t, s, tool, args)
			reads := tool == "read" || tool == "grep"
			if reads && strings.HasPrefix(rule, "edit") {
				require.False(t, res.IsError, res.Text)
				continue
			}
			require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", rule, res.Text)
			require.Contains(t, res.Text, "a-b.txt", rule)
			require.NotContains(t, res.Text, "a–b.txt", rule)
			require.Equal(t, []string{".", "a–b.txt"}, tree(t, s))
		}
	}
}

// A guard, and whoever is asked, are shown the file that is meant.
func TestGuardSeesWhatANameStandsFor(t *testing.T) {
	t.Parallel()
	for tool, args := range lookalikes {
		var names []string
		s := newSuite(t, config.Config{
			Tools: []string{"read", "grep", "write", "edit", "apply_patch"},
			Guard: func(_ context.Context, c config.Call) error {
				for _, p := range c.Paths {
					names = append(names, p.Name)
				}
				c.Preview(t.Context()) // fails as the call does
				return nil
			},
		}, map[string]string{"a–b.txt": "one\ntwo needle\n"})
		res := call(t, s, tool, args)
		if tool == "write" {
			require.Equal(t, tools.CodeNotFound, res.Code, res.Text)
			require.Empty(t, names)
			continue
		}
		require.False(t, res.IsError, res.Text)
		require.Equal(t, []string{"a–b.txt"}, names, tool)
	}
}

// What is asked about is what the name stands for when the call is made, or the call is stale.
func TestNameThatComesToStandForAnother(t *testing.T) {
	t.Parallel()
	var s *tools.Suite
	s = newSuite(t, config.Config{
		Tools: []string{"read", "edit"},
		Guard: func(_ context.Context, c config.Call) error {
			put(t, s, "a-b.txt", "one\ntwo needle\n")
			return nil
		},
	}, map[string]string{"a–b.txt": "one\ntwo needle\n"})
	for _, tool := range []string{"read", "edit"} {
		require.NoError(t, os.RemoveAll(filepath.Join(s.Workspace(), "a-b.txt")))
		require.Equal(t, tools.CodeStale, call(t, s, tool, lookalikes[tool]).Code)
	}
	require.Equal(t, "one\ntwo needle\n", contentOf(t, s, "a-b.txt"))
}

// The name that exists is meant, whatever looks like it, and whatever it looks like.
func TestNameThatExistsWins(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{"a-b", "a–b", "@x", "x", "it's", "it’s"} {
		files[name] = "one\ntwo needle in " + name + "\n"
	}
	if runtime.GOOS != "windows" {
		files["x:2"], files[`y\z`], files["y/z"], files[" x"] = "needle in x:2\n", `needle in y\z`+"\n", "needle in y/z\n", "needle in  x\n"
	}
	for name := range files {
		s := newSuite(t, config.Config{Tools: []string{"read", "grep", "write", "edit", "apply_patch"}}, files)
		before := tree(t, s)
		for tool, args := range map[string]map[string]any{
			"read": {"path": name}, "grep": {"pattern": "needle", "path": name},
			"edit":  {"path": name, "old_string": "needle", "new_string": "pin"},
			"write": {"path": name, "content": "needle in " + name + "\n"},
		} {
			res := call(t, s, tool, args)
			require.False(t, res.IsError, res.Text)
			require.NotContains(t, res.Text, "does not exist")
			if tool == "read" || tool == "grep" {
				require.Contains(t, res.Text, " in "+name)
			}
		}
		require.Equal(t, before, tree(t, s))
	}
}

// Which of several names is meant cannot be told, so none is used; a third one is not created.
func TestSeveralNamesThatLookAlike(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Tools: []string{"read", "write", "edit"}}, map[string]string{"a–b.txt": "needle\n", "a—b.txt": "needle\n"})
	for tool, args := range map[string]map[string]any{"read": lookalikes["read"], "edit": lookalikes["edit"], "write": lookalikes["write"]} {
		res := call(t, s, tool, args)
		require.Equal(t, tools.CodeNotFound, res.Code, "%s: %s", tool, res.Text)
	}
	require.Equal(t, []string{".", "a–b.txt", "a—b.txt"}, tree(t, s))
}

// A patch may give a file the name that it looks like.
func TestPatchRenamesATwin(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"move":           {"*** Update File: a–b.txt", "*** Move to: a-b.txt"},
		"delete and add": {"*** Delete File: a–b.txt", "*** Add File: a-b.txt", "+one", "+two needle"},
		"add and delete": {"*** Add File: a-b.txt", "+one", "+two needle", "*** Delete File: a–b.txt"},
	} {
		for _, guard := range []func(context.Context, config.Call) error{nil, func(context.Context, config.Call) error { return nil }} {
			s := newSuite(t, config.Config{Tools: []string{"apply_patch"}, Guard: guard}, map[string]string{"a–b.txt": "one\ntwo needle\n"})
			res := call(t, s, "apply_patch", patchOf(lines...))
			require.False(t, res.IsError, "%s: %s", name, res.Text)
			require.Equal(t, []string{".", "a-b.txt"}, tree(t, s))
			require.Equal(t, "one\ntwo needle\n", contentOf(t, s, "a-b.txt"))
		}
	}
}

// A correction leads nowhere that the path itself could not lead to.
func TestCorrectionsStayInside(t *testing.T) {
	ws, outside := outsideTree(t)
	need.Symlink(t, outside, filepath.Join(ws, "out’s"))
	t.Setenv("HOME", outside)
	t.Setenv("USERPROFILE", outside)
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	before := tree(t, s)
	for _, path := range []string{
		"~/file", "~/new", "@" + outside + "/file", "@" + outside + "/new", "`../outside/file`", "`../outside/new`", " ../outside/file",
		"out's/file", "out's/new", "@out’s/file", "@out's/new", outside + "/file:1", "../outside/file:1", `..\outside\file`, `..\outside\new`,
		"@rel-dir/file", "@rel-dir/new", "rel-dir/file:1", "@root/etc", "~",
	} {
		for tool, res := range everyTool(t, s, path) {
			require.True(t, res.IsError, "%s %s: %s", tool, path, res.Text)
			require.NotContains(t, res.Text, secret)
			require.Contains(t, []tools.Code{tools.CodePathEscape, tools.CodeNotFound}, res.Code, "%s %s: %s", tool, path, res.Text)
		}
	}
	for tool, res := range everyTool(t, s, "~/file") { // with one answer, whatever is there
		require.Equal(t, tools.CodePathEscape, res.Code, tool)
	}
	require.Equal(t, before, tree(t, s))
	require.Equal(t, secret+"\n", textOf(t, filepath.Join(outside, "file")))
	require.NoFileExists(t, filepath.Join(outside, "new"))
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
