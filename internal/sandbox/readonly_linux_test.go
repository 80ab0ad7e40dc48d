//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// tamperings are commands that change what ReadOnlyRoots names: .git, vendor, a/b/gen and go.sum. All of them succeed
// without a sandbox, except those that only root may do, or only some systems can.
var tamperings = []struct {
	name, command string
	may           bool
}{
	{name: "write", command: "echo x >vendor/file"},
	{name: "append to a file that is a root", command: "echo x >>go.sum"},
	{name: "create", command: "echo x >vendor/new"},
	{name: "create deep", command: "mkdir -p a/b/gen/new/dir"},
	{name: "truncate", command: "truncate -s 0 a/b/gen/file"},
	{name: "remove a file in it", command: "rm vendor/file"},
	{name: "remove it", command: "rm -rf .git"},
	{name: "remove a root that is a file", command: "rm -f go.sum"},
	{name: "remove a directory above", command: "rm -rf a"},
	{name: "move it", command: "mv .git x"},
	{name: "move a file", command: "mv go.sum x"},
	{name: "move a file out of it", command: "mv vendor/file x"},
	{name: "move a file into it", command: "echo x >x; mv x vendor/x"},
	{name: "move over it", command: "echo x >x; mv -f x go.sum"},
	{name: "move the directory above", command: "mv a x; mkdir -p a/b/gen"},
	{name: "move the inner directory above", command: "mv a/b x"},
	{name: "move the workspace", command: "mv ../ws ../x; mkdir ../ws"},
	{name: "replace by a link", command: "mv vendor x && ln -s x vendor"},
	{name: "exchange", command: "mkdir v; TEST_ROLE=exchange $HELPER v vendor"},
	{name: "exchange the directory above", command: "mkdir v; TEST_ROLE=exchange $HELPER v a"},
	{name: "hard link", command: "ln vendor/file x && echo x >x"},
	{name: "symbolic link", command: "ln -s vendor/file x; echo x >x"},
	{name: "symbolic link to the directory above", command: "ln -s a/b x; echo x >x/gen/file"},
	{name: "link that was there", command: "echo x >to-vendor/file"},
	{name: "dot dot", command: "echo x >a/../../ws/vendor/file"},
	{name: "/proc/self/root", command: "echo x >/proc/self/root$PWD/vendor/file"},
	{name: "/proc/self/cwd", command: "cd vendor; echo x >/proc/self/cwd/file"},
	{name: "/proc/self/fd", command: "exec 3<vendor; echo x >/proc/self/fd/3/file"},
	{name: "chmod", command: "chmod 700 vendor/file"},
	{name: "chmod of the root", command: "chmod 700 vendor"},
	{name: "sed -i", command: "sed -i s/before/after/ go.sum"},
	{name: "mount over it", may: true, command: "mount -t tmpfs none vendor && echo x >vendor/new; umount vendor; exit 1"},
	{name: "mount again", may: true, command: "mount -o remount,rw,bind $PWD/vendor; echo x >vendor/file"},
	{name: "unmount", may: true, command: "umount vendor; echo x >vendor/file"},
	{name: "in a namespace", may: true, command: "unshare -rm sh -c 'umount vendor; umount -l vendor; mount --bind . a; echo x >vendor/file'"},
	{name: "git commit", command: "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"},
	{name: "git config", command: "git config user.name x"},
	{name: "git add", command: "git add go.sum"},
	{name: "git checkout", command: "git checkout -qb x"},
}

// readOnlyRepo makes a repository ws, and returns the directory that it is in.
func readOnlyRepo(t *testing.T) (base string) {
	return copied(t, "read-only", func(base string) {
		ws := base + "/ws"
		git(t, base, "init", "-q", ws)
		for _, file := range []string{"vendor/file", "a/b/gen/file", "a/other", "go.sum"} {
			testkit.WriteFile(t, ws+"/"+file, "before\n")
		}
		require.NoError(t, os.Symlink("vendor", ws+"/to-vendor"))
		git(t, ws, "add", "vendor")
		git(t, ws, "commit", "-q", "-m", "first")
	})
}

var readOnlyRoots = []string{".git", "vendor", "a/b/gen", "go.sum"}

// snapshot is what is at the paths of readOnlyRoots.
func snapshot(t *testing.T, ws string) map[string]string {
	found := map[string]string{}
	for _, root := range readOnlyRoots {
		filepath.WalkDir(filepath.Join(ws, root), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				found[path] = err.Error()
				return nil
			}
			info, err := d.Info()
			require.NoError(t, err)
			content, _ := os.ReadFile(path)
			found[path] = fmt.Sprint(info.Mode(), string(content))
			return nil
		})
	}
	return found
}

