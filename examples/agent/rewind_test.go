package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/internal/testkit"
)

// chatting is an output that somebody reads who types the next line at each prompt, and leaves behind the last.
type chatting struct {
	bytes.Buffer
	lines []string
	typed *io.PipeWriter
	do    map[string]func() // before a line
}

func (c *chatting) Write(text []byte) (int, error) {
	if !bytes.HasSuffix(text, []byte("> ")) {
		return c.Buffer.Write(text)
	}
	if len(c.lines) == 0 {
		c.typed.Close()
		return c.Buffer.Write(text)
	}
	line := c.lines[0]
	c.lines = c.lines[1:]
	if do := c.do[line]; do != nil {
		do()
	}
	go fmt.Fprintln(c.typed, line)
	return c.Buffer.Write(text)
}

// chat runs the model that does too much, in a broken project.
func chat(t *testing.T, dir string, c *chatting) {
	in, typed := io.Pipe()
	c.typed = typed
	withTyped := func(args []string, stderr io.Writer) (loop.Task, error) {
		task, err := parse(args, stderr)
		task.Typed = in
		return task, err
	}
	var stderr bytes.Buffer
	args := []string{"-workspace", dir, "-provider", "rewind", "-record", filepath.Join(t.TempDir(), "record.jsonl")}
	if dir == "" {
		args = args[2:]
	}
	code := loop.Run(t.Context(), withTyped, args, c, &stderr)
	require.Zero(t, code, "%s%s", c.String(), &stderr)
	require.Empty(t, c.lines)
}

// The user puts files and conversation back to before a turn, and asks again.
func TestRewind(t *testing.T) {
	dir, err := brokenProject()
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	test := testkit.ReadFile(t, filepath.Join(dir, "test.sh"))
	t.Setenv("SPILLWAY_CHECKPOINT_DIR", t.TempDir())
	c := &chatting{lines: []string{
		"Indent it by two spaces.", "/rewind", "/rewind 2", "y", "Indent it by two spaces, but keep all files.",
	}}
	chat(t, dir, c)
	same(t, "rewind.golden", timeless(c.String()))
	require.Equal(t, test, testkit.ReadFile(t, filepath.Join(dir, "test.sh")))
	program := testkit.ReadFile(t, filepath.Join(dir, "bill.sh"))
	require.Contains(t, program, "\n  sum=$((sum + (count - count / 3) * cents))\n")
	require.NotContains(t, program, "\t")
}

// All can be put back, what somebody else has changed with it; a no changes nothing, and neither does a turn that is
// not there.
func TestRewindAll(t *testing.T) {
	dir, err := brokenProject()
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	broken := testkit.ReadFile(t, filepath.Join(dir, "bill.sh"))
	t.Setenv("SPILLWAY_CHECKPOINT_DIR", t.TempDir())
	c := &chatting{lines: []string{"/rewind 3", "/rewind x", "", "/rewind 1", "n", "/rewind 1 ", "y", "/rewind", "Again."}}
	c.do = map[string]func(){"/rewind 1 ": func() {
		mended := testkit.ReadFile(t, filepath.Join(dir, "bill.sh"))
		require.NotEqual(t, broken, mended)
		testkit.WriteFile(t, filepath.Join(dir, "bill.sh"), mended+"# mine\n")
	}, "/rewind": func() {
		require.Equal(t, broken, testkit.ReadFile(t, filepath.Join(dir, "bill.sh")))
	}}
	chat(t, dir, c)
	for _, want := range []string{"there is no turn 3: /rewind lists them", "there is no turn x: ", "undo what has changed since?\n",
		"undo what has changed since? Somebody else has changed bill.sh, too.\n", "back to before turn 1: 1 file put back\n"} {
		require.Equal(t, 1, strings.Count(c.String(), want), "%s\n%s", want, c.String())
	}
	require.Equal(t, 2, strings.Count(c.String(), "\nbill.sh is mended."), "it was forgotten")
}

// Of a workspace that is removed, no checkpoint stays.
func TestRewindLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	c := &chatting{lines: []string{"/rewind 1", "y"}}
	chat(t, "", c)
	require.Contains(t, c.String(), "back to before turn 1: 1 file put back\n")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// Where nobody types, the conversation ends with its first answer, and nothing is looked at.
func TestRewindNobody(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var out, stderr bytes.Buffer
	require.Zero(t, loop.Run(t.Context(), parse, []string{"-provider", "rewind"}, &out, &stderr), "%s", &stderr)
	require.Contains(t, out.String(), "\nbill.sh is mended. What else?\n")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
