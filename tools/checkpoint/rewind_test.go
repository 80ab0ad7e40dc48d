package checkpoint_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/checkpoint"
)

// session is what an agent runs in a repository, one command after the other.
var session = []string{
	"sed -i 's/answer/Answer/g' *.go",
	"printf 'package main\\nfunc  added( ) {}\\n' >added.go; gofmt -w . || sed -i 's/  */ /g' added.go",
	"mkdir -p gen && for i in 1 2 3 4 5 6; do echo \"package gen // $i\" >gen/$i.go; done",
	"git checkout -q -b feature && git mv main.go cmd.go && git commit -qam moved",
	"git checkout -q master 2>/dev/null || git checkout -q -",
	"cp -r lib node_modules && echo '{}' >node_modules/package.json && chmod -R go-w node_modules",
	"rm -r gen",
	"echo 'build/' >>.gitignore; mkdir build; echo ignored >build/out",
	"sed -i '1d' lib/data.txt; chmod 755 lib/data.txt",
	"ln -s lib/data.txt link; ln lib/data.txt hard",
	"rm -rf lib; echo 'not a directory any more' >lib",
	"git stash -q; echo after stash >stashed.txt",
	"git stash pop -q || true",
	"head -c 300000 /dev/zero >zeros; truncate -s 1000000 sparse",
	"touch -d '2001-01-01' README; echo x >>README; touch -r .gitignore README",
	"printf '\\377\\376' >$(printf 'n\\377me'); mkdir -p 'a b/c d'; : >'a b/c d/e f'",
	"mv node_modules vendor; mv vendor/package.json .",
	"git clean -fdq; git reset -q --hard",
	"cc -o prog prog.c 2>/dev/null || cp prog.c prog; chmod 500 prog",
	"chmod 400 README; rm -f *.go",
	"rm -rf ./* .gitignore",
}

// A session of an agent is put back step by step, and forth again, as copies have it: byte by byte, mode by mode.
func TestSession(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	need.Modes(t)
	p := newPlace(t, config.Config{}, map[string]string{
		"main.go": "package main\n\nfunc main() { println(answer) }\n", "answer.go": "package main\n\nvar answer = 42\n",
		"lib/data.txt": "1\n2\n3\n", "lib/more/x": "x", "README": "read me\n", ".gitignore": "*.log\n", "prog.c": "int main(void) { return 0; }\n",
		"untracked": "mine\n",
	})
	need.Program(t, "git")
	p.gitAll("untracked")
	var ids []string
	var trees []map[string]string
	for _, command := range session {
		ids, trees = append(ids, p.take()), append(trees, p.tree())
		_, err := p.Bash(t.Context(), tools.BashParams{Command: command})
		require.NoError(t, err, command)
	}
	last := p.tree()
	refs := p.state()
	delete(last, "/build/out") // git ignores it at the end of the session no more
	for i := len(ids) - 1; i >= 0; i-- {
		r := p.rewind(ids[i])
		require.Empty(t, r.Left, session[i])
		require.Equal(t, without(trees[i]), without(p.tree()), "before %s", session[i])
	}
	require.Equal(t, refs, p.state(), "refs, stash and index stay as they are")
	undo := p.rewind(ids[0]).Undo
	require.Empty(t, undo, "there is nothing to do")
}

// without leaves out what git ignores in the session, and the modes of what it was in.
func without(tree map[string]string) map[string]string {
	for name := range tree {
		if strings.HasPrefix(name, "/build") {
			delete(tree, name)
		}
	}
	return tree
}

// gitAll makes a repository with all files but some in a commit.
func (p *place) gitAll(but ...string) {
	p.t.Helper()
	for _, name := range but {
		require.NoError(p.t, os.Rename(filepath.Join(p.dir, name), filepath.Join(p.dir, "..", filepath.Base(p.dir)+name)))
	}
	p.git()
	for _, name := range but {
		require.NoError(p.t, os.Rename(filepath.Join(p.dir, "..", filepath.Base(p.dir)+name), filepath.Join(p.dir, name)))
	}
}

// state is what git has besides the files.
func (p *place) state() string {
	p.t.Helper()
	var all strings.Builder
	for _, args := range [][]string{{"show-ref"}, {"symbolic-ref", "HEAD"}, {"stash", "list"}, {"ls-files", "--stage"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.dir
		out, _ := cmd.CombinedOutput()
		all.Write(out)
	}
	return all.String()
}

// A rewind is undone by another one, and that by a third.
func TestUndo(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "1\n", "d/b": "2\n"})
	id, before := p.take(), p.tree()
	p.run("echo x >>a; rm -r d; mkdir e; ln -s a l")
	after := p.tree()
	r := p.rewind(id)
	require.Equal(t, before, p.tree())
	require.Len(t, r.Files, 4)
	again := p.rewind(r.Undo)
	require.Equal(t, after, p.tree())
	p.rewind(again.Undo)
	require.Equal(t, before, p.tree())
}

