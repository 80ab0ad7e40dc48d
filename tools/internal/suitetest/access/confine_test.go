package access_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

const secret = "the secret"

// outsideTree is a workspace beside a directory that must not be read, with
// links that lead there. It returns both.
func outsideTree(t *testing.T) (workspace, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(testkit.MemoryDir(t))
	require.NoError(t, err)
	workspace, outside = filepath.Join(base, "ws"), filepath.Join(base, "outside")
	for _, dir := range []string{filepath.Join(workspace, "in", "deep"), filepath.Join(outside, "dir"), base + "/ws-sibling"} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for _, file := range []string{filepath.Join(outside, "file"), filepath.Join(outside, "dir", "file"), filepath.Join(base, "ws-sibling", "file")} {
		require.NoError(t, os.WriteFile(file, []byte(secret+"\n"), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(workspace, "in", "file"), []byte("inside\n"), 0o644))
	for name, target := range map[string]string{
		"abs-file": outside + "/file", "abs-missing": outside + "/none", "abs-dir": outside + "/dir", "abs-missing-dir": outside + "/none-d",
		"rel-file": "../outside/file", "rel-missing": "../outside/none", "rel-dir": "../outside/dir", "rel-missing-dir": "../outside/none-d",
		"chain": "chain-2", "chain-2": "in/chain-3", "in/chain-3": "../abs-file", "chain-missing": "chain-m2", "chain-m2": "abs-missing",
		"up": "..", "root": "/", "in/up": "../..", "sibling": "../ws-sibling/file", "through": "rel-dir/file", "through-missing": "rel-dir/none",
		"in/deep/ok": "../file", "in/abs-ok": workspace + "/in/file", "dir-ok": workspace + "/in", "round": "../ws/in/file",
	} {
		need.Symlink(t, target, filepath.Join(workspace, name))
	}
	return workspace, outside
}

// everyTool calls all tools with a path, and gives the results by their names.
func everyTool(t *testing.T, s *tools.Suite, path string) map[string]tools.Result {
	t.Helper()
	all := map[string]tools.Result{}
	for _, tool := range s.Tools() {
		args := map[string]any{"path": path}
		switch tool.Name() {
		case "grep":
			args["pattern"] = "."
		case "find":
			args["pattern"] = "**"
		case "bash":
			args = map[string]any{"command": "pwd", "cwd": path}
		case "write":
			args["content"] = "owned"
		case "edit":
			args["old_string"], args["new_string"] = "secret", "owned"
		case "job": // it has no path
			continue
		}
		all[tool.Name()] = call(t, s, tool.Name(), args)
	}
	return all
}

func TestNoWayOut(t *testing.T) {
	t.Parallel()
	ws, outside := outsideTree(t)
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	for _, pair := range [][2]string{ // one that exists, and one that does not
		{"../outside/file", "../outside/none"}, {"../outside/dir", "../outside/none-d"}, {outside + "/file", outside + "/none"},
		{outside + "/dir", outside + "/none-d"}, {"in/../../outside/file", "in/../../outside/none"}, {ws + "/../outside/file", ws + "/../outside/none"},
		{"abs-file", "abs-missing"}, {"abs-dir", "abs-missing-dir"}, {"rel-file", "rel-missing"}, {"rel-dir", "rel-missing-dir"},
		{"rel-dir/file", "rel-dir/none"}, {"abs-dir/file", "abs-dir/none"}, {"chain", "chain-missing"}, {"through", "through-missing"},
		{"up/outside/file", "up/outside/none"}, {"root/etc/passwd", "root/etc/none"}, {"in/up/outside/file", "in/up/outside/none"},
		{"sibling", "../ws-sibling/none"}, {ws + "-sibling/file", ws + "-sibling/none"}, {"/etc/passwd", "/none"}, {"..", "../none"}, {"up", "root"}, {"/", "/none/../none"},
		{`"../outside/file"`, `"../outside/none"`}, {`"\056\056/outside/file"`, `"\056\056/outside/none"`}, {"./././../outside/file", "./././../outside/none"},
		{"in//..//..//outside//file", "in//..//..//outside//none"}, {"rel-file/", "rel-missing/"},
	} {
		exists, missing := everyTool(t, s, pair[0]), everyTool(t, s, pair[1])
		for tool, res := range exists {
			require.Equal(t, tools.CodePathEscape, holds(t, res, nil, 30<<10), "%s %s: %s", tool, pair[0], res.Text)
			require.Equal(t, tools.CodePathEscape, holds(t, missing[tool], nil, 30<<10), "%s %s: %s", tool, pair[1], missing[tool].Text)
			require.NotContains(t, res.Text, secret)
			same := func(text, path string) string {
				return strings.Replace(text, ": "+path+" is", ": PATH is", 1)
			}
			if filepath.Clean(pair[0]) == pair[0] && filepath.Clean(pair[1]) == pair[1] && pair[0][0] != '"' {
				require.Equal(t, same(res.Text, pair[0]), same(missing[tool].Text, pair[1]), tool)
			}
		}
	}
}

func TestWaysThatStayInside(t *testing.T) {
	t.Parallel()
	ws, _ := outsideTree(t)
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	for _, path := range []string{"in/file", "in/../in/file", ws + "/in/file", "in/deep/ok", "in/abs-ok", "dir-ok/file", "round", "in/deep/../abs-ok", "dir-ok/deep/ok"} {
		require.Equal(t, "inside\n", call(t, s, "read", map[string]any{"path": path}).Text, path)
		require.Contains(t, call(t, s, "grep", map[string]any{"path": path, "pattern": "inside"}).Text, ":1: inside", path)
	}
	for _, path := range []string{".", ws, "dir-ok/..", ""} {
		require.Contains(t, call(t, s, "ls", map[string]any{"path": path}).Text, "in/\n", path)
	}
	require.Equal(t, filepath.Join(ws, "in")+"\n", call(t, s, "bash", map[string]any{"command": "pwd -P", "cwd": "dir-ok"}).Text)
}

// TestWalksStayInside: what is below a path is not left through a link either.
func TestWalksStayInside(t *testing.T) {
	t.Parallel()
	ws, _ := outsideTree(t)
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	res := call(t, s, "grep", map[string]any{"pattern": "secret|inside"})
	require.Equal(t, "in/file:1: inside", res.Text)
	found := call(t, s, "find", map[string]any{"pattern": "file"}).Text
	require.Equal(t, "in/file", found, "links to directories are not followed")
	list := linesOf(call(t, s, "ls", nil).Text)
	require.Contains(t, list, "abs-dir", "what is outside is not looked at, so it is not known for a directory")
	require.Contains(t, list, "up")
	require.Contains(t, list, "abs-file")
}

// TestLsMarksLinksToDirectories, in whichever way the link is written.
func TestLsMarksLinksToDirectories(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(ws, "sub", "inner"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(ws, "dir"), 0o755))
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	links := map[string]string{"sub/down": "inner", "sub/beside": "../dir", "sub/absolute": ws + "/dir", "sub/twice": "beside", "sub/itself": "."}
	for name, target := range links {
		need.Symlink(t, target, filepath.Join(ws, name))
	}
	list := linesOf(call(t, s, "ls", map[string]any{"path": "sub"}).Text)
	for name, target := range links {
		require.Contains(t, list, filepath.Base(name)+"/", target)
	}
}

