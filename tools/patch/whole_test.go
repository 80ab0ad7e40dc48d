package patch_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/patch"
)

// A patch that fails while its files are replaced leaves all of them as they were.
func TestApplyPatchRollsBack(t *testing.T) {
	t.Parallel()
	need.Modes(t)
	files := map[string]string{"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"}
	const begin = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: b.txt\n*** Move to: dir/d.txt\n"
	for _, tt := range []struct{ name, patch, want string }{
		{"a file where a directory is made", begin + "*** Add File: x\n+x\n*** Add File: x/y\n+y\n*** End Patch", "stale: x was changed by another program just now, and was left alone. Make the call again"},
		{"a file that may not be removed", begin + "*** Delete File: c.txt\n*** End Patch", "permission_denied: c.txt is not writable; nothing was changed. Check its mode and owner with ls -l, or write another file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if os.Geteuid() == 0 && strings.HasPrefix(tt.want, "permission_denied") {
				t.Skip("root may remove it")
			}
			s := patchSuite(t, config.Config{}, files)
			require.NoError(t, os.Chmod(filepath.Join(s.Workspace(), "c.txt"), 0o444))
			require.NoError(t, os.Chmod(filepath.Join(s.Workspace(), "b.txt"), 0o755))
			require.Equal(t, tt.want, call(t, s, "apply_patch", map[string]any{"patch": tt.patch}).Text)
			require.Equal(t, files, contents(t, s.Workspace()))
			require.NoDirExists(t, filepath.Join(s.Workspace(), "dir"))
			info, err := os.Stat(filepath.Join(s.Workspace(), "b.txt"))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
		})
	}
}

// swapping patches turn one state of the workspace into the other, and back.
func swapping(from, to string) string {
	return fmt.Sprintf("*** Begin Patch\n*** Update File: a\n@@\n-%[1]s\n+%[2]s\n*** Update File: %[1]s\n*** Move to: %[2]s\n@@\n-%[1]s\n+%[2]s\n"+
		"*** Update File: b\n@@\n-%[1]s\n+%[2]s\n*** Delete File: del-%[1]s\n*** Add File: del-%[2]s\n+%[2]s\n*** End Patch", from, to)
}

func swapped(state string) map[string]string {
	return map[string]string{"a": state + "\n", "b": state + "\n", state: state + "\n", "del-" + state: state + "\n"}
}

// A call whose context ends at any step has done all or nothing.
func TestApplyPatchEndsAtAnyStep(t *testing.T) {
	s := patchSuite(t, config.Config{}, swapped("old"))
	for step := 0; ; step++ {
		ctx := testkit.EndsAfter(t.Context(), step)
		_, err := patch.Apply(ctx, s, patch.Params{Patch: swapping("old", "new")})
		if err == nil {
			require.Greater(t, step, 10)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, swapped("old"), contents(t, s.Workspace()), "step %d", step)
	}
	require.Equal(t, swapped("new"), contents(t, s.Workspace()))
}

// Patches by several suites at once come one after the other, whole.
func TestApplyPatchConcurrently(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suites := []*tools.Suite{
		patchSuite(t, config.Config{Workspace: dir}, map[string]string{"a": "begin\nend\n", "b": "begin\nend\n"}),
		patchSuite(t, config.Config{Workspace: dir}, nil),
	}
	const calls = 5
	var wg sync.WaitGroup
	for i, s := range suites {
		for j := range calls {
			wg.Go(func() {
				hunk := fmt.Sprintf("@@\n begin\n+%d %d\n", i, j)
				_, err := patch.Apply(t.Context(), s, patch.Params{Patch: "*** Begin Patch\n*** Update File: a\n" + hunk + "*** Update File: b\n" + hunk + "*** End Patch"})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	after := contents(t, dir)
	require.Equal(t, after["a"], after["b"])
	require.Equal(t, 2+calls*len(suites), strings.Count(after["a"], "\n"))
}

const patchingDir = "APPLY_PATCH_DIR"

// A program that is killed while it patches leaves each file as it was before the patch or after it.
func TestApplyPatchKilled(t *testing.T) {
	if dir := os.Getenv(patchingDir); dir != "" {
		patchForEver(dir)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Some(10) {
		dir := t.TempDir()
		for name, content := range swapped("old") {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestApplyPatchKilled$")
		cmd.Env = append(os.Environ(), patchingDir+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		made := bufio.NewReader(out)
		for range 1 + r.IntN(4) { // somewhere in one of the next patches
			if _, err = made.ReadString('\n'); err != nil {
				break
			}
		}
		for range r.IntN(1 << 20) { // a little later
		}
		cmd.Process.Kill()
		cmd.Wait()
		require.NoError(t, err)
		for name, content := range contents(t, dir) {
			if strings.HasPrefix(name, ".spillway-") {
				continue // a temporary file
			}
			require.Contains(t, []string{"old\n", "new\n"}, content, name)
		}
		s := patchSuite(t, config.Config{Workspace: dir}, nil) // the turn that was taken is free
		require.False(t, call(t, s, "write", map[string]any{"path": "x", "content": ""}).IsError)
	}
}

// patchForEver patches the files of swapping back and forth, and tells of each time.
func patchForEver(dir string) {
	s, err := tools.New(config.Config{Workspace: dir, Tools: config.ToolNames()}, all.Parts()...)
	for from, to := "old", "new"; err == nil; from, to = to, from {
		_, err = patch.Apply(context.Background(), s, patch.Params{Patch: swapping(from, to)})
		fmt.Println("patched")
	}
	io.WriteString(os.Stderr, err.Error())
	os.Exit(1)
}