// TestReadOnlyRoots makes every attempt without a sandbox, and then in it, also with the workspace in another writable
// directory. With -short it makes every fourth without a sandbox, and every fourth in the narrower one.
func TestReadOnlyRoots(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	helper := filepath.Join(outside(t), "helper")
	linkProgram(t, helper)
	suite := func(t *testing.T, base string, cfg config.Config) *tools.Suite {
		cfg.Workspace, cfg.Bash.Env = base+"/ws", []string{"HELPER=" + helper, "HOME=" + base, "GIT_CONFIG_NOSYSTEM=1"}
		return newSuite(t, cfg)
	}
	for i, a := range tamperings {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run("free/"+a.name, func(t *testing.T) {
			t.Parallel()
			free := readOnlyRepo(t)
			was := snapshot(t, free+"/ws")
			res := run(t, suite(t, free, config.Config{}), a.command)
			if !a.may {
				require.NotEqual(t, was, snapshot(t, free+"/ws"), "it is no attempt: %s", res.Text)
			}
		})
	}
	for _, nested := range []bool{false, true} {
		t.Run(fmt.Sprintf("nested=%v", nested), func(t *testing.T) {
			t.Parallel()
			base := readOnlyRepo(t)
			cfg := config.Config{ReadOnlyRoots: readOnlyRoots, Bash: config.Bash{Sandbox: config.SandboxAuto}}
			if nested {
				cfg.WritableRoots = []string{filepath.Dir(base)}
			}
			confined := suite(t, base, cfg)
			before := snapshot(t, base+"/ws")
			for i, a := range tamperings {
				if testing.Short() && !nested && i%4 != 1 {
					continue
				}
				t.Run(a.name, func(t *testing.T) {
					res := run(t, confined, "[ ! -e x ] && [ ! -L x ] && [ ! -e v ] || rm -rf x v\n"+a.command)
					require.Equal(t, before, snapshot(t, base+"/ws"), res.Text)
					require.Equal(t, "bwrap", res.Sandbox.Engine)
					if !a.may && res.ExitCode != 0 && sandbox.RefusedReadOnly(res.Text) {
						require.Contains(t, res.Text, "ReadOnlyRoots keeps commands from changing .git, vendor, a/b/gen and 1 more")
					}
				})
			}
			res := run(t, confined, "rm -rf x v; echo x >a/other; echo x >a/b/new; mkdir c; mv a/other c; git status --porcelain; git log --oneline; cat vendor/file")
			require.Zero(t, res.ExitCode, res.Text)
			require.NotContains(t, res.Text, "ReadOnlyRoots")
		})
	}
}

// What does not exist is named, and is read-only once it does.
func TestReadOnlyRootsThatAreMissing(t *testing.T) {
	t.Parallel()
	base := outside(t)
	ws := base + "/ws"
	require.NoError(t, os.MkdirAll(ws+"/a", 0o755))
	cfg := config.Config{Workspace: ws, ReadOnlyRoots: []string{"a/gen", "later/gen", "made.txt"}, Bash: config.Bash{Sandbox: "bwrap"}}
	s, reads := newSuite(t, cfg), cfg
	reads.Bash.ReadableRoots = []string{base}
	limited := newSuite(t, reads)
	connects := cfg
	connects.Bash.Services = []string{base + "/socket"}
	serve(t, "unix", base+"/socket")
	connected := newSuite(t, connects)
	gaps := func(s *tools.Suite) string { return strings.Join(run(t, s, "true").Sandbox.NotEnforced, "\n") }
	for _, root := range cfg.ReadOnlyRoots {
		require.Contains(t, gaps(s), "making "+ws+"/"+root+", which does not exist")
	}
	require.Zero(t, run(t, s, "mkdir -p a/gen later/gen; echo x >a/gen/file; echo x >later/gen/file; echo x >made.txt").ExitCode)
	require.NotContains(t, gaps(s), "does not exist")
	require.NotContains(t, gaps(s), "a/gen")
	require.Contains(t, gaps(s), "moving "+ws+"/later/gen away with a directory that was made later than the suite")
	require.Contains(t, gaps(s), "while a program outside replaces it")
	for _, command := range []string{"echo x >a/gen/file", "mv a b", "rm -rf a", "echo x >later/gen/file", "rm -rf later/gen", "echo x >made.txt", "mv made.txt x"} {
		require.NotZero(t, run(t, s, command).ExitCode, command)
	}
	require.Contains(t, gaps(limited), "changing "+ws+"/later/gen, which is in a directory that was made later than the suite")
	for _, s := range []*tools.Suite{limited, connected} {
		require.NotZero(t, run(t, s, "echo x >a/gen/file").ExitCode)
		require.Zero(t, run(t, s, "echo x >later/gen/file").ExitCode, "no link there is followed")
	}

	job, err := s.Bash(t.Context(), tools.BashParams{Command: "echo made; read line", Background: true, ReadyWhen: "made"})
	require.NoError(t, err)
	require.Contains(t, strings.Join(job.Sandbox.NotEnforced, "\n"), "later/gen")
}

