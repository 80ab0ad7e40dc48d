//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/internal/testkit"
)

// ownNetwork is a sandbox whose commands have networks of their own.
type ownNetwork struct {
	*sandbox.Sandbox
	procs     *proc.Group
	workspace string
}

// eachNetwork runs a test with each engine.
func eachNetwork(t *testing.T, test func(t *testing.T, o ownNetwork)) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) { test(t, newOwnNetwork(t, engine)) })
	}
}

func newOwnNetwork(t testing.TB, engine string) ownNetwork {
	t.Helper()
	ws, err := os.MkdirTemp("/var/tmp", "spillway-test-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(ws) })
	box, err := sandbox.New(engine, sandbox.Policy{Workspace: ws, OwnNetwork: true})
	o := ownNetwork{Sandbox: box, procs: proc.NewGroup(), workspace: ws}
	if err == nil {
		t.Cleanup(func() { o.procs.Close(); box.Close() })
		_, err = o.try("true", box)
	}
	need.Sandbox(t, err)
	return o
}

func (o ownNetwork) command(script string, box proc.Sandbox) proc.Command {
	return proc.Command{
		Script: script, Dir: o.workspace, Env: []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + o.TempDir()},
		Timeout: 10 * time.Minute, MaxOutput: 1 << 20, MaxProcesses: 300, Sandbox: box,
	}
}

// try runs a command, and returns what it prints and an error if it fails.
func (o ownNetwork) try(script string, box proc.Sandbox) (string, error) {
	var out bytes.Buffer
	c := o.command(script, box)
	c.Output = &out
	end, err := o.procs.Run(context.Background(), c)
	if err == nil && (end.Reason != proc.Exited || end.ExitCode != 0) {
		err = fmt.Errorf("%v %d: %s", end.Reason, end.ExitCode, out.String())
	}
	return out.String(), err
}

// greet serves both ports until the command has ended, which it reports.
func greet(ended chan<- string) func(http, socks net.Listener) {
	return func(http, socks net.Listener) {
		for name, l := range map[string]net.Listener{"http": http, "socks": socks} {
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						if !errors.Is(err, net.ErrClosed) {
							name = err.Error()
						}
						ended <- name
						return
					}
					fmt.Fprintln(c, name)
					c.Close()
				}
			}()
		}
	}
}

func TestOwnNetworkIsServed(t *testing.T) {
	t.Parallel()
	eachNetwork(t, func(t *testing.T, o ownNetwork) {
		ended := make(chan string, 2)
		script := fmt.Sprintf("cat </dev/tcp/127.0.0.1/%d; cat </dev/tcp/localhost/%d", sandbox.HTTPPort, sandbox.SOCKSPort)
		out, err := o.try(script, o.Serving(greet(ended)))
		require.NoError(t, err)
		require.Equal(t, "http\nsocks\n", out)
		require.ElementsMatch(t, []string{"http", "socks"}, []string{<-ended, <-ended})
		_, err = o.try(script, o)
		require.ErrorContains(t, err, "Connection refused", "nothing is served without Serving")
	})
}

// A command is connected to its terminal as without a network of its own.
func TestOwnNetworkHasTerminal(t *testing.T) {
	t.Parallel()
	eachNetwork(t, func(t *testing.T, o ownNetwork) {
		var out bytes.Buffer
		c := o.command("test -t 0 && echo hello >/dev/tty", o)
		c.Terminal, c.Output = true, &out
		end, err := o.procs.Run(context.Background(), c)
		require.NoError(t, err)
		require.Zero(t, end.ExitCode, out.String())
		require.Equal(t, "hello\r\n", out.String())
	})
}

