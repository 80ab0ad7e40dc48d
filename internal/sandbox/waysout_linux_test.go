//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/testkit"
)

// host is what must not be reached.
type host struct {
	outer
	mu   sync.Mutex
	seen []string
}

func (h *host) saw(what string) {
	h.mu.Lock()
	h.seen = append(h.seen, what)
	h.mu.Unlock()
}

// newHost listens in every way.
func newHost(t *testing.T) *host {
	dir := outside(t)
	h := &host{outer: outer{Host: os.Getpid(), Unix: dir + "/stream", Gram: dir + "/gram"}}
	h.Abstract, h.AbstractGram = "@"+filepath.Base(dir), "@gram-"+filepath.Base(dir)
	var tcp net.Listener
	for _, address := range []struct{ network, address string }{{"tcp", ":0"}, {"unix", h.Unix}, {"unix", h.Abstract}} {
		l, err := net.Listen(address.network, address.address)
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		if tcp == nil {
			tcp = l
		}
		testkit.Accept(l, func(c net.Conn) {
			h.saw(l.Addr().String())
			io.WriteString(c, "x")
		})
	}
	h.TCP = tcp.Addr().(*net.TCPAddr).Port
	for _, address := range []struct{ network, address string }{{"udp", ":0"}, {"unixgram", h.Gram}, {"unixgram", h.AbstractGram}} {
		l, err := net.ListenPacket(address.network, address.address)
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		if at, ok := l.LocalAddr().(*net.UDPAddr); ok {
			h.UDP = at.Port
		}
		go func() {
			b := make([]byte, 16)
			for {
				_, from, err := l.ReadFrom(b)
				if err != nil {
					return
				}
				h.saw(l.LocalAddr().String())
				if from != nil && l.LocalAddr().Network() == "udp" {
					l.WriteTo([]byte("x"), from)
				}
			}
		}()
	}
	raw, err := tcp.(*net.TCPListener).SyscallConn()
	require.NoError(t, err)
	raw.Control(func(fd uintptr) { h.Held, err = unix.Dup(int(fd)) }) // which is inherited by what does not take care
	require.NoError(t, err)
	h.HeldNet, err = unix.Open("/proc/self/ns/net", unix.O_RDONLY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { unix.Close(h.Held); unix.Close(h.HeldNet) })
	h.findAddresses()
	return h
}

func (h *host) findAddresses() {
	devices, _ := net.Interfaces()
	for _, d := range devices {
		addresses, _ := d.Addrs()
		for _, a := range addresses {
			ip, _, _ := net.ParseCIDR(a.String())
			switch {
			case d.Flags&net.FlagLoopback != 0:
			case ip.IsLinkLocalUnicast() && ip.To4() == nil:
				h.LinkLocal, h.Device = ip.String()+"%"+d.Name, d.Name
			case ip.To4() != nil:
				h.Address, h.Device = ip.String(), d.Name
			}
		}
	}
}

const waysVariable, wayVariable, plainVariable = "TEST_WAYS", "TEST_WAY", "TEST_PLAIN"

// goOut tries all ways for the test that started this program, and prints what came of each. Those that only use
// sockets are tried in one process: a start of this program takes longer than most of them.
func goOut(about string) int {
	var o outer
	if err := json.Unmarshal([]byte(about), &o); err != nil {
		fmt.Println(err)
		return 1
	}
	if role := os.Getenv(nestedVariable); role != "" {
		if err := nested(role, o); err != nil {
			return 1
		}
		return 0
	}
	if group := os.Getenv(wayVariable); group != "" {
		for _, w := range ways {
			if w.group() == group && (w.plain || os.Getenv(plainVariable) == "") {
				w.walk(o)
			}
		}
		return 0
	}
	gone := map[string]bool{}
	for _, w := range ways {
		switch group := w.group(); {
		case gone[group] || os.Getenv(plainVariable) != "" && !w.plain:
		case w.shell != "":
			w.walk(o)
		default:
			gone[group] = true
			goOutIn(group)
		}
	}
	return 0
}

// group is the name of the ways that are tried in one process.
func (w way) group() string {
	if w.socket {
		return "sockets"
	}
	return w.name
}

// goOutIn starts this program again for the ways of a group.
func goOutIn(group string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Env = append(os.Environ(), wayVariable+"="+group)
	out, err := cmd.CombinedOutput()
	if err != nil {
		fmt.Printf("%s\t%v\n", group, err)
	}
	os.Stdout.Write(out)
}

// TestWaysOut tries each way out of a command's own network. Those that lead out without a sandbox show that the host
// sees them.
func TestWaysOut(t *testing.T) {
	testkit.NotUnderRace(t) // each way is a process of its own, which takes a second to start there
	t.Parallel()
	require.GreaterOrEqual(t, len(ways), 60)
	shown := false // that they lead out, which is the same for each engine: -short tries it once
	eachNetwork(t, func(t *testing.T, o ownNetwork) {
		linkProgram(t, filepath.Join(o.workspace, "helper"))
		scriptOf := func(h *host) string {
			about, err := json.Marshal(h.outer)
			require.NoError(t, err)
			return waysVariable + "='" + string(about) + "' ./helper"
		}
		came := map[string]string{}
		read := func(out string) {
			for line := range strings.Lines(out) {
				name, outcome, _ := strings.Cut(strings.TrimSpace(line), "\t")
				came[name] = outcome
			}
		}
		if !shown || !testing.Short() {
			shown = true
			open := newHost(t) // of its own: what is sent may arrive late
			out, err := o.try(plainVariable+"=1 "+scriptOf(open), proc.Unconfined{})
			require.NoError(t, err)
			read(out)
			for _, w := range ways {
				if w.plain && came[w.name] != "out" {
					t.Errorf("%s: without a sandbox: %q", w.name, came[w.name])
				}
			}
			open.mu.Lock()
			require.NotEmpty(t, open.seen)
			open.mu.Unlock()
		}
		h := newHost(t)
		clear(came)
		out, err := o.try(scriptOf(h), o)
		require.NoError(t, err)
		read(out)
		for _, w := range ways {
			if came[w.name] == "" || came[w.name] == "out" {
				t.Errorf("%s: %q", w.name, came[w.name])
			}
			t.Logf("%s: %s", w.name, came[w.name])
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		require.Empty(t, h.seen)
	})
}
