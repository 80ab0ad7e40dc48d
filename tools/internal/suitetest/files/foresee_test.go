package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// A call names what it uses: links are followed, and what leads nowhere is left out.
func TestCallPaths(t *testing.T) {
	t.Parallel()
	var got []config.PathUse
	var shown string
	outside := t.TempDir()
	s := guarded(t, config.Config{WritableRoots: []string{outside}}, previewed,
		func(ctx context.Context, _ *tools.Suite, c config.Call) error {
			got = c.Paths
			text, err := c.Preview(ctx)
			shown = strings.SplitN(text, "\n", 2)[0]
			if err != nil {
				shown = err.Error()
			}
			return errors.New("only shown")
		})
	testkit.WriteFile(t, filepath.Join(s.Workspace(), "dir/x y"), "one\n")
	need.Symlink(t, "dir", filepath.Join(s.Workspace(), "link"))
	need.Symlink(t, "dir/x y", filepath.Join(s.Workspace(), "to"))
	real, err := filepath.EvalSymlinks(outside)
	require.NoError(t, err)
	real = filepath.ToSlash(real)
	for _, tt := range []struct {
		tool, args, shown string
		want              []string // use and name
	}{
		{"read", `{"path": "a.txt:2"}`, "Read a.txt", []string{"read a.txt"}},
		{"read", `{"path": "to"}`, "Read dir/x y", []string{"read dir/x y"}},
		{"read", `{"paths": ["a.txt", "link/x y:1", "none"]}`, "Read a.txt, dir/x y, none", []string{"read a.txt", "read dir/x y"}},
		{"read", `{"path": "../out"}`, "path_escape: ", nil},
		{"read", `{"path": "none"}`, "not_found: ", nil},
		{"read", `{}`, "invalid_input: ", nil},
		{"grep", `{"pattern": "x"}`, "Search the workspace for x", []string{"read ."}},
		{"grep", `{"pattern": "x\u001b", "path": "link"}`, `Search dir for "x\033"`, []string{"read dir"}},
		{"find", `{"pattern": "*", "path": "link"}`, "List what matches * in dir", []string{"list dir"}},
		{"ls", `{"path": "none"}`, "not_found: ", nil},
		{"ls", `{}`, "List the workspace", []string{"list ."}},
		{"write", `{"path": "to", "content": ""}`, "to leads to dir/x y", []string{"change dir/x y"}},
		{"write", `{"path": "link/new/file", "content": "x"}`, "link/new/file leads to dir/new/file", []string{"create dir/new/file"}},
		{"write", `{"path": "` + filepath.ToSlash(outside) + `/x", "content": "x"}`, "diff --git " + real + "/x " + real + "/x",
			[]string{"create " + real + "/x"}},
		{"write", `{"path": ".clarvis/x", "content": "x"}`, "permission_denied: ", nil},
		{"edit", `{"path": "a.txt", "old_string": "one", "new_string": "x"}`, "diff --git a/a.txt b/a.txt", []string{"change a.txt"}},
		{"apply_patch", `{"patch": ` + quoted(patchOfFour) + `}`, "diff --git a/a.txt b/a.txt",
			[]string{"change a.txt", "remove b.txt", "create moved/b.txt", "remove c.txt", "create added/d.txt"}},
		{"apply_patch", `{"patch": "none"}`, "invalid_input: ", nil},
		{"job", `{}`, "List the jobs", nil},
		{"job", `{"id": 7}`, "not_found: there is no job 7", nil},
		{"job", `{"input": "x"}`, "invalid_input: id is missing", nil},
	} {
		_, err := s.Call(t.Context(), tt.tool, json.RawMessage(tt.args))
		require.NoError(t, err)
		var uses []string
		for _, p := range got {
			uses = append(uses, string(p.Use)+" "+p.Name)
			abs := p.Path
			if filepath.IsAbs(p.Name) {
				require.Equal(t, filepath.ToSlash(abs), p.Name)
			} else {
				require.Equal(t, filepath.Join(s.Workspace(), p.Name), abs)
			}
		}
		require.Equal(t, tt.want, uses, tt.args)
		if strings.HasSuffix(tt.shown, ": ") {
			require.True(t, strings.HasPrefix(shown, tt.shown), shown)
			continue
		}
		require.True(t, strings.HasPrefix(shown, tt.shown), "%s\n%s", tt.args, shown)
	}
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

func needState(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || !proc.KeepsState {
		t.Skip("no bash here that hands on its state")
	}
}

// Of a command a person sees what it is, what it runs, where, and what is not known.
func TestPreviewOfACommand(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	needState(t)
	var seen config.Call
	var shown string
	s := guarded(t, config.Config{Bash: config.Bash{KeepState: true}}, previewed,
		func(ctx context.Context, _ *tools.Suite, c config.Call) error {
			seen = c
			shown, _ = c.Preview(ctx)
			return nil
		})
	testkit.WriteFile(t, filepath.Join(s.Workspace(), "sub/x"), "")
	call(t, s, "bash", tools.BashParams{Command: "echo '\x1b[2J'\ntrue", TimeoutMs: 1500})
	require.True(t, strings.HasPrefix(shown, "Run in the workspace for at most 1.5s:\n  \"echo '\\033[2J'\"\n  true"), shown)
	call(t, s, "bash", tools.BashParams{Command: "cd sub"})
	call(t, s, "bash", tools.BashParams{Command: "true"})
	require.True(t, strings.HasPrefix(shown, "Run in sub for"), "where the last command left the shell")
	require.Equal(t, "sub", seen.Paths[0].Name)
	call(t, s, "bash", tools.BashParams{Command: "cat", Background: true, Cwd: "."})
	require.True(t, strings.HasPrefix(shown, "Start as a job in the workspace:\n  cat"), shown)
	call(t, s, "job", tools.JobParams{ID: 1, Input: "yes\n", Signal: "terminate"})
	require.Equal(t, `Give job 1 (cat) the input "yes\n", and send it the signal terminate`, shown)
	call(t, s, "job", tools.JobParams{ID: 1})
	require.Equal(t, "Wait for job 1 (cat)", shown)
	res := call(t, s, "bash", tools.BashParams{Command: "true", Cwd: "none"})
	require.Equal(t, tools.CodeNotFound, res.Code)
	require.Empty(t, shown)

	if commandline.Parse("true").Unknown != "" {
		t.Skip("commands are not parsed")
	}
	call(t, s, "bash", tools.BashParams{Command: `printf 'a b' > out.txt; cat < x; echo y > x 2>/dev/null; $HOME/run`, Cwd: "sub"})
	require.Equal(t, []string{"printf", "a b"}, seen.Commands[0].Words)
	require.Equal(t, []string{"> out.txt"}, seen.Commands[0].Redirects)
	require.NotEmpty(t, seen.Commands[3].Unknown)
	var uses []string
	for _, p := range seen.Paths {
		uses = append(uses, string(p.Use)+" "+p.Name)
	}
	require.Equal(t, []string{"list sub", "create sub/out.txt", "read sub/x", "change sub/x"}, uses)
	require.Contains(t, shown, "\nThese commands:\n  printf 'a b' > out.txt\n  cat < x\n")
	require.Contains(t, shown, "\nNot known from its text:\n")
	call(t, s, "bash", tools.BashParams{Command: "true", Cwd: "sub"})
	require.Equal(t, "Run in sub for at most 2m0s:\n  true", shown)
}

// A command that another has moved elsewhere meanwhile does not run there.
func TestDirectoryChangedAfterPaths(t *testing.T) {
	t.Parallel()
	needState(t)
	nested := false
	s := guarded(t, config.Config{Bash: config.Bash{KeepState: true}}, nil,
		func(ctx context.Context, s *tools.Suite, c config.Call) error {
			if nested {
				return nil
			}
			nested = true
			_, err := s.Bash(ctx, tools.BashParams{Command: "mkdir -p sub; cd sub"})
			return err
		})
	nested = true
	call(t, s, "bash", tools.BashParams{Command: "true"})
	nested = false
	res := call(t, s, "bash", tools.BashParams{Command: "touch here"})
	require.Equal(t, tools.CodeStale, res.Code, res.Text)
	require.NoFileExists(t, filepath.Join(s.Workspace(), "sub/here"))
	res = call(t, s, "bash", tools.BashParams{Command: "pwd"})
	require.Equal(t, filepath.Join(s.Workspace(), "sub"), strings.TrimSpace(res.Text))
	require.NoError(t, os.RemoveAll(filepath.Join(s.Workspace(), "sub")))
	res = call(t, s, "bash", tools.BashParams{Command: "pwd"})
	require.Contains(t, res.Text, s.Workspace()+"\n", "one that is gone is no hindrance")
}

// A guard makes calls of its own with the context that it gets.
func TestGuardThatCalls(t *testing.T) {
	t.Parallel()
	inner := false
	s := guarded(t, config.Config{}, previewed, func(ctx context.Context, s *tools.Suite, c config.Call) error {
		if inner {
			return nil
		}
		inner = true
		_, err := s.Read(ctx, tools.ReadParams{Path: "b.txt"})
		return err
	})
	res := call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
	require.False(t, res.IsError, res.Text)
}

// BenchmarkGuardedWrite measures a write of 1 KB by what the guard looks at.
func BenchmarkGuardedWrite(b *testing.B) {
	content := [2]string{strings.Repeat("a line of a file\n", 60), strings.Repeat("a line of a file\n", 59) + "another\n"}
	for name, guard := range map[string]func(context.Context, config.Call) error{
		"none":    nil,
		"nothing": func(context.Context, config.Call) error { return nil },
		"paths": func(_ context.Context, c config.Call) error {
			if c.Paths[0].Name != "a.txt" {
				return errors.New("no")
			}
			return nil
		},
		"preview": func(ctx context.Context, c config.Call) error {
			_, err := c.Preview(ctx)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			s := newSuite(b, config.Config{Guard: guard, Undo: config.Undo{Off: true}}, nil)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_, err := s.Write(b.Context(), tools.WriteParams{Path: "a.txt", Content: content[i%2]})
				require.NoError(b, err)
			}
		})
	}
}