// A root that is a link is where it leads, and the link is named.
func TestReadOnlyRootsThatAreLinks(t *testing.T) {
	t.Parallel()
	base := outside(t)
	ws := base + "/ws"
	require.NoError(t, os.MkdirAll(ws+"/real/gen", 0o755))
	require.NoError(t, os.MkdirAll(base+"/elsewhere", 0o755))
	require.NoError(t, os.Symlink("real", ws+"/linked"))
	require.NoError(t, os.Symlink("../elsewhere", ws+"/out"))
	s := newSuite(t, config.Config{Workspace: ws, ReadOnlyRoots: []string{"linked/gen", "out"}, Bash: config.Bash{Sandbox: "bwrap"}})
	for _, command := range []string{"echo x >real/gen/x", "echo x >linked/gen/x", "mv real x", "mv real/gen x", "echo x >out/x"} {
		require.NotZero(t, run(t, s, command).ExitCode, command)
	}
	res := run(t, s, "rm linked; ln -s . linked")
	require.Zero(t, res.ExitCode)
	for _, dir := range []string{ws + "/real/gen", base + "/elsewhere"} {
		require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "replacing the link by which ReadOnlyRoots names "+dir)
	}
	require.NotZero(t, run(t, s, "echo x >real/gen/x").ExitCode)
	require.NoError(t, os.RemoveAll(ws+"/real/gen"))
	require.NoError(t, os.Symlink("../../elsewhere", ws+"/real/gen"))
	res = run(t, s, "echo x >real/gen/x")
	require.NotZero(t, res.ExitCode, "that is outside")
	require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "changing "+ws+"/real/gen, as that is a link now")
}

// TestReplacedReadOnlyRoots has the host replace what is read-only, or above it. Nothing is bound through a link then,
// and git's files stay protected.
func TestReplacedReadOnlyRoots(t *testing.T) {
	t.Parallel()
	base := readOnlyRepo(t)
	ws := base + "/ws"
	s := newSuite(t, config.Config{Workspace: ws, ReadOnlyRoots: readOnlyRoots[1:], Bash: config.Bash{Sandbox: "bwrap"}})
	require.NoError(t, os.RemoveAll(ws+"/vendor"))
	require.NoError(t, os.Mkdir(ws+"/vendor", 0o755))
	require.NoError(t, os.Remove(ws+"/go.sum"))
	require.NoError(t, os.WriteFile(ws+"/go.sum", nil, 0o644))
	for _, command := range []string{"echo x >vendor/x", "mv vendor x", "echo x >go.sum"} {
		require.NotZero(t, run(t, s, command).ExitCode, command)
	}
	require.NoError(t, os.Rename(ws+"/a", base+"/moved"))
	require.NoError(t, os.Symlink("../moved", ws+"/a"))
	for _, command := range []string{"echo x >a/b/x", "echo x >a/x", "echo x >a/b/gen/x", "echo x >>.git/config"} {
		require.NotZero(t, run(t, s, command).ExitCode, command)
	}
	require.Contains(t, strings.Join(run(t, s, "true").Sandbox.NotEnforced, "\n"), "changing "+ws+"/a/b/gen, as that is a link now")
	require.NoError(t, os.Remove(ws+"/a"))
	require.NoError(t, os.MkdirAll(ws+"/a/b/gen", 0o755))
	for _, command := range []string{"echo x >a/b/gen/x", "echo x >>.git/config"} {
		require.NotZero(t, run(t, s, command).ExitCode, command)
	}
	require.Contains(t, strings.Join(run(t, s, "true").Sandbox.NotEnforced, "\n"), "moving "+ws+"/a/b/gen away")
	require.NoError(t, os.RemoveAll(ws))
	require.NoError(t, os.MkdirAll(ws+"/a/b/gen", 0o755))
	require.NotZero(t, run(t, s, "mv a x").ExitCode, "the workspace was made anew, and so is what is held")
}

