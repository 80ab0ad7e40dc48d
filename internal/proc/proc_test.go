package proc

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// These tests hold on every system, with any shell. What only Linux promises is in the files
// that end in linux_test.go.

// helperCommand runs the test program in a role, by a shell.
func helperCommand(t *testing.T, role, address string, timeout time.Duration, out io.Writer) Command {
	t.Helper()
	return Command{
		Script: `"` + filepath.ToSlash(os.Args[0]) + `"`, Dir: t.TempDir(), Env: append(os.Environ(), helper+"="+role+":"+address),
		Timeout: timeout, MaxOutput: 1 << 20, Output: out,
	}
}

// calls is where processes of commands call, so that a test knows of their end.
type calls struct {
	t *testing.T
	*net.TCPListener
}

func newCalls(t *testing.T) calls {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return calls{t, l}
}

// await returns the call of a process that lives, or nil if none came by a time.
func (c calls) await(until time.Time) net.Conn {
	c.t.Helper()
	c.SetDeadline(until)
	conn, err := c.Accept()
	if err != nil {
		return nil
	}
	c.t.Cleanup(func() { conn.Close() })
	return conn
}

// alive reports whether the process answers. One that has ended is noticed at once.
func lives(t *testing.T, conn net.Conn) bool {
	t.Helper()
	conn.SetDeadline(time.Now().Add(patience))
	answer := make([]byte, 1)
	if _, err := conn.Write(answer); err != nil {
		return false
	}
	_, err := io.ReadFull(conn, answer)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the process neither answers nor ends")
	return err == nil
}

func TestEverywhereOutputAndCode(t *testing.T) {
	t.Parallel()
	g := NewGroup()
	defer g.Close()
	for range 5 {
		var out, stderr bytes.Buffer
		c := helperCommand(t, "print", "", patience, &out)
		o, err := g.Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, "to stdout\nto stderr\n", out.String())
		require.Equal(t, Outcome{ExitCode: 3, Duration: o.Duration}, o, "a console, for example, is no process of the command's")

		out.Reset()
		c.Stderr = &stderr
		_, err = g.Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, [2]string{"to stdout\n", "to stderr\n"}, [2]string{out.String(), stderr.String()})
	}
}

func TestEverywhereShell(t *testing.T) {
	t.Parallel()
	g := NewGroup()
	defer g.Close()
	for script, want := range map[string]string{
		"echo grüße日本&& exit 4":      "grüße日本",
		"exit 4":                     "",
		"echo one&& exit 4":          "one",
		"echo one\necho two\nexit 4": "one two",
		"echo " + strings.Repeat("x", 30_000) + "\nexit 4": strings.Repeat("x", 30_000),
	} {
		if len(script) > 8000 && findBash() == "" {
			continue // no line of cmd is that long
		}
		var out bytes.Buffer
		c := helperCommand(t, "", "", patience, &out)
		c.Script = script
		o, err := g.Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, 4, o.ExitCode, out.String())
		require.Equal(t, want, strings.Join(strings.Fields(out.String()), " "))
	}
	c := helperCommand(t, "", "", patience, nil)
	c.Dir = filepath.Join(c.Dir, "none")
	_, err := g.Run(t.Context(), c)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestEverywhereOpenDir has a directory be closed, whether its command runs or not.
func TestEverywhereOpenDir(t *testing.T) {
	t.Parallel()
	g := NewGroup()
	ended, end := context.WithCancel(t.Context())
	end()
	for _, test := range []struct {
		name   string
		ctx    context.Context
		change func(c *Command)
	}{
		{"runs", t.Context(), func(*Command) {}},
		{"has no timeout", t.Context(), func(c *Command) { c.Timeout = 0 }},
		{"is canceled before", ended, func(*Command) {}},
		{"comes after Close", t.Context(), func(*Command) { g.Close() }},
	} {
		c := helperCommand(t, "print", "", patience, nil)
		dir, err := os.Open(c.Dir)
		require.NoError(t, err)
		c.OpenDir = dir
		test.change(&c)
		g.Run(test.ctx, c)
		require.ErrorIs(t, dir.Close(), os.ErrClosed, test.name)
	}
}

func TestEverywhereOutputLimit(t *testing.T) {
	t.Parallel()
	g := NewGroup()
	defer g.Close()
	var out bytes.Buffer
	c := helperCommand(t, "flood", "", patience, &out)
	c.MaxOutput = 100_000
	o, err := g.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, OutputLimit, o.Reason)
	require.Equal(t, 100_000, out.Len())
}

// A timeout ends what the command's processes started.
func TestEverywhereTimeout(t *testing.T) {
	t.Parallel()
	for timeout := time.Second; ; timeout *= 4 { // until it is long enough for this machine
		g, calls := NewGroup(), newCalls(t)
		o, err := g.Run(t.Context(), helperCommand(t, "wait", calls.Addr().String(), timeout, nil))
		require.NoError(t, err)
		require.Equal(t, TimedOut, o.Reason)
		require.Equal(t, -1, o.ExitCode)
		conn := calls.await(time.Now().Add(timeout))
		require.NoError(t, g.Close())
		if conn != nil {
			require.False(t, lives(t, conn), "of a process that a child started")
			return
		}
		require.Less(t, timeout, patience, "no process called")
	}
}

func TestEverywhereCancellation(t *testing.T) {
	t.Parallel()
	g, calls := NewGroup(), newCalls(t)
	defer g.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var conn net.Conn
	go func() {
		defer cancel()
		conn = calls.await(time.Now().Add(patience))
	}()
	o, err := g.Run(ctx, helperCommand(t, "wait", calls.Addr().String(), 2*patience, nil))
	require.NoError(t, err)
	require.Equal(t, Canceled, o.Reason)
	require.NotNil(t, conn, "no process called")
	require.False(t, lives(t, conn))
}

// What a command leaves running lives on until Close.
func TestEverywhereBackground(t *testing.T) {
	t.Parallel()
	g, calls := NewGroup(), newCalls(t)
	defer g.Close()
	var out bytes.Buffer
	o, err := g.Run(t.Context(), helperCommand(t, "leave", calls.Addr().String(), patience, &out))
	require.NoError(t, err)
	require.Equal(t, Exited, o.Reason, out.String())
	require.Equal(t, "started\n", out.String())
	if len(o.Background) != 1 || !slices.IsSorted(o.Background) {
		require.Empty(t, o.Background, "one process, where they can be listed")
	}
	conn := calls.await(time.Now().Add(patience))
	require.NotNil(t, conn)
	require.True(t, lives(t, conn))
	require.NoError(t, g.Close())
	require.False(t, lives(t, conn))
}
