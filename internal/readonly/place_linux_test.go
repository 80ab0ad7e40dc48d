package readonly_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// place is a directory for commands, with a home and a directory for temporary files.
type place struct {
	root, tree, home string
	env              []string
}

// makeTree is a script that fills a directory. What is not installed is not there.
const makeTree = `
	mkdir -p ~/.config/go/telemetry; echo off >~/.config/go/telemetry/mode # gofmt counts its runs
	printf 'package a\n1 x\n22 y\n' >a.txt; printf 'b\n' >b.txt; printf 'c\n' >-o.txt
	mkdir sub; printf 'package c\n' >sub/c.go; ln -s a.txt link
	echo '{"a": 1}' >data.json; echo 'a: 1' >data.yaml; echo . >script.jq
	printf '#!/bin/sh\necho ran >ran.txt\nexit 1\n' >run.sh; chmod +x run.sh
	tar cf a.tar a.txt sub; tar czf a.tar.gz a.txt; zip -q a.zip a.txt
	gzip -k a.txt; xz -k a.txt; bzip2 -k a.txt
	if git init -q; then
		git config user.name x; git config user.email x@x; git config commit.gpgsign false
		git remote add origin ./nowhere
		git add a.txt b.txt sub; git commit -qm 'a commit'; git tag v1; git branch other
		printf 'd\n' >>b.txt; git stash -q; printf 'e\n' >>b.txt
	fi 2>/dev/null
	true`

func newPlace(t *testing.T) *place {
	t.Helper()
	p := at(t.TempDir())
	for _, dir := range []string{p.tree, p.home, filepath.Join(p.root, "tmp")} {
		require.NoError(t, os.Mkdir(dir, 0o777))
	}
	if out, err := p.run(makeTree, nil); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

// copy makes another place like this one.
func (p *place) copy(t *testing.T) *place {
	t.Helper()
	root := filepath.Join(t.TempDir(), "copy")
	if out, err := exec.Command("cp", "-a", p.root, root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return at(root)
}

func at(root string) *place {
	p := &place{root: root, tree: filepath.Join(root, "tree"), home: filepath.Join(root, "home")}
	p.env = []string{
		"HOME=" + p.home, "TMPDIR=" + filepath.Join(p.root, "tmp"), "PATH=" + os.Getenv("PATH"), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "TERM=dumb",
		// Values for the variables of the table.
		"file=a.txt", "files=a.txt b.txt", "dir=sub", "n=2", "from=a", "to=b", "x=1", "pattern=package", "name=c.go",
		"archive=a.tar", "path=a.txt", "ref=HEAD", "program=1", "options=-n", "sep=:",
	}
	return p
}

// run runs a line by bash, for ten seconds and 5 of the processor's, and then all that it started is killed.
func (p *place) run(line string, wrap []string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	bash := "ulimit -t 5 -f 20000; exec \"$@\""
	args := append([]string{"-c", bash, "bash"}, append(wrap, "bash", "--norc", "-c", line)...)
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir, cmd.Env = p.tree, append(p.env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return out.String(), err
}

// state describes every file of a place: name, mode, times and content.
func (p *place) state(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, dir := range []string{"tree", "home", "tmp"} {
		err := filepath.WalkDir(filepath.Join(p.root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			var content [32]byte
			if info.Mode().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				content = sha256.Sum256(data)
			}
			name := strings.TrimPrefix(path, p.root+"/")
			switch name {
			case "tree/.git/index": // git refreshes the times that it notes in there
				return nil
			case "tree/.git": // and makes a lock file for that
				state[name] = info.Mode().String()
				return nil
			}
			state[name] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), fmt.Sprintf("%x", content[:6]))
			return nil
		})
		require.NoError(t, err)
	}
	return state
}

// difference names what is not as it was.
func difference(before, after map[string]string) (changed []string) {
	for name := range before {
		if after[name] != before[name] {
			changed = append(changed, name+": "+before[name]+" is now "+after[name])
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			changed = append(changed, name+" is new")
		}
	}
	return changed
}

