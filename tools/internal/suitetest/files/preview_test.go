package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// guarded is a suite whose guard is decide.
func guarded(t testing.TB, cfg config.Config, files map[string]string,
	decide func(ctx context.Context, s *tools.Suite, c config.Call) error) *tools.Suite {
	t.Helper()
	var s *tools.Suite
	cfg.Tools = config.ToolNames()
	cfg.Guard = func(ctx context.Context, c config.Call) error { return decide(ctx, s, c) }
	s = newSuite(t, cfg, files)
	return s
}

const patchOfFour = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+TWO
 three
*** Update File: b.txt
*** Move to: moved/b.txt
@@
-old
+new
*** Delete File: c.txt
*** Add File: added/d.txt
+added
*** End Patch`

var previewed = map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "old\n", "c.txt": "gone\n", "binary": "\x00\x01",
	"crlf": "one\r\ntwo\r\n", "latin": "caf\xe9 one\n", "wide": "\xff\xfeo\x00n\x00e\x00\n\x00", "noeol": "one"}

// changingCalls are calls that change files, and the codes with which they fail.
var changingCalls = []struct {
	tool string
	args any
	code tools.Code
}{
	{"write", tools.WriteParams{Path: "a.txt", Content: "one\n"}, ""},
	{"write", tools.WriteParams{Path: "new/in/new", Content: "one\n"}, ""},
	{"write", tools.WriteParams{Path: "a.txt", Content: "one\ntwo\nthree\n"}, ""},
	{"write", tools.WriteParams{Path: "empty name"}, ""},
	{"write", tools.WriteParams{Path: "a.txt"}, ""},
	{"write", tools.WriteParams{Path: "binary", Content: "text\n"}, ""},
	{"write", tools.WriteParams{Path: "../out", Content: "x"}, tools.CodePathEscape},
	{"write", tools.WriteParams{Path: "a.txt/b", Content: "x"}, tools.CodeNotADirectory},
	{"write", tools.WriteParams{Path: "latin", Content: "日本", Encoding: "windows-1252"}, tools.CodeInvalidInput},
	{"edit", tools.EditParams{Path: "a.txt", OldString: "two", NewString: "2"}, ""},
	{"edit", tools.EditParams{Path: "made", NewString: "2"}, ""},
	{"edit", tools.EditParams{Path: "crlf", OldString: "two", NewString: "2"}, ""},
	{"edit", tools.EditParams{Path: "latin", OldString: "one", NewString: "é", Encoding: "windows-1252"}, ""},
	{"edit", tools.EditParams{Path: "wide", OldString: "one", NewString: "two"}, ""},
	{"edit", tools.EditParams{Path: "noeol", OldString: "one", NewString: "one\ntwo"}, ""},
	{"edit", tools.EditParams{Path: "a.txt", OldString: "none", NewString: "2"}, tools.CodeNotFound},
	{"edit", tools.EditParams{Path: "missing", OldString: "none", NewString: "2"}, tools.CodeNotFound},
	{"edit", tools.EditParams{Path: "binary", OldString: "none", NewString: "2"}, tools.CodeIsBinary},
	{"apply_patch", map[string]any{"patch": patchOfFour}, ""},
	{"apply_patch", map[string]any{"patch": strings.Replace(patchOfFour, "c.txt", "missing", 1)}, tools.CodeNotFound},
	{"apply_patch", map[string]any{"patch": "none"}, tools.CodeInvalidInput},
}

// A preview changes nothing, fails with the code of the call, and leaves the call as it is.
func TestPreviewChangesNothing(t *testing.T) {
	t.Parallel()
	for i, tt := range changingCalls {
		t.Run(fmt.Sprint(i, tt.tool), func(t *testing.T) {
			var previews []string
			var failed error
			s := guarded(t, config.Config{}, previewed, func(ctx context.Context, s *tools.Suite, c config.Call) error {
				before := onDisk(t, s.Workspace())
				for range 2 {
					text, err := c.Preview(ctx)
					previews, failed = append(previews, text), err
				}
				require.Equal(t, before, onDisk(t, s.Workspace()))
				return nil
			})
			res := call(t, s, tt.tool, tt.args)
			require.Equal(t, tt.code, res.Code, res.Text)
			require.Equal(t, tt.code, tools.CodeOf(failed), "%v", failed)
			require.Equal(t, previews[0], previews[1])
			plain := newSuite(t, config.Config{Tools: config.ToolNames()}, previewed)
			alone := call(t, plain, tt.tool, tt.args)
			kept := regexp.MustCompile(`before-\w+`)
			require.Equal(t, kept.ReplaceAllString(alone.Text, ""), kept.ReplaceAllString(res.Text, ""), "the result is that of a call without a preview")
			if failed != nil {
				require.True(t, strings.HasPrefix(res.Text, failed.Error()), failed)
			}
		})
	}
}

// applied gives a copy of files to programs that apply diffs, and returns what they make of them.
func applied(t *testing.T, files map[string]string, diff, program string, args ...string) map[string]string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, content := range files {
		testkit.WriteFile(t, filepath.Join(dir, name), content)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff+"\n")
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, diff)
	return filesOf(t, dir)
}

// filesOf returns what the files below a directory hold, but for those of the suite.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".clarvis" {
			return fs.SkipDir
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		found[filepath.ToSlash(path[len(dir)+1:])] = string(data)
		return err
	}))
	return found
}

// linesToChange has lines that repeat, so that differences have something to find.
func linesToChange(r *rand.Rand, eol string) string {
	var b strings.Builder
	for range r.IntN(30) {
		fmt.Fprintf(&b, "%s line\t%d%s", strings.Repeat(" ", r.IntN(3)), r.IntN(12), eol)
	}
	return strings.TrimSuffix(b.String(), []string{"", eol}[r.IntN(2)])
}

// randomChange returns a call for these files that changes some of them.
func randomChange(r *rand.Rand, files map[string]string) (tool string, args any) {
	names := []string{"a b.go", "ä/x", "c", "new/d"}
	name := names[r.IntN(len(names))]
	eol := "\n"
	if strings.Contains(files[name], "\r") {
		eol = "\r\n"
	}
	switch lines := strings.SplitAfter(files[name], "\n"); {
	case files[name] == "" || r.IntN(3) == 0:
		return "write", tools.WriteParams{Path: name, Content: linesToChange(r, eol)}
	case r.IntN(2) == 0:
		return "edit", tools.EditParams{Path: name, OldString: lines[r.IntN(len(lines))], NewString: linesToChange(r, eol), ReplaceAll: true}
	}
	var patch strings.Builder
	patch.WriteString("*** Begin Patch\n")
	for i, name := range names {
		content, has := files[name]
		switch op := r.IntN(4); {
		case !has:
			fmt.Fprintf(&patch, "*** Add File: %s\n+new\n+file\n", name)
		case op == 0:
			fmt.Fprintf(&patch, "*** Delete File: %s\n", name)
		case op == 1:
			fmt.Fprintf(&patch, "*** Update File: %s\n*** Move to: to/%d\n", name, i)
		case op == 2 && content != "":
			first, _, _ := strings.Cut(content, "\n")
			fmt.Fprintf(&patch, "*** Update File: %s\n@@\n-%s\n+other\n", name, first)
		}
	}
	return "apply_patch", map[string]any{"patch": patch.String() + "*** End Patch\n"}
}

// What is shown is what is done: programs that apply diffs make of the files what the call makes of them.
func TestPreviewIsWhatIsDone(t *testing.T) {
	t.Parallel()
	made := 0
	for seed := range uint64(testkit.Some(300)) {
		r := rand.New(rand.NewPCG(seed, 31))
		files := map[string]string{"a b.go": linesToChange(r, "\n"), "ä/x": linesToChange(r, "\n"), "c": linesToChange(r, "\r\n")}
		var diff string
		s := guarded(t, config.Config{}, files, func(ctx context.Context, _ *tools.Suite, c config.Call) (err error) {
			diff, err = c.Preview(ctx)
			return err
		})
		tool, args := randomChange(r, files)
		if res := call(t, s, tool, args); res.IsError || strings.Contains(diff, "are quoted") ||
			!strings.Contains(diff, "--") {
			continue
		}
		made++
		want := filesOf(t, s.Workspace())
		require.Equal(t, want, applied(t, files, diff, "git", "apply", "-"), "seed %d\n%s", seed, diff)
		if strings.Contains(diff+"diff", "deleted file mode 100644\ndiff") {
			continue // patch does not remove empty files
		}
		require.Equal(t, want, applied(t, files, diff, "patch", "-p1", "-s", "--binary"), "seed %d\n%s", seed, diff)
	}
	require.Greater(t, made, testkit.Some(300)/3)
}

// Previews of one call may be asked for at once, after the call and after the suite.
func TestPreviewAtAnyTime(t *testing.T) {
	t.Parallel()
	var again func(context.Context) (string, error)
	var texts sync.Map
	s := guarded(t, config.Config{}, previewed, func(ctx context.Context, _ *tools.Suite, c config.Call) error {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				text, err := c.Preview(ctx)
				texts.Store(text, err)
			})
		}
		all.Wait()
		ended, cancel := context.WithCancel(ctx)
		cancel()
		text, err := c.Preview(ended)
		require.Equal(t, tools.CodeAborted, tools.CodeOf(err))
		require.Empty(t, text)
		again = c.Preview
		return nil
	})
	res := call(t, s, "apply_patch", map[string]any{"patch": patchOfFour})
	require.False(t, res.IsError, res.Text)
	texts.Range(func(text, err any) bool {
		require.NoError(t, must(err))
		require.Contains(t, text, "+TWO")
		return true
	})
	after := onDisk(t, s.Workspace())
	_, err := again(t.Context())
	require.Equal(t, tools.CodeNotFound, tools.CodeOf(err), "two is not in the file any more")
	require.Equal(t, after, onDisk(t, s.Workspace()))
	require.NoError(t, s.Close())
	_, err = again(t.Context())
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
}

func must(err any) error {
	e, _ := err.(error)
	return e
}

// What only a person was shown, the model was not: the checks of what it knows hold as before.
func TestPreviewShowsNothingToTheModel(t *testing.T) {
	t.Parallel()
	refuse := true
	s := guarded(t, config.Config{Edit: config.Edit{RequireRead: true}}, previewed,
		func(ctx context.Context, _ *tools.Suite, c config.Call) error {
			if _, err := c.Preview(ctx); c.Tool == "write" && refuse {
				return errors.New("no")
			} else if c.Tool == "write" {
				require.Equal(t, tools.CodeStale, tools.CodeOf(err))
			}
			return nil
		})
	res := call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
	require.Equal(t, tools.CodeDenied, res.Code)
	refuse = false
	res = call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
	require.Contains(t, res.Text, "has not been read yet")
	call(t, s, "read", tools.ReadParams{Path: "a.txt"})
	put(t, s, "a.txt", "one\nmine\nthree\n")
	refuse = true
	call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
	refuse = false
	res = call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
	require.Equal(t, tools.CodeStale, res.Code)
	require.Contains(t, res.Text, "+mine", "what has changed is shown to the model")
}

// A preview is as long as a result may be, and names what a terminal would not show.
func TestPreviewIsBounded(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("a line of a file\n", diff.MaxLines+10_000)
	files := map[string]string{"large": large, "long": strings.Repeat("x", 1<<20) + "\n", "esc": "one\n",
		"more": large + "last\n"}
	var text string
	s := guarded(t, config.Config{}, files, func(ctx context.Context, _ *tools.Suite, c config.Call) (err error) {
		text, err = c.Preview(ctx)
		return err
	})
	for _, tt := range []struct {
		tool  string
		args  any
		wants []string
	}{
		{"write", tools.WriteParams{Path: "large", Content: strings.ToUpper(large[:len(large)-17])}, []string{"b/large", "The changes are not shown"}},
		{"edit", tools.EditParams{Path: "more", OldString: "last", NewString: "more"}, []string{"--- a/more", "-last", "+more"}},
		{"write", tools.WriteParams{Path: "new", Content: strings.Repeat("new\n", 5000)}, []string{"+++ b/new", "[... ", "Showing ", " of 5005 lines"}},
		{"edit", tools.EditParams{Path: "long", OldString: "x\n", NewString: "y\n"}, []string{"Long lines are cut", "cannot be applied"}},
		{"edit", tools.EditParams{Path: "esc", OldString: "one", NewString: "\x1b]0;title\a\u202eeno"},
			[]string{`+"\033]0;title\a\342\200\256eno"`, "are quoted", "cannot be applied"}},
	} {
		res := call(t, s, tt.tool, tt.args)
		require.False(t, res.IsError, res.Text)
		require.LessOrEqual(t, len(text), 31<<10)
		for _, want := range tt.wants {
			require.Contains(t, text, want)
		}
		require.False(t, bytes.ContainsAny([]byte(text), "\x1b\a\r"))
	}
}
