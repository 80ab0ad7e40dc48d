package access_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// changes are the calls by which each tool that changes files may change the one at a path, or make
// one at a free path. A tool that is missing here fails the tests; one without calls takes no path.
var changes = map[string]func(path, free string) []map[string]any{
	"write": func(path, free string) []map[string]any {
		return []map[string]any{{"path": path, "content": "changed\n"}, {"path": free, "content": "changed\n"}}
	},
	"edit": func(path, _ string) []map[string]any {
		return []map[string]any{{"path": path, "old_string": "before", "new_string": "changed"}}
	},
	"apply_patch": func(path, free string) []map[string]any {
		patch := func(lines ...string) map[string]any {
			return map[string]any{"patch": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"}
		}
		return []map[string]any{
			patch("*** Add File: "+free, "+changed"),
			patch("*** Update File: "+path, "@@", "-before", "+changed"),
			patch("*** Update File: "+path, "*** Move to: moved", "@@", "-before", "+changed"),
			patch("*** Update File: inside", "*** Move to: "+free, "@@", "-before", "+changed"),
			patch("*** Update File: inside", "@@", "-before", "+changed", "*** Update File: "+path, "@@", "-before", "+changed"),
			patch("*** Delete File: " + path),
		}
	},
	"bash": func(path, free string) []map[string]any {
		return []map[string]any{{"command": "echo changed >" + path}, {"command": "echo changed >" + free}}
	},
	"job": func(_, _ string) []map[string]any { return nil }, // it goes on with what bash has started
}

// filesBelow returns what the files below a directory hold. A directory ends in a slash.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".clarvis":
			return fs.SkipDir
		case d.IsDir():
			files[path+"/"] = ""
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			files[path] = string(data)
			return err
		}
		return nil
	}))
	return files
}

// rootsTree is a workspace beside three directories, each with a file that holds "before\n", and
// with links among them. It returns the directory that they are in.
func rootsTree(t *testing.T) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, file := range []string{"ws/inside", "ws/sub/inside", "writable/file", "readable/file", "other/file", "writable-not/file"} {
		file = filepath.Join(base, file)
		testkit.WriteFile(t, file, "before\n")
	}
	for name, target := range map[string]string{
		"ws/to-readable": "../readable", "ws/to-file": base + "/readable/file", "ws/to-none": "../readable/none", "ws/to-other": "../other",
		"ws/to-writable": "../writable", "ws/to-written": base + "/writable/file", "ws/chain": "to-writable/to-readable",
		"writable/to-readable": "../readable", "writable/to-file": base + "/readable/file", "writable/to-other": base + "/other", "writable/to-ws": "../ws",
		"readable/to-ws": "../ws", "readable/to-written": "../writable/file", "readable/to-other": "../other/file",
	} {
		need.Symlink(t, target, filepath.Join(base, name))
	}
	return base
}

// refusedEverywhere makes every call that could change the file at a path, and nothing in base
// may be different then.
func refusedEverywhere(t *testing.T, s *tools.Suite, base, path string, code tools.Code, text string) {
	t.Helper()
	before := filesBelow(t, base)
	for _, tool := range s.Tools() {
		if !tools.EffectsOf(tool).Writes {
			continue
		}
		calls, ok := changes[tool.Name()]
		require.True(t, ok, "the tool %s changes files: say how, in changes", tool.Name())
		for _, args := range calls(path, path) {
			res := call(t, s, tool.Name(), args)
			if tool.Name() == "bash" {
				require.Positive(t, res.Details.(tools.BashResult).ExitCode, args)
			} else {
				require.Equal(t, code, res.Code, "%v: %s", args, res.Text)
				require.Contains(t, res.Text, text, "%v", args)
			}
			require.Equal(t, before, filesBelow(t, base), "%s %v", tool.Name(), args)
		}
	}
}

// hasSandbox reports whether a sandbox can confine commands here.
var hasSandbox = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	s, err := tools.New(config.Config{Workspace: dir, Tools: []string{"bash"}, Bash: config.Bash{Sandbox: config.SandboxAuto}}, all.Parts()...)
	if err != nil {
		return false
	}
	s.Close()
	return true
})

// withBash names all tools; bash only where a sandbox can confine it.
func withBash(cfg config.Config) config.Config {
	cfg.Bash.Sandbox, cfg.Tools = config.SandboxAuto, config.ToolNames()
	if hasSandbox() {
		return cfg
	}
	cfg.Bash.Sandbox, cfg.Tools = "", slices.DeleteFunc(cfg.Tools, func(name string) bool { return name == "bash" || name == "job" })
	return cfg
}

// What may only be read is changed by no tool, on no way, and what lies outside is as before.
func TestReadableIsNotChanged(t *testing.T) {
	t.Parallel()
	base := rootsTree(t)
	ws := base + "/ws"
	inRoot := []string{
		base + "/readable/file", "../readable/file", "to-readable/file", "to-file", "to-none", "chain/file", ws + "/../readable/file",
		"../writable/to-readable/file", "../writable/to-file", "to-writable/to-readable/file", "to-writable/../../readable/file",
		base + "/writable/../readable/file", "to-readable/none", "../readable/none/below",
	}
	outside := []string{base + "/other/file", "../other/file", "to-other/file", "to-writable/to-other/file", "to-readable/to-other", "../writable-not/file"}
	const readOnly = "can be read but not changed. Only files in the workspace can be changed, or in ../writable. "
	cfg := withBash(config.Config{Workspace: ws, AllowedRoots: []string{"../readable"}, WritableRoots: []string{"../writable"}})
	s := newSuite(t, cfg, nil)
	for _, path := range inRoot {
		refusedEverywhere(t, s, base, path, tools.CodePermissionDenied, readOnly)
	}
	for _, path := range outside {
		refusedEverywhere(t, s, base, path, tools.CodePathEscape, "outside of the workspace")
	}
	cfg.AllowedRoots, cfg.AllowOutsideWorkspace = nil, true
	s = newSuite(t, cfg, nil)
	for _, path := range slices.Concat(inRoot[:4], outside) {
		refusedEverywhere(t, s, base, path, tools.CodePermissionDenied, readOnly)
	}
}

