package rules_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
)

// trial is a workspace for lines that are really run. Its home is beside it.
type trial struct{ tree, home string }

func newTrial(t *testing.T, script string) trial {
	t.Helper()
	root := t.TempDir()
	p := trial{filepath.Join(root, "repo"), filepath.Join(root, "home")}
	require.NoError(t, os.Mkdir(p.tree, 0o777))
	require.NoError(t, os.Mkdir(p.home, 0o777))
	out, err := p.run(script)
	require.NoError(t, err, out)
	return p
}

// copy makes another one like this.
func (p trial) copy(t *testing.T) trial {
	t.Helper()
	root := t.TempDir()
	out, err := exec.Command("cp", "-a", p.tree, p.home, root).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return trial{filepath.Join(root, "repo"), filepath.Join(root, "home")}
}

// run runs a line by bash, and then kills all that it has started.
func (p trial) run(line string) (out string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--norc", "-c", "ulimit -t 20 -f 20000; "+line)
	cmd.Dir = p.tree
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin:/usr/local/bin", "HOME=" + p.home, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "TERM=xterm", "SHELL=/bin/sh", "TMPDIR=" + p.home}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err = cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return b.String(), err
}

// state describes the files of a directory: names, modes, times and contents.
func (p trial) state(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(p.tree, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintln(&b, "no", path)
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, _ := os.ReadFile(path) // none of a directory
		fmt.Fprintf(&b, "%s %v %d %q\n", path, info.Mode(), info.ModTime().UnixNano(), content)
		return nil
	})
	require.NoError(t, err)
	return b.String()
}

const vendorTree = `
	mkdir vendor dir && echo g >vendor/g.go && git init -q && git config user.name x && git config user.email x@x &&
	git add vendor && git commit -qm one && echo 'g 2' >vendor/g.go && echo a >a.go && echo v >dir/g.go && git add . &&
	git commit -qm two && echo u >vendor/untracked && printf -- '--- a\n+++ b\n@@ -1 +1 @@\n-g 2\n+g 3\n' >g.patch &&
	mkdir s s/vendor && echo t >s/t && echo t >s/vendor/t && tar -C s -cf v.tar vendor/t t &&
	if command -v zip >/dev/null; then cd s && zip -qr ../v.zip .; fi`

// TestVendorInReality runs the lines of testdata/vendor/lines.txt that are said to read or to write: they do.
func TestVendorInReality(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs a hundred programs")
	}
	for _, name := range []string{"bash", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	like, ran := newTrial(t, vendorTree), 0
	for _, c := range cases(t, vendorLines) {
		if c.want == "may" {
			continue
		}
		p := like.copy(t)
		before := p.state(t, "vendor")
		out, err := p.run("{ " + c.line + "\n} </dev/null")
		if strings.Contains(out, "command not found") {
			t.Logf("%s: %s", c.line, out)
			continue
		}
		ran++
		if changed := before != p.state(t, "vendor"); changed != (c.want == "writes") {
			t.Errorf("%s: changed: %v: %v %s", c.line, changed, err, out)
		} else if c.want == "reads" && err != nil {
			t.Errorf("%s: %v: %s", c.line, err, out)
		}
	}
	require.Greater(t, ran, 80)
}

const carrierTree = `
	echo 1 >l && git init -q && git config user.name x && git config user.email x@x && git add l && git commit -qm one &&
	echo 12 >l && git commit -qam two && printf 'x:\n\t@echo\n' >m && echo v >v`

// TestCarriersInReality runs the lines of testdata/carriers/lines.txt by which programs run rm v: they do. It logs
// those whose program is missing, or lacks the rights.
func TestCarriersInReality(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs a hundred programs")
	}
	for _, name := range []string{"bash", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	like, ran := newTrial(t, carrierTree), 0
	for _, c := range cases(t, carrierLines) {
		if c.want != "runs" && c.want != "rights" {
			continue
		}
		p := like.copy(t)
		out, err := p.run("{ " + c.line + "\n} </dev/null")
		_, gone := os.Lstat(filepath.Join(p.tree, "v"))
		switch {
		case gone != nil:
			ran++
		case c.want == "rights" || strings.Contains(out, "not found"):
			t.Logf("%s: %v: %.200q", c.line, err, out)
		default:
			t.Errorf("%s does not remove v: %v: %.200q", c.line, err, out)
		}
	}
	t.Logf("%d lines remove v", ran)
	require.Greater(t, ran, 30)
}
