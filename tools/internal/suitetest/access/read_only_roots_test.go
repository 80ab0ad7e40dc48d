package access_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// readOnlyTree is rootsTree with files and links about ws/vendor, ws/go.sum, ws/made/later, which does not
// exist, and writable/gen.
func readOnlyTree(t *testing.T) (base string, roots []string) {
	t.Helper()
	base = rootsTree(t)
	for _, file := range []string{"ws/vendor/file", "ws/vendor/deep/file", "ws/vendored/file", "ws/go.sum", "writable/gen/file", "ws/real/deep/file"} {
		file = filepath.Join(base, file)
		testkit.WriteFile(t, file, "before\n")
	}
	for name, target := range map[string]string{
		"ws/to-vendor": "vendor", "ws/sub/to-vendor": base + "/ws/vendor", "ws/to-deep": "to-vendor/deep", "ws/to-sum": "go.sum", "ws/to-new": "vendor/new",
		"ws/to-later": "made/later", "ws/to-gen": base + "/writable/gen", "ws/vendor/to-sub": "../sub", "ws/vendor/to-file": base + "/ws/inside",
		"ws/linked": "real",
	} {
		need.Symlink(t, target, filepath.Join(base, name))
	}
	return base, []string{"vendor", "go.sum", "made/later", base + "/writable/gen", "linked/deep"}
}

// What is in ReadOnlyRoots is changed by no tool, on no way, and what lies beside is.
func TestReadOnlyRoots(t *testing.T) {
	t.Parallel()
	base, roots := readOnlyTree(t)
	ws := base + "/ws"
	cfg := withBash(config.Config{Workspace: ws, WritableRoots: []string{"../writable"}, ReadOnlyRoots: roots})
	s := newSuite(t, cfg, nil)
	for root, paths := range map[string][]string{
		"vendor": {
			"vendor/file", "vendor/deep/file", "vendor/deep/../file", ws + "/vendor/file", "to-vendor/file", "sub/to-vendor/deep/file", "to-deep/file",
			"sub/../vendor/file", "vendor/new", "vendor/new/below", "to-new", "to-vendor/new", "../ws/vendor/file", "to-writable/to-ws/vendor/file",
		},
		"go.sum":                                 {"go.sum", "to-sum", "./sub/../go.sum"},
		filepath.ToSlash(base) + "/writable/gen": {"../writable/gen/file", "to-gen/file", "to-gen/new", "to-writable/gen/file"},
		"linked/deep":                            {"linked/deep/file", "real/deep/file", "real/deep/new"},
	} {
		for _, path := range paths {
			text := "is in " + root + ", which the option ReadOnlyRoots makes read-only. Make the change elsewhere, or ask the user to make it"
			if path == root {
				text = root + " is read-only because of the option ReadOnlyRoots. Make"
			}
			refusedEverywhere(t, s, base, path, tools.CodePermissionDenied, text)
		}
	}
	for _, path := range []string{"vendored/file", "vendor/to-sub/inside", "vendor/to-file", "real/file", "go.sum.new", "made/other", "../writable/file"} {
		write(t, s, path, path)
		data, err := os.ReadFile(filepath.Join(ws, path))
		require.NoError(t, err)
		require.Equal(t, path, string(data), "it is elsewhere")
	}
	require.NoFileExists(t, ws+"/made/later")
}

// What does not exist yet is not made. A command can make it, which bash says: see internal/sandbox.
func TestReadOnlyRootsThatAreMissing(t *testing.T) {
	t.Parallel()
	base, roots := readOnlyTree(t)
	cfg := config.Config{Workspace: base + "/ws", Tools: []string{"read", "write", "edit", "apply_patch"}, WritableRoots: []string{"../writable"}, ReadOnlyRoots: roots}
	s := newSuite(t, cfg, nil)
	for _, path := range []string{"made/later", "made/later/new", "to-later", "to-later/new", "made/x/../later/new"} {
		refusedEverywhere(t, s, base, path, tools.CodePermissionDenied, "the option ReadOnlyRoots")
	}
	require.NoDirExists(t, base+"/ws/made")
	for i, like := range []string{"Made/LATER", "made/Later/new", "MADE/later/new", "made/la\u200cter/new", "made/later./new", "made/\uff4cater/new"} {
		_, err := s.Write(t.Context(), tools.WriteParams{Path: like, Content: "x"})
		refusedAs(t, err, tools.CodePermissionDenied, "the option ReadOnlyRoots")
		if i == 2 {
			require.NoError(t, os.Mkdir(base+"/ws/made", 0o755))
		}
	}
	write(t, s, "made/latest/new", "x")
	if os.Mkdir(base+"/ws/made/Later", 0o755) == nil { // beside which it could be made: these are two names here
		if _, err := os.Stat(base + "/ws/made/later"); errors.Is(err, fs.ErrNotExist) {
			write(t, s, "made/Later/new", "x")
		}
	}
}