// TestNamesCanBeWrittenBack: what a list shows is taken as a path, as it stands.
func TestNamesCanBeWrittenBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", "new\nline", "\xff\xfe", `"quoted"`, `back\slash`, "tab\t", "esc\x1b[1m", "漢", " space ", "-n", "\u202e", "\u00a0"} {
		s := newSuite(t, config.Config{}, map[string]string{filepath.Join(name, "file"): "hit\n"})
		for _, shown := range []string{call(t, s, "ls", nil).Text, linesOf(call(t, s, "find", map[string]any{"pattern": "*", "type": "dir"}).Text)[0]} {
			require.NotContains(t, shown, "\n")
			for _, path := range []string{shown, strings.TrimSuffix(shown, "/")} {
				require.Equal(t, "file", call(t, s, "ls", map[string]any{"path": path}).Text, "%q as %s", name, path)
				found := call(t, s, "find", map[string]any{"pattern": "file", "path": path}).Text
				require.Equal(t, "hit\n", call(t, s, "read", map[string]any{"path": found}).Text, "%q as %s", name, path)
				require.Equal(t, "file\n", call(t, s, "bash", map[string]any{"command": "ls", "cwd": path}).Text, "%q as %s", name, path)
			}
		}
		found, _, _ := strings.Cut(call(t, s, "grep", map[string]any{"pattern": "hit"}).Text, ":1: hit")
		require.Equal(t, "hit\n", call(t, s, "read", map[string]any{"path": found}).Text, "%q as %s", name, found)
	}
}

