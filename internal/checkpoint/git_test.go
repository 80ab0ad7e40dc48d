package checkpoint_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/walk"
)

// repository makes the workspace a repository with one commit of all that is there, long enough ago for git to know by
// their times which files have changed since.
func (p *place) repository() {
	p.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		p.t.Skip("git is not installed")
	}
	testkit.IsolateGit(p.t)
	testkit.Git(p.t, p.dir, "init", "-q")
	long := time.Now().Add(-time.Hour)
	for name := range p.snapshot() {
		os.Chtimes(p.path(name), long, long)
	}
	time.Sleep(20 * time.Millisecond) // ctime cannot be set
	testkit.Git(p.t, p.dir, "add", "-A")
	testkit.Git(p.t, p.dir, "commit", "-qm", "x", "--allow-empty")
}

// What git has needs no copy, and is put back all the same.
func TestInGit(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("sub/b", "two")
	p.repository()
	p.track(nil)
	step := p.take()
	require.Zero(t, p.kept())
	p.write("untracked", "three")
	p.write("sub/b", "four")
	p.look()
	require.EqualValues(t, len("threefour")+len("two"), p.kept(), "with the object that is in no pack")
	testkit.Git(t, p.dir, "rm", "-rqf", "--cached", ".")
	require.NoError(t, os.RemoveAll(p.path("sub")))
	p.look()
	p.rewind(step)
	p.same(map[string]string{"a": "-rw-r--r-- one", "sub": "drwxr-xr-x", "sub/b": "-rw-r--r-- two"}, nil)
}

// A look that starts over, as an untracked attribute file may convert files, still knows what git tracks.
func TestTrackedThoughIgnored(t *testing.T) {
	p := newPlace(t)
	p.write("a.log", "one")
	p.write("b.log", "one")
	p.repository()
	p.write(".gitignore", "*.log\n")
	p.write("sub/.gitattributes", "*.txt text\n")
	p.track(nil)
	step, before := p.take(), p.snapshot()
	p.write("a.log", "other")
	changes, _ := p.look()
	require.Equal(t, []string{"a.log"}, paths(changes))
	p.rewind(step)
	p.same(before, nil)
}

// Where git keeps other bytes than a file has, the file's own are put back.
func TestConverted(t *testing.T) {
	testkit.Raced(t)
	for name, set := range map[string]func(p *place){
		"attributes":                  func(p *place) { p.write(".gitattributes", "*.txt text\n") },
		"attributes below, untracked": func(p *place) {},
		"attributes above, untracked": func(p *place) { p.write(".gitattributes", "*.txt text\n") },
		"attributes, ignored": func(p *place) {
			p.write("sub/.gitattributes", "a.txt text\n")
			p.write(".gitignore", ".gitattributes\n")
		},
		"attributes, hidden": func(p *place) { p.write("sub/.gitattributes", "a.txt text\n") },
		"core.autocrlf":      func(p *place) { testkit.Git(p.t, p.dir, "config", "core.autocrlf", "input") },
		"core.autocrlf in a file elsewhere": func(p *place) {
			elsewhere := filepath.Join(p.t.TempDir(), "config")
			testkit.WriteFile(p.t, elsewhere, "[core]\nautocrlf = input\n")
			testkit.Git(p.t, p.dir, "config", "include.path", elsewhere)
		},
		"info/attributes": func(p *place) { p.write(".git/info/attributes", "* text=auto\n") },
		"a filter": func(p *place) {
			testkit.Git(p.t, p.dir, "config", "filter.rot.clean", "tr a-y b-z")
			testkit.Git(p.t, p.dir, "config", "filter.rot.smudge", "tr b-z a-y")
			p.write(".gitattributes", "*.txt filter=rot\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("sub/a.txt", "one\r\ntwo\r\n")
			p.repository()
			if name == "attributes below, untracked" {
				p.write("sub/.gitattributes", "a.txt text\n")
			}
			set(p)
			testkit.Git(t, p.dir, "add", "--renormalize", "-A")
			testkit.Git(t, p.dir, "commit", "-qm", "y")
			file := p.path("sub/a.txt")
			switch name {
			case "attributes above, untracked":
				p.dir = p.path("sub")
				p.track(nil)
			case "attributes, hidden":
				p.track(hiding(".gitattributes"))
			default:
				p.track(nil)
			}
			step := p.take()
			testkit.WriteFile(t, file, "other")
			p.look()
			p.rewind(step)
			require.Equal(t, "one\r\ntwo\r\n", testkit.ReadFile(t, file))
		})
	}
}

// That git has a file, too, from now on is no change.
func TestAddedToGit(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.repository()
	p.write("sub/new", "two")
	p.track(nil)
	p.look()
	testkit.Git(t, p.dir, "add", "-A")
	testkit.Git(t, p.dir, "commit", "-qm", "y")
	changes, _ := p.look()
	require.Empty(t, changes)
}