// Whatever takes the place of a root, it does not open it, and what was there stays closed where it is.
func TestReplacedReadOnlyRoots(t *testing.T) {
	t.Parallel()
	refuse := func(s *tools.Suite, paths ...string) {
		t.Helper()
		for _, path := range paths {
			_, err := s.Write(t.Context(), tools.WriteParams{Path: path, Content: "x"})
			refusedAs(t, err, tools.CodePermissionDenied, "the option ReadOnlyRoots")
		}
	}
	base, roots := readOnlyTree(t)
	ws := base + "/ws"
	s := newSuite(t, config.Config{Workspace: ws, WritableRoots: []string{"../writable"}, ReadOnlyRoots: roots}, nil)
	require.NoError(t, os.RemoveAll(ws+"/vendor"))
	refuse(s, "vendor", "vendor/file")
	require.NoError(t, os.Mkdir(ws+"/vendor", 0o755))
	refuse(s, "vendor/file")
	require.NoError(t, os.Remove(ws+"/vendor"))
	require.NoError(t, os.Symlink("sub", ws+"/vendor"))
	refuse(s, "vendor/file", "vendor/deep/file", "sub/inside") // what it leads to is read-only as long as it does
	require.NoError(t, os.Remove(ws+"/vendor"))
	write(t, s, "sub/inside", "x")

	require.NoError(t, os.Remove(ws+"/linked"))
	require.NoError(t, os.Symlink("sub", ws+"/linked"))
	refuse(s, "linked/deep/file", "real/deep/file", "sub/deep/file")
	require.NoError(t, os.RemoveAll(base+"/ws"))
	require.NoError(t, os.MkdirAll(ws+"/sub", 0o755))
	refuse(s, "vendor/file", "go.sum")
	write(t, s, "sub/new", "x")
}

// A change is not undone where nothing is changed any more.
func TestRestoreInReadOnlyRoot(t *testing.T) {
	t.Parallel()
	base, _ := readOnlyTree(t)
	ws := base + "/ws"
	s := newSuite(t, config.Config{Workspace: ws, ReadOnlyRoots: []string{"vendor"}}, nil)
	call(t, s, "read", map[string]any{"path": "sub/inside"})
	res := write(t, s, "sub/inside", "x")
	require.NoError(t, os.RemoveAll(ws+"/vendor"))
	require.NoError(t, os.Rename(ws+"/sub", ws+"/vendor"))
	require.NoError(t, os.Symlink("vendor", ws+"/sub"))
	before := filesBelow(t, base)
	_, err := s.Restore(t.Context(), res.Before)
	refusedAs(t, err, tools.CodePermissionDenied, "is in vendor, which the option ReadOnlyRoots makes read-only")
	require.Equal(t, before, filesBelow(t, base))
}

