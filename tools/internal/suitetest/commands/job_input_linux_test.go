package commands_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// patientSuite is one whose calls wait for minutes unless they recognise that a job waits for input.
func patientSuite(t *testing.T, files map[string]string) *tools.Suite {
	t.Helper()
	need.Shell(t)
	testkit.NeedProc(t)
	return newSuite(t, config.Config{Jobs: config.Jobs{Settle: long * time.Millisecond}}, files)
}

const asker = `package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	for _, question := range []string{"One? ", "Two? ", "Three? "} {
		fmt.Print(question)
		answer, _ := in.ReadString('\n')
		fmt.Print("got ", answer)
	}
}
`

// askers are programs that ask three questions.
func askers(t *testing.T) map[string]string {
	all := map[string]string{
		"bash":          `for q in One Two Three; do read -p "$q? " x; echo got $x; done`,
		"bash readline": `for q in One Two Three; do read -e -p "$q? " x; echo got $x; done`,
		"terminal":      `for q in One Two Three; do printf "$q? "; read x </dev/tty; echo got $x; done`,
		"child":         `(for q in One Two Three; do printf "$q? "; read x; echo got $x; done); exit`,
		"pipeline":      `(for q in One Two Three; do printf "$q? " >&2; read x; echo got $x; done) | cat`,
	}
	if python := testkit.Python(); python != "" {
		all["python"] = `exec ` + python + ` -ISuc 'for q in "One", "Two", "Three": print("got", input(q + "? "))'`
		all["python's child"] = python + ` -ISuc 'for q in "One", "Two", "Three": print("got", input(q + "? "))'; exit`
	}
	dir := t.TempDir()
	if _, err := exec.LookPath("go"); err == nil && !testing.Short() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(asker), 0o600))
		build := exec.Command("go", "build", "-o", "asker", "main.go")
		build.Dir = dir
		out, err := build.CombinedOutput()
		require.NoError(t, err, string(out))
		all["go"] = filepath.Join(dir, "asker")
	}
	return all
}

// TestQuestions answers three questions one after the other, and in one call. No call waits for a timeout, as each
// recognises that the program waits for input again. With -short, each program asks in a terminal or without one.
func TestQuestions(t *testing.T) {
	t.Parallel()
	all := askers(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		command := all[name]
		for _, tty := range []bool{false, true} {
			inTerminal := name == "bash readline" || name == "terminal"
			if inTerminal && !tty || !inTerminal && testing.Short() && tty != (i%2 == 0) {
				continue
			}
			t.Run(name+map[bool]string{true: " in a terminal"}[tty], func(t *testing.T) {
				t.Parallel()
				s := patientSuite(t, nil)
				start := func() tools.BashResult {
					res, err := s.Bash(t.Context(), tools.BashParams{Command: command, Background: true, TTY: tty})
					require.NoError(t, err)
					require.True(t, res.WaitsForInput, res.Text)
					require.Contains(t, res.Text, "The job waits for input: use job id=")
					if !strings.HasPrefix(name, "bash") || tty { // read -p prompts in a terminal only
						require.Contains(t, res.Text, "One? ")
					}
					return res
				}
				id := start().Job
				for _, answer := range []string{"a", "b"} {
					res := job(t, s, tools.JobParams{ID: id, Input: answer + "\n"})
					require.True(t, res.WaitsForInput, res.Text)
					require.Contains(t, res.Text, "got "+answer)
				}
				res := job(t, s, tools.JobParams{ID: id, Input: "c\n"})
				require.False(t, res.WaitsForInput)
				require.Contains(t, res.Text, "got c")
				require.Equal(t, suitetest.Exited(0), res.State)

				id = start().Job
				res = job(t, s, tools.JobParams{ID: id, Input: "a\nb\nc\n"})
				for _, answer := range []string{"a", "b", "c"} {
					require.Contains(t, res.Text, "got "+answer)
				}
				require.Equal(t, suitetest.Exited(0), res.State)
			})
		}
	}
}