// What is in WritableRoots is read and changed by every tool, on every way there.
func TestWritableRoots(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"/writable/", "../writable/", "to-writable/", "to-readable/to-ws/to-writable/"} {
		base := rootsTree(t)
		cfg := withBash(config.Config{Workspace: base + "/ws", AllowedRoots: []string{"../readable"}, WritableRoots: []string{base + "/writable"}})
		s := newSuite(t, cfg, nil)
		if dir[0] == '/' {
			dir = base + dir
		}
		file := base + "/writable/file"
		for _, tool := range s.Tools() {
			if !tools.EffectsOf(tool).Writes {
				continue
			}
			for _, args := range changes[tool.Name()](dir+"file", dir+"free") {
				for _, reset := range []string{file, base + "/ws/inside"} {
					require.NoError(t, os.WriteFile(reset, []byte("before\n"), 0o644))
				}
				for _, made := range []string{base + "/writable/free", base + "/ws/moved"} {
					os.Remove(made)
				}
				require.Contains(t, call(t, s, "read", map[string]any{"path": dir + "file"}).Text, "before")
				before := filesBelow(t, base)
				res := call(t, s, tool.Name(), args)
				require.Empty(t, res.Code, "%v: %s", args, res.Text)
				require.NotEqual(t, before, filesBelow(t, base), "%v: %s", args, res.Text)
			}
		}
		require.NoError(t, os.WriteFile(file, []byte("before\n"), 0o644))
		call(t, s, "read", map[string]any{"path": file})
		for _, path := range []string{dir + "file", "to-written", "to-readable/to-written"} {
			res := write(t, s, path, path)
			require.Equal(t, path, filesBelow(t, base)[file])
			_, err := s.Restore(t.Context(), res.Before)
			require.NoError(t, err)
			require.NotEqual(t, path, filesBelow(t, base)[file])
		}
	}
}

// An error names some of the directories where files may be changed, and stays short.
func TestManyWritableRoots(t *testing.T) {
	t.Parallel()
	base := rootsTree(t)
	var roots []string
	for _, name := range []string{"a", "b", "c", "d"} {
		roots = append(roots, filepath.Join(base, strings.Repeat(name, 200)))
		require.NoError(t, os.Mkdir(roots[len(roots)-1], 0o755))
	}
	const text = ", or in ../writable, or in ../other and in other directories. Use a path there"
	s := newSuite(t, config.Config{Workspace: base + "/ws", AllowOutsideWorkspace: true, WritableRoots: append([]string{"../writable", "../writable", "../other"}, roots...)}, nil)
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "../readable/file", Content: "x"})
	refusedAs(t, err, tools.CodePermissionDenied, text)
}

// Who may change a directory can replace what is in it by a link. Neither the workspace nor a root
// in there leads out then.
func TestReplacedWritableRoot(t *testing.T) {
	t.Parallel()
	for _, moved := range []string{"", "/ws", "/ws/sub", "/inner", "/inner/deep"} {
		base := rootsTree(t)
		roots := []string{base + "/all/inner/deep", base + "/all"}
		for _, dir := range []string{"/all/ws/sub", "/all/inner/deep"} {
			require.NoError(t, os.MkdirAll(base+dir, 0o755))
			require.NoError(t, os.MkdirAll(base+"/other"+strings.TrimPrefix(dir, "/all"), 0o755))
		}
		s := newSuite(t, config.Config{Workspace: base + "/all/ws/sub", WritableRoots: roots}, nil)
		_, err := s.Write(t.Context(), tools.WriteParams{Path: "warm", Content: "x"})
		require.NoError(t, err)
		require.NoError(t, os.Rename(base+"/all"+moved, base+"/moved"))
		require.NoError(t, os.Symlink(base+"/other"+moved, base+"/all"+moved))
		before := filesBelow(t, base+"/other")
		for _, path := range []string{"new", base + "/all/ws/sub/new", base + "/all/inner/deep/new", "../../inner/deep/new"} {
			_, _ = s.Write(t.Context(), tools.WriteParams{Path: path, Content: "x"})
			require.Equal(t, before, filesBelow(t, base+"/other"), "%q %s", moved, path)
		}
	}
}

func TestWritableRootsThatAreNone(t *testing.T) {
	t.Parallel()
	base := rootsTree(t)
	for _, root := range []string{"../none", base + "/writable/file", "to-none", "bad\x00name"} {
		_, err := tools.New(config.Config{Workspace: base + "/ws", ReadOnly: true, WritableRoots: []string{"../writable", root}}, all.Parts()...)
		require.ErrorContains(t, err, "config: WritableRoots is ", root)
		require.ErrorContains(t, err, ", but must be a directory that exists", root)
	}
}