// signed is a script that makes a signed commit and a signed tag, and has git check them by run.sh.
const signed = `
	git config gpg.program ./run.sh
	signature='-----BEGIN PGP SIGNATURE-----\n%s\n%sx\n%s-----END PGP SIGNATURE-----\n'
	{ printf 'tree %s\nparent %s\nauthor x <x@x> 1 +0000\ncommitter x <x@x> 1 +0000\ngpgsig ' $(git rev-parse HEAD: HEAD)
		printf -- "$signature" ' ' ' ' ' '; printf '\nsigned\n'; } >new
	git reset -q --hard $(git hash-object -w -t commit new)
	{ printf 'object %s\ntype commit\ntag s\ntagger x <x@x> 1 +0000\n\nm\n' $(git rev-parse HEAD)
		printf -- "$signature" '' '' ''; } >new
	git update-ref refs/tags/s $(git hash-object -w -t tag new)`

// TestNoGPG gives each option of git that takes a value one that has git check signatures.
func TestNoGPG(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs hundreds of programs")
	}
	p := newPlace(t)
	if out, err := p.run(signed, nil); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ran := filepath.Join(p.tree, "ran.txt")
	runs := func(line string) bool {
		os.Remove(ran)
		p.run(line, nil)
		_, err := os.Stat(ran)
		return err == nil
	}
	require.True(t, runs("git log '--format=%G?'"), "git runs nothing to check a signature")
	require.True(t, runs("git show --show-signature s"), "git runs nothing to check a signature")
	for _, l := range readonly.Table() {
		if !strings.HasPrefix(l.Command, "git ") || l.Does != "" || l.Takes == "flag" {
			continue
		}
		for _, value := range []string{"%GK", "signature"} {
			line := l.Command + " " + l.Option + "=" + value + " HEAD"
			if len(l.Option) == 2 {
				line = l.Command + " " + l.Option + value + " HEAD"
			}
			assert.False(t, readonly.Check(words(line)) == "" && runs(line), "%s runs gpg", line)
		}
	}
}

// TestWritesInReality runs the lines of testdata/writes.txt: each path that Writes names is changed, and nothing else.
func TestWritesInReality(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs a hundred programs")
	}
	like := newPlace(t)
	for _, r := range rows(t, "testdata/writes.txt") {
		name, _, _ := strings.Cut(r.command, " ")
		if r.why == "no" || !installed(name) {
			continue
		}
		p := like.copy(t)
		if setup := strings.TrimPrefix(r.why, "-"); setup != "" {
			if out, err := p.run(setup, nil); err != nil {
				t.Fatalf("%s: %v: %s", setup, err, out)
			}
		}
		before := p.state(t)
		out, err := p.run(strings.NewReplacer("(", `\(`, ")", `\)`).Replace(r.command)+" </dev/null", nil)
		changed := difference(before, p.state(t))
		paths, _, _ := strings.Cut(r.verdict, "@")
		for path := range strings.FieldsSeq(paths) {
			if path == "~" {
				assert.Nil(t, changed, r.command)
				continue
			}
			found := false
			for _, c := range changed {
				rest, ok := strings.CutPrefix(strings.TrimPrefix(c, "tree/"), path)
				found = found || ok && (rest[0] == ':' || rest[0] == ' ' || rest[0] == '/') || path == "."
			}
			assert.True(t, found, "%s: %s is not among %q: %v %s", r.command, path, changed, err, out)
		}
		for _, c := range changed {
			name, _, _ := strings.Cut(strings.TrimPrefix(c, "tree/"), ":")
			name = strings.TrimSuffix(name, " is new")
			within := strings.HasPrefix(name, ".git/") || name == ".git"
			for path := range strings.FieldsSeq(paths) {
				within = within || name == path || strings.HasPrefix(name, path+"/") ||
					strings.HasPrefix(name, path+".") || path == "." || path == "newaa"
			}
			if !within && name != "tree" {
				t.Errorf("%s: changed %s, too", r.command, c)
			}
		}
	}
}