// What is shown is what happens: whatever has changed since is stale, and nothing is put back.
func TestStale(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "1\n", "b": "2\n"})
	id := p.take()
	p.run("echo x >>a; echo x >>b")
	d := p.diff(id)
	p.run("echo y >>b")
	_, err := d.Rewind(t.Context())
	require.Equal(t, tools.CodeStale, codeOf(t, err))
	require.ErrorContains(t, err, "b was changed")
	require.Equal(t, "1\nx\n", p.read("a"))
	p.rewind(id)
	require.Equal(t, "1\n2\n", p.read("a")+p.read("b"))
}

// What others have changed is put back if it is named, and refused if not.
func TestOthers(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "1\n", "b": "2\n", "c": "3\n"})
	id := p.take()
	p.run("echo x >>a; echo x >>b")
	p.write("b", "the user's\n")
	p.write("c", "the user's\n")
	d := p.diff(id)
	var others []string
	for _, f := range d.Files {
		if f.Others {
			others = append(others, f.Path)
		}
	}
	require.Equal(t, []string{"b", "c"}, others)
	_, err := d.Rewind(t.Context())
	require.Equal(t, tools.CodeStale, codeOf(t, err))
	require.ErrorContains(t, err, "b, c were changed")
	require.Equal(t, "1\nx\n", p.read("a"))
	_, err = d.Rewind(t.Context(), "b")
	require.ErrorContains(t, err, "c was changed")
	_, err = d.Rewind(t.Context(), others...)
	require.NoError(t, err)
	require.Equal(t, "1\n2\n3\n", p.read("a")+p.read("b")+p.read("c"))
}

// A user's change of a file that edit then changes is not taken for the call's.
func TestOthersBeforeAnEdit(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "1\n2\n"})
	id := p.take()
	p.write("a", "1\n2\nthe user's\n")
	_, err := p.Edit(t.Context(), tools.EditParams{Path: "a", OldString: "1", NewString: "one"})
	require.NoError(t, err)
	d := p.diff(id)
	require.True(t, d.Files[0].Others)
	require.Len(t, d.Files[0].By, 1)
}

// What is too large is told, named as not covered, and left.
func TestNotCovered(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Checkpoint: config.Checkpoint{MaxFileBytes: 2000}}
	p := newPlace(t, cfg, map[string]string{"big": strings.Repeat("x", 3000), "a": "1\n", ".gitignore": "*.log\n", "x.log": "1"})
	p.git()
	p.write("untracked", strings.Repeat("y", 3000))
	id := p.take()
	_, said := p.run("echo >>untracked; rm a; echo 2 >x.log")
	require.Equal(t, "2 files: a (removed), untracked (changed)", said)
	d := p.diff(id)
	require.Contains(t, d.Text, "untracked (changed): 2.9KB, 2.9KB before: not covered, and stays as it is")
	require.Contains(t, d.Text, "Not covered: what git ignores (Checkpoint.Ignored), 2 files over 2.0KB, or without room in 256MB "+
		"(Checkpoint.MaxFileBytes, Checkpoint.MaxBytes), such as big")
	r, err := d.Rewind(t.Context())
	require.NoError(t, err)
	require.Len(t, r.Left, 1)
	require.Equal(t, "untracked", r.Left[0].Path)
	require.Equal(t, "1\n", p.read("a"))

	cfg.Checkpoint.Ignored = true
	p = newPlace(t, cfg, map[string]string{".gitignore": "*.log\n", "x.log": "1"})
	id = p.take()
	p.run("rm x.log")
	p.rewind(id)
	require.Equal(t, "1", p.read("x.log"))
}

// Another process on the same workspace knows the checkpoints of the first.
func TestAnotherProcess(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "1\n"})
	id := p.take()
	p.run("echo 2 >>a")
	p.run("echo 2 >c")
	require.NoError(t, p.Close())
	p.write("a", "1\n2\nbetween\n")
	p.write("b", "between\n")
	p.open()
	list := must(p.List(t.Context()))
	require.Len(t, list, 4)
	require.Equal(t, id, list[0].ID)
	require.Equal(t, "echo 2 >>a", list[1].About)
	require.True(t, list[3].Others)
	_, err := p.Rewind(t.Context(), id)
	require.ErrorContains(t, err, "a was changed")
	p.rewind(id, "a")
	require.Equal(t, "1\n", p.read("a"))
	require.NoFileExists(t, filepath.Join(p.dir, "c"))
	require.Equal(t, "between\n", p.read("b"), "nobody looked when others made it")
}

