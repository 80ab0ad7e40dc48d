package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spillway-go/spillway/internal/testkit"
)

// The command rewind as somebody types it: testdata/checkpoint.
func TestRewind(t *testing.T) {
	t.Parallel()
	needBash(t)
	// take sets variables to what an expression finds in what the last command printed.
	take := func(expr string, names ...string) func(*testscript.TestScript, bool, []string) {
		return func(ts *testscript.TestScript, _ bool, _ []string) {
			found := regexp.MustCompile(expr).FindAllStringSubmatch(ts.ReadFile("stdout"), -1)
			if len(found) != len(names) {
				ts.Fatalf("%q is not there %d times", expr, len(names))
			}
			for i, name := range names {
				ts.Setenv(name, found[i][1])
			}
		}
	}
	bin := filepath.Dir(spillway(t))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/checkpoint",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ids":  take(`(?m)^([b-z2-9]{8}) `, "ID1", "ID2"),
			"last": take(`(?m)^([b-z2-9]{8}) .*\n\z`, "LAST"),
			"undo": take(`(?m)^To undo this: .* (\w+)$`, "UNDO"),
		},
	})
}

// The session in docs/checkpoint.md is what the program prints, in a copy of examples/manual.
func TestRewindPage(t *testing.T) {
	t.Parallel()
	needBash(t)
	page := testkit.ReadFile(t, filepath.Join("..", "..", "docs", "checkpoint.md"))
	_, session, opened := strings.Cut(page, "```console\n")
	session, _, closed := strings.Cut(session, "```\n")
	if !opened || !closed {
		t.Fatal("there is no session")
	}
	dir := filepath.Join(t.TempDir(), "manual")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "manual"))); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "SPILLWAY_CHECKPOINT_DIR="+t.TempDir(),
		"PATH="+filepath.Dir(spillway(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	const named = "k3x9q2mf"
	id := regexp.MustCompile(`(?m)(^|rewind )([b-z2-9]{8})( |$)`)
	last, got := named, ""
	for line := range strings.Lines(session) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		cmd := exec.Command("bash", "-c", strings.ReplaceAll(command, named, last))
		cmd.Dir, cmd.Env, cmd.Stderr = dir, env, t.Output()
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if m := id.FindSubmatch(out); m != nil {
			last = string(m[2])
		}
		text := id.ReplaceAllString(string(out), "${1}"+named+"${3}")
		got += line + regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`).ReplaceAllString(text, "2026-12-01 12:00:00")
	}
	if got != session {
		t.Errorf("the session is\n%s", got)
	}
}