// Repositories of all kinds: what git does with some of its files is not known here, and they are put back as others.
func TestRepositories(t *testing.T) {
	testkit.Raced(t)
	for name, prepare := range map[string]func(p *place){
		"below the root":   func(p *place) { p.dir = filepath.Join(p.dir, "sub") },
		"split index":      func(p *place) { testkit.Git(p.t, p.dir, "update-index", "--split-index") },
		"assume unchanged": func(p *place) { testkit.Git(p.t, p.dir, "update-index", "--assume-unchanged", "a", "sub/b") },
		"index version 4":  func(p *place) { testkit.Git(p.t, p.dir, "update-index", "--index-version=4") },
		"sparse checkout":  func(p *place) { testkit.Git(p.t, p.dir, "sparse-checkout", "set", "sub", "--sparse-index") },
		"linked worktree": func(p *place) {
			other := p.dir + "-linked"
			testkit.Git(p.t, p.dir, "worktree", "add", "-q", other)
			p.dir = other
		},
		"skip worktree": func(p *place) { testkit.Git(p.t, p.dir, "update-index", "--skip-worktree", "a", "sub/b") },
		"fsmonitor": func(p *place) {
			testkit.Git(p.t, p.dir, "config", "core.fsmonitor", "true")
			testkit.Git(p.t, p.dir, "update-index", "--fsmonitor", "--fsmonitor-valid", "a", "sub/b")
		},
		"untracked cache":        func(p *place) { testkit.Git(p.t, p.dir, "update-index", "--force-untracked-cache") },
		"index is locked":        func(p *place) { p.write(".git/index.lock", "") },
		"packed":                 func(p *place) { testkit.Git(p.t, p.dir, "gc", "-q") },
		"removed from the index": func(p *place) { testkit.Git(p.t, p.dir, "rm", "-rq", "--cached", "sub") },
		"intent to add": func(p *place) {
			p.write("empty", "")
			p.write("c", "three")
			testkit.Git(p.t, p.dir, "add", "-N", "empty", "c")
		},
		"alternates": func(p *place) {
			other := p.dir + "-shared"
			testkit.Git(p.t, p.dir, "clone", "-q", "--shared", p.dir, other)
			p.dir = other
		},
		"conflict": func(p *place) {
			testkit.Git(p.t, p.dir, "checkout", "-qb", "side")
			p.write("a", "side")
			testkit.Git(p.t, p.dir, "commit", "-qam", "side")
			testkit.Git(p.t, p.dir, "checkout", "-q", "-")
			p.write("a", "main")
			testkit.Git(p.t, p.dir, "commit", "-qam", "main")
			testkit.TryGit(p.t, p.dir, "merge", "-q", "side")
		},
		"SHA-256": func(p *place) {
			require.NoError(p.t, os.RemoveAll(p.path(".git")))
			testkit.Git(p.t, p.dir, "init", "-q", "--object-format=sha256")
			testkit.Git(p.t, p.dir, "add", "-A")
			testkit.Git(p.t, p.dir, "commit", "-qm", "x")
		},
		"nested": func(p *place) {
			p.write("nested/.gitignore", "*.o\n")
			p.write("nested/c", "three")
			testkit.Git(p.t, p.path("nested"), "init", "-q")
			testkit.Git(p.t, p.path("nested"), "add", "-A")
			testkit.Git(p.t, p.path("nested"), "commit", "-qm", "x")
		},
		"submodule": func(p *place) {
			other := p.dir + "-module"
			testkit.Git(p.t, p.dir, "clone", "-q", p.dir, other)
			testkit.Git(p.t, p.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "module")
			testkit.Git(p.t, p.dir, "commit", "-qm", "y")
		},
		"in a submodule": func(p *place) {
			other := p.dir + "-module"
			testkit.Git(p.t, p.dir, "clone", "-q", p.dir, other)
			testkit.Git(p.t, p.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "module")
			p.dir = p.path("module")
		},
		"separate git directory": func(p *place) {
			testkit.Git(p.t, p.dir, "init", "-q", "--separate-git-dir="+p.dir+"-git")
		},
		"partial clone": func(p *place) {
			other := p.dir + "-partial"
			testkit.Git(p.t, p.dir, "config", "uploadpack.allowFilter", "true")
			testkit.Git(p.t, p.dir, "clone", "-q", "--filter=blob:none", "--no-local", p.dir, other)
			p.dir = other
		},
		"shallow": func(p *place) {
			other := p.dir + "-shallow"
			testkit.Git(p.t, p.dir, "clone", "-q", "--depth=1", "file://"+p.dir, other)
			p.dir = other
		},
		"large file pointers": func(p *place) {
			testkit.Git(p.t, p.dir, "config", "filter.lfs.clean", "echo pointer of git-lfs; cat > /dev/null")
			testkit.Git(p.t, p.dir, "config", "filter.lfs.smudge", "cat")
			p.write(".gitattributes", "*.bin filter=lfs -text\n")
			p.write("sub/x.bin", "some large content, of which git has a pointer\n")
			testkit.Git(p.t, p.dir, "add", "-A")
			testkit.Git(p.t, p.dir, "commit", "-qm", "y")
		},
		"no objects": func(p *place) { require.NoError(p.t, os.RemoveAll(p.path(".git/objects"))) },
		"garbage":    func(p *place) { p.write(".git/index", "DIRC garbage") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a", "one")
			p.write("sub/b", "two")
			p.repository()
			prepare(p)
			p.track(nil)
			step, before := p.take(), p.snapshot()
			for name := range before {
				if info, err := os.Lstat(p.path(name)); err == nil && info.Mode().IsRegular() {
					p.write(name, "other")
				}
			}
			p.look()
			require.NotEqual(t, before, p.snapshot())
			p.rewind(step)
			p.same(before, nil)
		})
	}
}

// Attributes that git does not track have all be looked at once more, but once.
func TestAttributesFoundOnce(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.repository()
	p.write(".gitattributes", "*.txt text\n")
	walks := 0
	p.track(func(o *checkpoint.Options) {
		o.Tree = func(root *os.Root) *walk.Tree { walks++; return walk.Open(root) }
	})
	p.look()
	require.Equal(t, 2, walks)
	p.look()
	require.Equal(t, 3, walks)
}