func TestReadOnlyRootsThatAreRefused(t *testing.T) {
	base, _ := readOnlyTree(t)
	need.Symlink(t, "ws", base+"/to-ws")
	need.Symlink(t, ".", base+"/ws/self")
	const (
		whole   = ", but must be a part of the workspace or of WritableRoots, not all of one (ReadOnly changes nothing at all)"
		outside = ", but must be inside of the workspace or of WritableRoots, as nothing is changed elsewhere"
	)
	for root, want := range map[string]string{
		".": whole, base + "/ws": whole, "sub/..": whole, "..": whole, "/": whole, "self": whole, "self/self": whole, base + "/to-ws": whole, "": whole,
		"../writable": whole, base + "/writable": whole, "to-writable": whole,
		"../other": outside, "../readable/file": outside, base + "/none": outside, "../ws-not": outside,
		"inside/x": "must be a path that can be followed: ", "bad\x00name": "must be a path that can be followed: ",
	} {
		_, err := tools.New(config.Config{Workspace: base + "/ws", ReadOnly: true, AllowedRoots: []string{"../readable"},
			WritableRoots: []string{"../writable"}, ReadOnlyRoots: []string{"vendor", root}}, all.Parts()...)
		require.ErrorContains(t, err, "config: ReadOnlyRoots is ", root)
		require.ErrorContains(t, err, want, root)
	}
	_, err := tools.New(config.Config{Workspace: base + "/ws", WritableRoots: []string{base}, ReadOnlyRoots: []string{"../ws"}}, all.Parts()...)
	require.ErrorContains(t, err, whole)
	_, err = tools.New(config.Config{Workspace: base + "/ws/sub", WritableRoots: []string{base}, ReadOnlyRoots: []string{"../../ws"}}, all.Parts()...)
	require.ErrorContains(t, err, whole, "it holds the workspace")
	t.Setenv("SPILLWAY_READ_ONLY_ROOTS", "vendor,../other")
	cfg, err := config.FromEnv(config.Config{Workspace: base + "/ws"})
	require.NoError(t, err)
	_, err = tools.New(cfg, all.Parts()...)
	require.ErrorContains(t, err, "config: SPILLWAY_READ_ONLY_ROOTS: ReadOnlyRoots is ../other")
	for _, dir := range []string{"vendor", "vendor/full", "to-vendor/full", "made"} {
		_, err = tools.New(config.Config{Workspace: base + "/ws", ReadOnlyRoots: []string{"sub", "vendor", "made"}, Spill: config.Spill{Dir: dir}}, all.Parts()...)
		if strings.HasPrefix(dir, "to-") && err == nil {
			continue // which is not used behind a link
		}
		require.ErrorContains(t, err, "config: Spill.Dir is "+dir+", but must be outside of ReadOnlyRoots, which have ")
	}
}

// What a file system takes for the name of a root is that root. There are no links here, so this runs everywhere.
func TestReadOnlyRootsInAnotherSpelling(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	for _, file := range []string{"vendor/file", "long directory/gen/file", "caf\u00e9/file", "go.sum", "other"} {
		testkit.WriteFile(t, filepath.Join(ws, file), "before\n")
	}
	roots := []string{"vendor", "long directory/gen", "long directory/later", "caf\u00e9", "go.sum", "missing"}
	s := newSuite(t, config.Config{Workspace: ws, Tools: []string{"read", "write", "edit", "apply_patch"}, ReadOnlyRoots: roots}, nil)
	same := map[string]bool{}
	spellings := map[string]string{
		"VENDOR/new": "vendor", "Vendor/file": "vendor", "cafe\u0301/new": "caf\u00e9", "GO.SUM": "go.sum", "vendor./file": "vendor", "vendor /new": "vendor",
		"LONGDI~1/gen/file": "long directory/gen", "LONGDI~1/later": "long directory/later", "go.sum.": "go.sum", "LONG DIRECTORY/later/new": "long directory/later",
	}
	for path := range spellings {
		_, err := os.Stat(filepath.Join(ws, strings.SplitN(path, "/", 2)[0]))
		same[path] = err == nil
	}
	for path, root := range spellings {
		before := filesBelow(t, ws)
		_, failed := s.Write(t.Context(), tools.WriteParams{Path: path, Content: "x"})
		if same[path] { // the file system takes it for the root
			require.Error(t, failed, path)
			require.Equal(t, before, filesBelow(t, ws), "%s %v", path, failed)
			if tools.CodeOf(failed) != tools.CodePermissionDenied { // Windows has no such name
				t.Logf("%s: %v", path, failed)
				continue
			}
			require.ErrorContains(t, failed, root, "%s", path)
		} else {
			t.Logf("%s is another name here: %v", path, failed)
		}
	}
	for _, path := range []string{"vendor/file", "vendor/new", `vendor\file`, filepath.Join(ws, "vendor", "file"), "go.sum", "missing", "MISSING", "missing/x", "missing./x"} {
		if strings.Contains(path, `\`) && filepath.Separator == '/' {
			continue
		}
		_, err := s.Write(t.Context(), tools.WriteParams{Path: path, Content: "x"})
		refusedAs(t, err, tools.CodePermissionDenied, "the option ReadOnlyRoots")
	}
	write(t, s, "other", "x")
	write(t, s, "long directory/other", "x")
}
