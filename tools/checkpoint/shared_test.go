// Package checkpoint_test has the tests of checkpoints, through a suite.
package checkpoint_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/checkpoint"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

// place is a workspace with a suite that has checkpoints.
type place struct {
	*tools.Suite
	*checkpoint.Checkpoints
	t   testing.TB
	dir string
	cfg config.Config
}

// newPlace makes a workspace with these files.
func newPlace(t testing.TB, cfg config.Config, files map[string]string, parts ...tools.Part) *place {
	t.Helper()
	need.Shell(t)
	p := &place{t: t, dir: testkit.MemoryDir(t), cfg: cfg}
	p.cfg.Workspace = p.dir
	if p.cfg.Checkpoint.Dir == "" {
		p.cfg.Checkpoint.Dir = testkit.MemoryDir(t)
	}
	for name, content := range files {
		testkit.WriteFile(t, filepath.Join(p.dir, name), content)
	}
	p.open(parts...)
	return p
}

// open opens one more suite, as another process would.
func (p *place) open(parts ...tools.Part) {
	p.t.Helper()
	p.Checkpoints = checkpoint.New()
	var err error
	p.Suite, err = tools.New(p.cfg, append(parts, p.Part())...)
	if p.cfg.Bash.Sandbox != "" {
		need.Sandbox(p.t, err)
	}
	require.NoError(p.t, err)
	p.t.Cleanup(func() { p.Suite.Close() })
}

// run runs a command that succeeds, and returns what is said of its changes: the sentence behind "Changed ".
func (p *place) run(command string) (tools.BashResult, string) {
	p.t.Helper()
	res, err := p.Bash(p.t.Context(), tools.BashParams{Command: command})
	require.NoError(p.t, err, command)
	require.Zero(p.t, res.ExitCode, res.Text)
	return res, changed(res.Text)
}

// changed returns what a text says of changes.
func changed(text string) string {
	found := regexp.MustCompile(`(?:\[|\. )Changed (.*?)(?:\]|\. Job|$)`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

func (p *place) write(name, content string) {
	p.t.Helper()
	testkit.WriteFile(p.t, filepath.Join(p.dir, name), content)
}

func (p *place) read(name string) string {
	p.t.Helper()
	return testkit.ReadFile(p.t, filepath.Join(p.dir, name))
}

func (p *place) take() string {
	p.t.Helper()
	id, err := p.Take(p.t.Context())
	require.NoError(p.t, err)
	return id
}

func (p *place) diff(id string) *checkpoint.Diff {
	p.t.Helper()
	d, err := p.Diff(p.t.Context(), id)
	require.NoError(p.t, err)
	return d
}

func (p *place) rewind(id string, others ...string) checkpoint.Rewound {
	p.t.Helper()
	r, err := p.Rewind(p.t.Context(), id, others...)
	require.NoError(p.t, err)
	return r
}

// tree is what the workspace holds, without git's directory and that of the suite.
func (p *place) tree() map[string]string {
	p.t.Helper()
	all := suitetest.OnDisk(p.t, p.dir)
	for name := range all {
		if name == "" || strings.HasPrefix(name, "/.git/") || name == "/.git" || strings.HasPrefix(name, "/.clarvis") {
			delete(all, name)
		}
	}
	return all
}

// git makes a repository of the workspace, with all of it in a commit.
func (p *place) git() {
	p.t.Helper()
	need.Program(p.t, "git")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "first"}} {
		testkit.Git(p.t, p.dir, args...)
	}
}

// only is one of the other parts, if there is one of that name.
func only(t testing.TB, name string) tools.Part {
	t.Helper()
	need.Part(t, name)
	list := all.Parts()
	return list[slices.IndexFunc(list, func(p tools.Part) bool { return p.Path == name })]
}

// must returns a result of a call that must not fail.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

func codeOf(t testing.TB, err error) tools.Code {
	t.Helper()
	var e *tools.Error
	require.ErrorAs(t, err, &e)
	return e.Code
}
