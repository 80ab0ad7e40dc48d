package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/examples/agent/loop"
)

// person is an output that somebody reads who answers each question with the next line.
type person struct {
	bytes.Buffer
	answers []string
	typed   *io.PipeWriter
	asked   func() // before each answer, if not nil
}

func (p *person) Write(text []byte) (int, error) {
	if bytes.HasSuffix(text, []byte("why > ")) {
		if p.asked != nil {
			p.asked()
		}
		if len(p.answers) > 0 {
			go fmt.Fprintln(p.typed, p.answers[0])
			p.answers = p.answers[1:]
		}
	}
	return p.Buffer.Write(text)
}

// askedBy runs the agent that has to ask, in an untidy directory.
func askedBy(t *testing.T, ctx context.Context, p *person, args ...string) (code int, dir string) {
	dir, err := untidy()
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	in, typed := io.Pipe()
	t.Cleanup(func() { typed.Close() })
	p.typed = typed
	withTyped := func(args []string, stderr io.Writer) (loop.Task, error) {
		task, err := parse(args, stderr)
		if p.answers != nil || p.asked != nil {
			task.Typed = in
		}
		return task, err
	}
	var stderr bytes.Buffer
	code = loop.Run(ctx, withTyped, append([]string{"-workspace", dir, "-provider", "ask"}, args...), p, &stderr)
	return code, dir
}

// The agent asks with a diff, remembers an answer, and does not take an allowed command for leave to do more.
func TestAsk(t *testing.T) {
	p := &person{answers: []string{"s", "r x is my draft"}}
	code, dir := askedBy(t, t.Context(), p)
	require.Zero(t, code, p.String())
	require.Empty(t, p.answers)
	same(t, "ask.golden", timeless(p.String()))
	require.FileExists(t, filepath.Join(dir, "x", "draft.txt"))
	program, err := os.ReadFile(filepath.Join(dir, "bill.sh"))
	require.NoError(t, err)
	require.Contains(t, string(program), "(count - count / 3)")
	require.Contains(t, string(program), "# Of three things, one is free.")
}

// Without anybody who could be asked, nothing happens that was not allowed.
func TestAskNobody(t *testing.T) {
	p := &person{}
	code, dir := askedBy(t, t.Context(), p)
	require.Zero(t, code)
	require.Contains(t, strings.Join(strings.Fields(strings.ReplaceAll(p.String(), "│", "")), " "),
		"nobody can be asked here. The user can allow it by starting this program with -allow 'edit(bill.sh)'")
	program, err := os.ReadFile(filepath.Join(dir, "bill.sh"))
	require.NoError(t, err)
	require.NotContains(t, string(program), "count / 3")
}

// Rules of flags go before those of the task.
func TestAskFlags(t *testing.T) {
	p := &person{}
	code, dir := askedBy(t, t.Context(), p, "-allow", "edit(bill.sh), bash(git status)", "-allow", "bash(rm -rf x)")
	require.Zero(t, code)
	require.Contains(t, p.String(), "\nbill.sh is mended, and x is gone.\n")
	require.NoDirExists(t, filepath.Join(dir, "x"))

	p = &person{}
	askedBy(t, t.Context(), p, "-deny", "edit(*.sh)", "-allow", "edit")
	require.Contains(t, p.String(), "I was not allowed to change bill.sh:\ndenied: ")
}

// A signal ends a question.
func TestAskInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &person{asked: cancel}
	code, dir := askedBy(t, ctx, p)
	require.Equal(t, loop.ExitInterrupted, code)
	program, err := os.ReadFile(filepath.Join(dir, "bill.sh"))
	require.NoError(t, err)
	require.NotContains(t, string(program), "count / 3")
}