// A repository that is read-only gets no files from the library either.
func TestReadOnlyRepository(t *testing.T) {
	t.Parallel()
	base := readOnlyRepo(t)
	ws := base + "/ws"
	require.NoError(t, os.RemoveAll(ws+"/.git/hooks"))
	require.NoError(t, os.WriteFile(ws+"/.git/commondir", []byte(".\n"), 0o644))
	before := snapshot(t, ws)
	s := newSuite(t, config.Config{Workspace: ws, ReadOnlyRoots: []string{".git"}, Bash: config.Bash{Sandbox: "bwrap", WriteGitDir: true}})
	require.NotContains(t, run(t, s, "mkdir .git/hooks; echo x >.git/config.worktree").Text, "Removed")
	require.NoError(t, s.Close())
	require.Equal(t, before, snapshot(t, ws))

	tree := base + "/tree"
	git(t, ws, "worktree", "add", "-q", tree)
	require.NoError(t, os.Symlink("../ws/.git", tree+"/link"))
	cfg := config.Config{Workspace: tree, Bash: config.Bash{Sandbox: "bwrap", WriteGitDir: true}}
	newSuite(t, cfg)
	require.NoError(t, os.Symlink("../ws", tree+"/above"))
	for _, root := range []string{"link", "link/objects", "above"} {
		cfg.ReadOnlyRoots = []string{root}
		_, err := tools.New(cfg, all.Parts()...)
		require.ErrorContains(t, err, "Bash.WriteGitDir is true, but must be false in this workspace, as ")
		require.ErrorContains(t, err, "ReadOnlyRoots has "+base+"/ws")
	}
}

// Landlock gives rights below a directory and takes none away there.
func TestReadOnlyRootsUnderLandlock(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/sandbox")
	base := readOnlyRepo(t)
	cfg := config.Config{Workspace: base + "/ws", ReadOnlyRoots: []string{"vendor"}, Bash: config.Bash{Sandbox: "landlock"}}
	_, err := tools.New(cfg, all.Parts()...)
	require.EqualError(t, err, "config: Bash.Sandbox is landlock, but must be bwrap or auto, as there are ReadOnlyRoots: "+
		"landlock cannot keep commands from changing a part of what they may change")
	cfg.Tools = []string{"read", "write"}
	newSuite(t, cfg)
	_, err = sandbox.New(sandbox.Landlock, sandbox.Policy{Workspace: cfg.Workspace, ReadOnly: []sandbox.ReadOnly{{Dir: cfg.Workspace + "/vendor"}}})
	require.ErrorContains(t, err, "as ReadOnlyRoots asks: use bwrap, which can")
}

func TestManyReadOnlyRoots(t *testing.T) {
	t.Parallel()
	ws := outside(t)
	deep := filepath.Join(ws, strings.Repeat("d/", 101), "gen")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	newSuite(t, config.Config{Workspace: ws, ReadOnlyRoots: []string{filepath.Dir(deep)}, Bash: config.Bash{Sandbox: "bwrap"}})
	_, err := tools.New(config.Config{Workspace: ws, ReadOnlyRoots: []string{deep}, Bash: config.Bash{Sandbox: "bwrap"}}, all.Parts()...)
	require.ErrorContains(t, err, "what ReadOnlyRoots names is in more than 100 directories")
}

// The description of bash names what cannot be changed.
func TestReadOnlyRootsAreDescribed(t *testing.T) {
	t.Parallel()
	base := readOnlyRepo(t)
	s := newSuite(t, config.Config{Workspace: base + "/ws", ReadOnlyRoots: []string{".git", "vendor"}, Bash: config.Bash{Sandbox: "auto"}})
	for _, tool := range s.Tools() {
		if tool.Name() == "bash" {
			require.Contains(t, tool.Description(), "they write only in the workspace and $TMPDIR, but not in .git or vendor, and have no network.")
		}
	}
	res, err := s.Bash(context.Background(), tools.BashParams{Command: "echo x >/usr/x; exit 1"})
	require.NoError(t, err)
	require.Contains(t, res.Text, "Sandboxed (bwrap)")
	cmd := exec.Command("git", "status")
	cmd.Dir = base + "/ws"
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