// Mistakes are said with what to do.
func TestMistakes(t *testing.T) {
	t.Parallel()
	_, err := checkpoint.New().Take(t.Context())
	require.Equal(t, tools.CodeDenied, codeOf(t, err))
	require.ErrorContains(t, err, "hand their Part to tools.New first")

	p := newPlace(t, config.Config{}, nil)
	_, err = p.Diff(t.Context(), "nonsense")
	require.Equal(t, tools.CodeNotFound, codeOf(t, err))
	require.ErrorContains(t, err, "there is no such checkpoint: nonsense. List has those that there are")
	_, err = tools.New(config.Config{Workspace: p.dir}, p.Part())
	require.ErrorContains(t, err, "these checkpoints have a suite already")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.Take(ended)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, p.Close())
	_, err = p.Take(t.Context())
	require.ErrorContains(t, err, "the suite is closed")

	for dir, want := range map[string]string{
		filepath.Join(p.dir, "in"): "outside of the workspace", "in": "outside of the workspace", os.DevNull: "a directory that can be made",
	} {
		_, err = tools.New(config.Config{Workspace: p.dir, Checkpoint: config.Checkpoint{Dir: dir}}, checkpoint.New().Part())
		var refused *config.OptionError
		require.ErrorAs(t, err, &refused, dir)
		require.Equal(t, "Checkpoint.Dir", refused.Option)
		require.Contains(t, refused.Want, want)
	}
}

// What is kept is where no command of an agent removes it, and is not another user's to read.
func TestStore(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	p := newPlace(t, config.Config{Checkpoint: config.Checkpoint{Dir: cache}}, map[string]string{"a": "1\n"})
	p.cfg.Checkpoint.Dir = ""
	p.open()
	id := p.take()
	p.run("rm -rf ./* .clarvis")
	p.rewind(id)
	require.Equal(t, "1\n", p.read("a"))
	found, err := filepath.Glob(filepath.Join(cache, "spillway", "checkpoint", "*"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	info, err := os.Stat(found[0])
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Zero(t, info.Mode().Perm()&0o077)
	}
}

// While one call looks, others change files and run commands: everything is put back all the same.
func TestTogether(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "0\n"})
	id, before := p.take(), p.tree()
	ended := make(chan error, 6)
	for i := range 3 {
		go func() {
			for range 5 {
				_, err := p.Bash(context.Background(), tools.BashParams{Command: "echo x >>command-" + string(rune('a'+i))})
				if err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
		go func() {
			for n := range 5 {
				_, err := p.Write(context.Background(), tools.WriteParams{Path: "written-" + string(rune('a'+i)), Content: strings.Repeat("y\n", n)})
				if err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
	}
	for range 6 {
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(time.Minute):
			require.Fail(t, "a call hangs")
		}
	}
	d := p.diff(id)
	require.Len(t, d.Files, 6)
	for _, f := range d.Files {
		require.False(t, f.Others, f.Path)
	}
	p.rewind(id)
	require.Equal(t, before, p.tree())
}

// A process with other limits takes no file for changed because it does not cover it.
func TestOtherLimits(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{}, map[string]string{"a": "1\n"})
	p.run("head -c 3000 /dev/zero >big")
	require.NoError(t, p.Close())
	p.cfg.Checkpoint.MaxFileBytes = 2000
	p.open()
	list := must(p.List(t.Context()))
	require.False(t, list[len(list)-1].Others, "%v", list)
}

// What models may not change is put back if a command has changed it all the same.
func TestReadOnlyRoots(t *testing.T) {
	t.Parallel()
	p := newPlace(t, config.Config{ReadOnlyRoots: []string{"fixed"}}, map[string]string{"fixed/a": "one\n", "fixed/b": "one\n", "c": "one\n"})
	id, before := p.take(), p.tree()
	p.run("echo two >>fixed/a; rm fixed/b; echo new >fixed/d; echo two >>c")
	p.rewind(id)
	require.Equal(t, before, p.tree())
}

// A suite that is closed while it rewinds does all of that first, and says so.
func TestClosedMeanwhile(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 100 {
		files[fmt.Sprint("f", i)] = "one\n"
	}
	p := newPlace(t, config.Config{}, files)
	id, before := p.take(), p.tree()
	p.run("for f in f*; do echo two >>$f; done")
	d := p.diff(id)
	closed := make(chan error)
	go func() {
		for p.read("f0") != "one\n" { // which is put back first
			runtime.Gosched()
		}
		closed <- p.Suite.Close()
	}()
	r, err := d.Rewind(t.Context())
	require.NoError(t, <-closed)
	require.NoError(t, err)
	require.NotEmpty(t, r.Undo)
	require.Equal(t, before, p.tree())
	_, err = p.Take(t.Context())
	require.Equal(t, tools.CodeDenied, codeOf(t, err))
}