func TestAllowedRoots(t *testing.T) {
	t.Parallel()
	ws, outside := outsideTree(t)
	s := newSuite(t, config.Config{Workspace: ws, AllowedRoots: []string{outside + "/dir", filepath.Dir(ws) + "/none"}}, nil)
	for _, path := range []string{outside + "/dir/file", "../outside/dir/file", "rel-dir/file", "abs-dir/file", "through"} {
		require.Equal(t, secret+"\n", call(t, s, "read", map[string]any{"path": path}).Text, path)
	}
	for _, path := range []string{outside + "/file", "rel-file", outside + "/dir/../file", outside, "abs-dir/../../outside/file"} {
		require.Equal(t, tools.CodePathEscape, holds(t, call(t, s, "read", map[string]any{"path": path}), nil, 30<<10), path)
	}
	need.Symlink(t, "../file", outside+"/dir/out")
	need.Symlink(t, ws+"/in/file", outside+"/dir/back")
	require.Equal(t, tools.CodePathEscape, holds(t, call(t, s, "read", map[string]any{"path": "rel-dir/out"}), nil, 30<<10))
	require.Equal(t, "inside\n", call(t, s, "read", map[string]any{"path": outside + "/dir/back"}).Text)

	all := newSuite(t, config.Config{Workspace: ws, AllowOutsideWorkspace: true}, nil)
	for _, path := range []string{"../outside/file", outside + "/file", "abs-file", "rel-file", "chain", "up/outside/file", "root" + outside + "/file", "sibling"} {
		require.Equal(t, secret+"\n", call(t, all, "read", map[string]any{"path": path}).Text, path)
	}
	require.Contains(t, call(t, all, "ls", map[string]any{"path": "/"}).Text, "etc/\n")
}

// TestSpillDirectoryThatIsALink must neither be used nor open a way out: a
// repository may bring it along.
func TestSpillDirectoryThatIsALink(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		ws, outside := outsideTree(t)
		link := func() { need.Symlink(t, outside, filepath.Join(ws, ".clarvis")) }
		if when == "before" {
			link()
		}
		s := newSuite(t, config.Config{Workspace: ws, MaxLines: 1}, nil)
		if when == "after" {
			link()
		}
		before := snapshot(t, outside)
		for _, path := range []string{".clarvis/file", outside + "/file", "../outside/file", ".clarvis/dir/file", ".clarvis/none"} {
			res := call(t, s, "read", map[string]any{"path": path})
			require.Equal(t, tools.CodePathEscape, holds(t, res, nil, 30<<10), "%s the suite, %s: %s", when, path, res.Text)
		}
		for tool, res := range everyTool(t, s, ".clarvis") {
			require.Equal(t, tools.CodePathEscape, holds(t, res, nil, 30<<10), "%s the suite, %s: %s", when, tool, res.Text)
		}
		res := call(t, s, "bash", map[string]any{"command": "seq 10"})
		require.True(t, strings.HasPrefix(res.Text, "10\n"), res.Text)
		require.Contains(t, res.Text, "Full output not saved: ")
		require.Equal(t, before, snapshot(t, outside))
	}
}