// Nobody waits for the end of a program, or for a line of it, that waits for an answer.
func TestQuestionUnasked(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]tools.JobParams{"end": {}, "line": {Until: "done"}, "long": {WaitMs: long}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := patientSuite(t, nil)
			const asks = "printf 'sure? '; read x; echo done"
			res, err := s.Bash(t.Context(), tools.BashParams{Command: asks, Background: true, ReadyWhen: "^done"})
			require.NoError(t, err)
			require.True(t, res.WaitsForInput, res.Text)
			p.ID = res.Job
			for range 2 {
				res := job(t, s, p)
				require.True(t, res.WaitsForInput, res.Text)
				require.Contains(t, res.Text, "The job waits for input: use job id=")
			}
			p.Input = "yes\n"
			require.Contains(t, job(t, s, p).Text, "done")
		})
	}
}

// TestNoQuestion has programs that do not wait for input, or not for input alone: nobody says that they do.
func TestNoQuestion(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	testkit.NeedProc(t)
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Settle: 300 * time.Millisecond}}, nil)
	for name, command := range map[string]string{
		"sleeps":                      "echo up; sleep 300",
		"sleeps in the background":    "sleep 300 & read x; wait",
		"reads with a timeout":        "read -t 300 x",
		"reads something else":        "mkfifo pipe; exec 3<>pipe; read x <&3",
		"computes":                    "while :; do :; done",
		"works on what was read":      "cat | (read x; sleep 300)",
		"stopped":                     "exec 3<&0; read x <&3 & kill -STOP $!; wait",
		"reads the null device first": "read x </dev/null; sleep 300",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			res, err := s.Bash(t.Context(), tools.BashParams{Command: command, Background: true})
			require.NoError(t, err)
			if name == "works on what was read" {
				for tries := 0; !res.WaitsForInput && tries < 10; tries++ { // on a busy machine it does not come that far
					job(t, s, tools.JobParams{ID: res.Job, Signal: "kill", WaitMs: 5000})
					res, err = s.Bash(t.Context(), tools.BashParams{Command: command, Background: true})
					require.NoError(t, err)
				}
				require.True(t, res.WaitsForInput, res.Text)
				began = time.Now()
				res := job(t, s, tools.JobParams{ID: res.Job, Input: "x\n"})
				require.False(t, res.WaitsForInput, res.Text)
			} else {
				require.False(t, res.WaitsForInput, res.Text)
				require.NotContains(t, res.Text, "waits for input")
			}
			require.GreaterOrEqual(t, time.Since(began), 300*time.Millisecond)
		})
	}
}

// TestQuestionAfterWork gives input to programs that think before they ask again: the call does not end before that.
func TestQuestionAfterWork(t *testing.T) {
	for _, tty := range []bool{false, true} {
		t.Run(fmt.Sprint("tty ", tty), func(t *testing.T) {
			t.Parallel()
			questionAfterWork(t, patientSuite(t, nil), tty)
		})
	}
}

func questionAfterWork(t *testing.T, s *tools.Suite, tty bool) {
	res, err := s.Bash(t.Context(), tools.BashParams{
		Command: "while read x; do sleep 0.2; echo got $x; done", Background: true, TTY: tty,
	})
	require.NoError(t, err)
	for _, answer := range []string{"a", "b\nc", "d"} {
		answered := job(t, s, tools.JobParams{ID: res.Job, Input: answer + "\n"})
		for line := range strings.SplitSeq(answer, "\n") {
			require.Contains(t, answered.Text, "got "+line+"\n")
		}
		require.True(t, answered.WaitsForInput)
	}
	waited := job(t, s, tools.JobParams{ID: res.Job, Input: "e\n", Until: "never", WaitMs: long})
	require.Contains(t, waited.Text, "got e\n\n[The job waits for input. Job ")
	matched := job(t, s, tools.JobParams{ID: res.Job, Input: "f\n", Until: "got f", WaitMs: long})
	require.False(t, matched.WaitsForInput)
	require.Equal(t, "got f", matched.Match.Text)
	ended := job(t, s, tools.JobParams{ID: res.Job, Input: "\x04", WaitMs: long})
	require.Contains(t, ended.State, "exited with code")
}
