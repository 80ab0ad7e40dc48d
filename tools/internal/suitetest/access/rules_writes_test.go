package access_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// What ReadOnlyRoots names no rule lets a command change by a redirection or by a program that is known to write there, on
// whatever way it is named.
func TestRulesAndReadOnlyRoots(t *testing.T) {
	need.Proc(t)
	t.Parallel()
	base, roots := readOnlyTree(t)
	cfg := withBash(config.Config{Workspace: base + "/ws", WritableRoots: []string{"../writable"}, ReadOnlyRoots: roots})
	if !slices.Contains(cfg.Tools, "bash") {
		t.Skip("ReadOnlyRoots and bash need a sandbox")
	}
	for _, rules := range []config.Rules{{Allow: []string{"bash", "edit"}}, {Allow: []string{"*"}},
		{Allow: []string{"bash(echo *)", "bash(cp *)", "bash(rm *)", "bash(tee *)", "bash(sort *)", "bash(cd *)", "edit"}}} {
		cfg.Rules = rules
		s := newSuite(t, cfg, nil)
		before := filesBelow(t, base)
		for _, command := range []string{
			"echo x > vendor/file", "echo x >> to-vendor/file", "echo x > sub/to-vendor/new", "echo x > to-sum",
			"echo x > " + base + "/ws/vendor/file", "cd vendor && echo x > file", "cd to-deep; echo x > ../file",
			"echo x > made/later", "echo x > to-gen/file", "echo x > linked/deep/file", "echo x > real/deep/file",
			"cp inside vendor", "cp inside to-vendor/new", "rm vendor/to-file", "rm to-vendor/to-file", "cp vendor/file go.sum", "rm -rf vendor", "rm -rf real", "rm -rf ../ws",
			"rm -rf ../writable", "echo x | tee vendor/file", "sort -o to-sum inside", "rm -rf *", "x=vendor; echo x > $x/file",
		} {
			res := call(t, s, "bash", tools.BashParams{Command: command})
			require.Equal(t, tools.CodeDenied, res.Code, "%v: %s: %s", rules, command, res.Text)
			require.Contains(t, res.Text, "which the option ReadOnlyRoots makes read-only", command)
		}
		require.Equal(t, before, filesBelow(t, base))
	}
	s := newSuite(t, cfg, nil)
	for _, command := range []string{"echo x > vendored/file", "cp vendor/file new", "echo x > vendor/to-file", "rm new"} {
		require.False(t, call(t, s, "bash", tools.BashParams{Command: command}).IsError, command)
	}
	require.Equal(t, "x\n", read(t, base+"/ws/inside"), "the link in there leads elsewhere")
	res := call(t, s, "bash", tools.BashParams{Command: "echo x > vendor/file"})
	require.Equal(t, "denied: > vendor/file changes vendor, which the option ReadOnlyRoots makes read-only. "+
		"Do it without that, or ask the user", res.Text)
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// microsoft/vscode#295196: what git log and sort write with an option is a change, also where a rule allows their words. A
// rule for edit allows it.
func TestRulesOfWritingOptions(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, allow("bash(git log *)", "bash(sort *)", "edit(out/**)"), map[string]string{"a.txt": "b\na\n", "out/x": ""})
	for _, command := range []string{"git log --output=HIT", "git log --output HIT", "sort -o HIT a.txt", "sort a.txt -uoHIT",
		"cd out; git log --output=../HIT", "x=--output=HIT; git log $x", "sort --outp=HIT a.txt"} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Equal(t, tools.CodeDenied, res.Code, command)
		require.NoFileExists(t, filepath.Join(s.Workspace(), "HIT"))
	}
	require.Contains(t, call(t, s, "bash", tools.BashParams{Command: "sort -o HIT a.txt"}).Text,
		"sort -o HIT a.txt can change HIT by -o, which the rule bash(sort *) does not name and no rule for edit allows")
	require.False(t, call(t, s, "bash", tools.BashParams{Command: "sort -o out/y a.txt"}).IsError)
	require.Equal(t, "a\nb\n", read(t, filepath.Join(s.Workspace(), "out/y")))
}

// A rule without a pattern is the rule with **, for commands too.
func TestBareRules(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for _, deny := range []string{"edit", "edit(**)", "write", "read", "read(**)"} {
		cfg := allow("bash")
		cfg.Rules.Deny = []string{deny}
		s := newSuite(t, cfg, map[string]string{"a.txt": "a\n"})
		for _, command := range []string{"touch a.txt", "rm a.txt", "sed -i s/a/b/ a.txt", "echo x > a.txt", "echo x > \"$x\"", "touch /tmp/none/x"} {
			res := call(t, s, "bash", tools.BashParams{Command: command})
			require.Equal(t, tools.CodeDenied, res.Code, "%s: %s: %s", deny, command, res.Text)
		}
		require.Equal(t, "a\n", read(t, filepath.Join(s.Workspace(), "a.txt")))
		res := call(t, s, "bash", tools.BashParams{Command: "cat a.txt"})
		require.Equal(t, deny[0] == 'r', res.IsError, "%s: %s", deny, res.Text)
		require.False(t, call(t, s, "bash", tools.BashParams{Command: "echo x"}).IsError)
	}
}

// On a terminal, nohup writes to nohup.out.
func TestRulesOfNohup(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, allow("bash(readonly)"), map[string]string{"a.txt": "a\n"})
	out := filepath.Join(s.Workspace(), "nohup.out")
	require.False(t, call(t, s, "bash", tools.BashParams{Command: "nohup ls"}).IsError)
	require.NoFileExists(t, out)
	res := call(t, s, "bash", tools.BashParams{Command: "nohup ls", TTY: true})
	require.Equal(t, tools.CodeDenied, res.Code, res.Text)
	require.Contains(t, res.Text, "no rule allows >> nohup.out of nohup")
	require.NoFileExists(t, out)
	s = newSuite(t, allow("bash(readonly)", "edit(nohup.out)"), map[string]string{"a.txt": "a\n"})
	res = call(t, s, "bash", tools.BashParams{Command: "nohup ls", TTY: true})
	require.NotEqual(t, tools.CodeDenied, res.Code, res.Text)
}

// What a program is known to write to is among the paths of a call.
func TestPathsOfWrites(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	need.Shell(t)
	uses := map[string][]string{}
	cfg := config.Config{Guard: func(_ context.Context, call config.Call) error {
		for _, p := range call.Paths[1:] {
			uses[string(call.Args)] = append(uses[string(call.Args)], string(p.Use)+" "+p.Name)
		}
		return &tools.Error{Code: tools.CodeDenied}
	}}
	s := newSuite(t, cfg, map[string]string{"a.txt": "a\n", "sub/b": ""})
	for command, want := range map[string][]string{
		"sort -o a.txt a.txt":  {"change a.txt"},
		"cp a.txt new":         {"create new"},
		"cp a.txt sub":         {"create sub/a.txt"},
		"mv a.txt sub":         {"change sub", "create sub/a.txt", "change a.txt"},
		"rm -r sub":            {"change sub"},
		"git log --output=new": {"create new"},
		"cat a.txt":            nil,
	} {
		clear(uses)
		call(t, s, "bash", tools.BashParams{Command: command})
		for _, got := range uses {
			require.Equal(t, want, got, command)
		}
		require.Equal(t, want == nil, len(uses) == 0, command)
	}
}