// A command reaches what it starts, also in the background, and what another command starts not.
func TestOwnNetworkHasOwnServers(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	need.Program(t, "python3")
	const serve = `python3 -c '
import socket, sys
s = socket.create_server(("127.0.0.1", 3000))
open("ready", "w").close()
while True:
    c, _ = s.accept()
    c.sendall(b"mine\n")
    c.close()' & server=$!
until [ -e ready ]; do sleep 0.01; done; rm ready
`
	eachNetwork(t, func(t *testing.T, o ownNetwork) {
		out, err := o.try(serve+`cat </dev/tcp/localhost/3000; kill $server; wait`, o)
		require.ErrorContains(t, errors.Join(err, errors.New(out)), "mine")

		ended := make(chan string, 2)
		c := o.command(strings.Replace(serve, "& server", ">&- 2>&- & server", 1), o.Serving(greet(ended)))
		p, err := o.procs.Start(context.Background(), c)
		require.NoError(t, err)
		require.NotEmpty(t, p.Wait().Background)
		_, err = o.try(`cat </dev/tcp/localhost/3000`, o)
		require.ErrorContains(t, err, "Connection refused")
		require.Empty(t, ended, "the network is there as long as the server")
		require.NoError(t, o.procs.Close())
		require.ElementsMatch(t, []string{"http", "socks"}, []string{<-ended, <-ended})
	})
}

func TestNothingIsLeftOfNetworks(t *testing.T) {
	eachNetwork(t, func(t *testing.T, o ownNetwork) {
		ended := make(chan string, 100)
		run := func() {
			_, err := o.try("true", o.Serving(greet(ended)))
			require.NoError(t, err)
		}
		run()
		<-ended
		<-ended
		var before map[string]int
		require.Eventually(t, func() bool { before = descriptorsOf(t); return before["net"] == 0 }, time.Minute, time.Millisecond)
		for range 10 {
			run()
		}
		for range 20 {
			<-ended
		}
		c := o.command("true", o.Serving(greet(ended)))
		c.Dir = filepath.Join(o.workspace, "none")
		_, err := o.procs.Run(context.Background(), c)
		require.Error(t, err)
		c = o.command("true", o.Serving(greet(ended)))
		c.Shell = filepath.Join(o.workspace, "none")
		if _, err = o.procs.Run(context.Background(), c); o.Engine == sandbox.Landlock {
			require.Error(t, err) // bwrap itself starts
		}
		require.Eventually(t, func() bool { return len(ended) >= 2 }, time.Minute, time.Millisecond)
		require.Eventually(t, func() bool { // a network is closed behind its servers
			for kind, n := range descriptorsOf(t) {
				if n > before[kind] {
					return false
				}
			}
			return true
		}, time.Minute, time.Millisecond)
	})
}

// descriptorsOf counts the descriptors of this program by kind.
func descriptorsOf(t *testing.T) map[string]int {
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	found := map[string]int{}
	for _, e := range entries {
		link, err := os.Readlink("/proc/self/fd/" + e.Name())
		kind, _, _ := strings.Cut(link, ":")
		if err == nil && (kind == "socket" || kind == "net" || kind == "user" || kind == "pipe") {
			found[kind]++
		}
	}
	return found
}

// BenchmarkOwnNetwork compares echo in a sandbox with and without a network of its own.
func BenchmarkOwnNetwork(b *testing.B) {
	for _, engine := range engines {
		o := newOwnNetwork(b, engine)
		plain, err := sandbox.New(engine, sandbox.Policy{Workspace: o.workspace})
		require.NoError(b, err)
		defer plain.Close()
		serve := o.Serving(func(http, socks net.Listener) {})
		b.Run(engine, func(b *testing.B) {
			var more []time.Duration
			run := func(box proc.Sandbox) time.Duration {
				began := time.Now()
				if _, err := o.try("echo x", box); err != nil {
					b.Fatal(err)
				}
				return time.Since(began)
			}
			for b.Loop() {
				more = append(more, run(serve)-run(plain))
			}
			slices.Sort(more)
			b.ReportMetric(more[len(more)/2].Seconds()*1e3, "ms-more")
		})
	}
}