func TestGuardIsAskedForEveryCall(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	refused := errors.New("not today")
	var asked atomic.Int32
	s := newSuite(t, config.Config{Guard: func(_ context.Context, c config.Call) error {
		asked.Add(1)
		return refused
	}}, map[string]string{"file": ""})
	ctx := t.Context()
	for _, tool := range s.Tools() {
		args := map[string]map[string]any{"read": {"path": "file"}, "bash": {"command": "touch owned"}, "grep": {"pattern": "x"}, "find": {"pattern": "x"}, "ls": {},
			"write": {"path": "owned", "content": ""}, "edit": {"path": "owned", "old_string": "", "new_string": "x"}}[tool.Name()]
		require.Equal(t, "denied: not today", call(t, s, tool.Name(), args).Text)
		res, err := tool.Call(ctx, json.RawMessage(encode(t, args)))
		require.Equal(t, tools.CodeDenied, holds(t, res, err, 30<<10))
	}
	_, err := s.Bash(ctx, tools.BashParams{Command: "touch owned"})
	require.ErrorIs(t, err, refused)
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
	_, err = s.Ls(ctx, tools.LsParams{})
	require.ErrorIs(t, err, refused)
	require.EqualValues(t, 2*len(s.Tools())+2, asked.Load())
	_, err = os.Stat(filepath.Join(s.Workspace(), "owned"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestNobodyIsAskedAboutACancelledCall: a person may take long to answer for nothing.
func TestNobodyIsAskedAboutACancelledCall(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	s := newSuite(t, config.Config{
		Rules: config.Rules{Ask: []string{"*"}},
		Ask: func(context.Context, config.Call) (config.Answer, error) {
			asked.Add(1)
			return config.Answer{Decision: config.DecisionOnce}, nil
		},
		Guard: func(context.Context, config.Call) error {
			asked.Add(1)
			return errors.New("not today")
		},
	}, map[string]string{"file": ""})
	none := func(context.Context, struct{}) (string, error) { return "", nil }
	require.NoError(t, s.Add(tools.Func("added", "An added tool.", none)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range s.Tools() {
		args := map[string]string{
			"read": `{"path": "file"}`, "bash": `{"command": "touch owned"}`, "write": `{"path": "owned", "content": ""}`,
			"edit": `{"path": "owned", "old_string": "", "new_string": "x"}`, "grep": `{"pattern": "x"}`, "find": `{"pattern": "x"}`,
		}[tool.Name()]
		res, err := s.Call(ctx, tool.Name(), json.RawMessage(args))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, tools.CodeAborted, res.Code, tool.Name())
	}
	require.Zero(t, asked.Load())
}

// TestGuardSeesWhatIsDone: a guard that decodes the arguments as Go programs do
// is told the command that runs, however the model wrote it down.
func TestGuardSeesWhatIsDone(t *testing.T) {
	t.Parallel()
	var seen string
	s := newSuite(t, config.Config{Guard: func(_ context.Context, c config.Call) error {
		var args struct {
			Command string `json:"command"`
		}
		if err := json.Unmarshal(c.Args, &args); err != nil {
			return err
		}
		seen = args.Command
		return nil
	}}, nil)
	for _, args := range []string{
		`{"command":"echo real"}`,
		`{"Command":"echo real"}`,
		`{"cmd":"echo real","description":"echo shown"}`,
		`{"command":"echo shown","command":"echo real"}`,
		`"{\"command\":\"echo real\"}"`,
		`{"command":"echo real","timeout_ms":"1000"}`,
	} {
		seen = ""
		res, err := s.Call(t.Context(), "bash", json.RawMessage(args))
		require.NoError(t, err)
		require.Equal(t, "real\n", res.Text, args)
		require.Equal(t, "echo real", seen, "the guard was shown something else by %s", args)
	}
	for _, args := range []string{`{"command":"echo real","Command":"echo shown"}`, `{"command":"echo real","COMMAND":"echo shown"}`, `{"cmd":"echo real","script":"echo shown"}`} {
		seen = ""
		res, err := s.Call(t.Context(), "bash", json.RawMessage(args))
		require.NoError(t, err)
		require.Equal(t, tools.CodeInvalidInput, res.Code, args)
		require.Empty(t, seen)
	}
}

func TestSubsetsOfTheTools(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	names := func(cfg config.Config) string {
		var list []string
		for _, tool := range newSuite(t, cfg, nil).Tools() {
			list = append(list, tool.Name())
		}
		return strings.Join(list, " ")
	}
	require.Equal(t, "read bash grep find ls write edit job", names(config.Config{}))
	require.Equal(t, "read grep find ls", names(config.Config{ReadOnly: true}))
	require.Equal(t, "read ls", names(config.Config{Tools: []string{"ls", "read", "ls"}}))
	require.Equal(t, "read", names(config.Config{Tools: []string{"read", "bash", "write"}, ReadOnly: true}))

	s := newSuite(t, config.Config{ReadOnly: true}, map[string]string{"bin": "\x00"})
	res := call(t, s, "bash", map[string]any{"command": "touch owned"})
	require.True(t, res.IsError)
	require.Contains(t, res.Text, "read, grep, find, ls")
	_, err := s.Bash(t.Context(), tools.BashParams{Command: "touch owned"})
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
	require.NotContains(t, call(t, s, "read", map[string]any{"path": "bin"}).Text, "bash", "the suite has none")
	for _, tool := range s.Tools() {
		require.NotContains(t, tool.Description()+string(tool.Schema()), "bash")
	}
}

// A spill directory that is the workspace, or holds it, would hide it from git and
// make everything in it readable and searched without its rules.
func TestSpillDirIsNotTheWorkspace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, spill := range []string{".", "..", dir, filepath.Dir(dir), "sub/..", filepath.VolumeName(dir) + string(filepath.Separator)} {
		_, err := tools.New(config.Config{Workspace: dir, Spill: config.Spill{Dir: spill}}, all.Parts()...)
		var refused *config.OptionError
		require.ErrorAs(t, err, &refused, spill)
		require.Equal(t, "Spill.Dir", refused.Option)
	}
}

// A spill directory in the workspace that lies behind a link is not used, whether the link was there
// when the suite was built or takes the place of a directory later: a repository may bring it along.
func TestSpillDirBehindALink(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for i, spill := range []struct{ dir, link, target string }{
		{"link/a", "link", "../outside"},
		{"link/a", "link", "in"},
		{"link/none/a", "link", "../outside"},
		{"in/link/a/b", "in/link", "../../outside/dir"},
		{"BASE/ws/link/a/b", "link", "BASE/outside"},
		{"BASE/here/ws/link/a", "link", "BASE/outside/none"},
	} {
		for j, when := range []string{"before", "unused", "used"} {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			ws, outside := outsideTree(t)
			base := filepath.Dir(ws)
			need.Symlink(t, base, base+"/here")
			link := filepath.Join(ws, spill.link)
			target := strings.Replace(spill.target, "BASE", base, 1)
			if when == "before" {
				need.Symlink(t, target, link)
			}
			s := newSuite(t, config.Config{Workspace: ws, MaxLines: 2, Spill: config.Spill{Dir: strings.Replace(spill.dir, "BASE", base, 1)}}, nil)
			if when == "used" {
				require.NotEmpty(t, call(t, s, "bash", map[string]any{"command": "seq 9"}).Details.(tools.BashResult).FullOutputPath)
				require.NoError(t, os.Rename(link, link+"-moved"))
			}
			if when != "before" {
				need.Symlink(t, target, link)
			}
			before := [2]any{snapshot(t, outside), snapshot(t, ws)}
			for range 2 {
				const refused = "link is not a directory, or is a link to one"
				res, err := s.Bash(t.Context(), tools.BashParams{Command: "seq 9"})
				require.NoError(t, err)
				require.Equal(t, refused, res.SpillError, "%v %s", spill, when)
				_, err = s.Write(t.Context(), tools.WriteParams{Path: "in/file", Content: "new\n"})
				refusedAs(t, err, tools.CodeIOError, refused)
			}
			require.Equal(t, before, [2]any{snapshot(t, outside), snapshot(t, ws)}, "%v %s", spill, when)
		}
	}
}

// Outside of the workspace, links above the spill directory are the program's user's own.
func TestSpillDirBehindALinkOutside(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	ws, elsewhere := t.TempDir(), t.TempDir()
	need.Symlink(t, t.TempDir(), filepath.Join(elsewhere, "link"))
	s := newSuite(t, config.Config{Workspace: ws, MaxLines: 2, Spill: config.Spill{Dir: elsewhere + "/link/a/b"}}, nil)
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "seq 9"})
	require.NoError(t, err)
	read, err := s.Read(t.Context(), tools.ReadParams{Path: res.FullOutputPath, Limit: 1})
	require.NoError(t, err)
	require.Contains(t, read.Text, "1\n")
}
