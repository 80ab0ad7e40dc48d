package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// mode is a way in which processes are found.
type mode struct {
	name  string
	group func() *Group
}

// modes are with a control group, where there are any, and by scans alone.
var modes = []mode{
	{"cgroup", NewGroup},
	{"scan", func() *Group { g := NewGroup(); g.supervisor.noCgroup = true; return g }},
}

// eachMode runs a test with both. TestMain checks that nothing is left after Close.
func eachMode(t *testing.T, f func(t *testing.T, g *Group)) {
	t.Helper()
	inModes(t, modes, f)
}

// inTurn runs the case of a table with both, or in a short run with one: the next case with the other one. It is for
// tables in which what a case is about does not depend on how processes are found.
func inTurn(t *testing.T, number int, f func(t *testing.T, g *Group)) {
	t.Helper()
	inModes(t, modesOf(number), f)
}

func modesOf(number int) []mode {
	switch {
	case !testing.Short():
		return modes
	case cgroupParent() == "":
		return modes[1:]
	}
	return modes[number%2:][:1]
}

func inModes(t *testing.T, modes []mode, f func(t *testing.T, g *Group)) {
	t.Helper()
	if findBash() == "" {
		t.Skip("no bash")
	}
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			if mode.name == "cgroup" && cgroupParent() == "" {
				t.Skip("no control groups here")
			}
			g := mode.group()
			f(t, g)
			if err := g.Close(); err != nil {
				t.Fatal(err)
			}
			if mode.name == "cgroup" && g.supervisor.noCgroup {
				t.Skip("control groups do not work here")
			}
		})
	}
}

// bench is a script's directory and its environment.
type bench struct {
	t     *testing.T
	g     *Group
	dir   string
	token string // in the command line of every process that matters
}

func newBench(t *testing.T, g *Group) *bench {
	return &bench{t, g, t.TempDir(), fmt.Sprintf("%09d", rand.IntN(1e9))}
}

// longGrace gives processes time to end after SIGTERM, on a busy machine. Without /proc all of
// it is waited, as nothing tells that they have ended.
func longGrace(g *Group) {
	g.supervisor.grace = patience
	if !testkit.HasProc() {
		g.supervisor.grace /= 10
	}
}

// command returns a command for script. Scripts write pids to $PIDS and sleep for $LONG
// seconds, which is a number that no other process sleeps for.
func (b *bench) command(script string) Command {
	return Command{
		Script: script,
		Dir:    b.dir,
		Env: append(os.Environ(), "LC_ALL=C", "PIDS="+b.path("pids"), "LONG=300."+b.token,
			"READY="+b.path("ready")),
		Timeout:   time.Minute,
		MaxOutput: 1 << 30,
	}
}

// run runs a command and returns its output too.
func (b *bench) run(c Command) (Outcome, string) {
	b.t.Helper()
	var out bytes.Buffer
	if c.Output == nil {
		c.Output = &out
	}
	o, err := b.g.Run(context.Background(), c)
	if err != nil {
		b.t.Fatalf("Run: %v", err)
	}
	return o, out.String()
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// pids returns the pids that the script has written.
func (b *bench) pids() []int {
	text, _ := os.ReadFile(b.path("pids"))
	var pids []int
	for field := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// noneLeft fails if a process that wrote its pid, or has the token in its command line,
// is alive. One that has been killed may still wait for a processor to end on.
func (b *bench) noneLeft(atLeast int) {
	b.t.Helper()
	pids := b.pids()
	if len(pids) < atLeast {
		b.t.Errorf("the script wrote %d pids, want %d at least", len(pids), atLeast)
	}
	for _, pid := range append(pids, b.tokens()...) {
		for deadline := time.Now().Add(patience); killed(pid) && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if alive(pid) {
			status, _ := os.ReadFile(procPath(pid, "status"))
			line, _ := os.ReadFile(procPath(pid, "cmdline"))
			b.t.Errorf("process %d is left: %q\n%s", pid, line, status)
		}
	}
}

// tokens returns the pids of the processes that have the token in their command line.
func (b *bench) tokens() (pids []int) {
	all, _ := listPids(0)
	for _, pid := range all {
		line, _ := os.ReadFile(procPath(pid, "cmdline"))
		if bytes.Contains(line, []byte(b.token)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func alive(pid int) bool {
	s, ok := readStat(pid)
	return ok && s.alive()
}

// killed reports whether a process that is alive is ending, or SIGKILL is pending for it.
func killed(pid int) bool {
	if s, ok := readStat(pid); !ok || !s.stays() {
		return ok && s.alive()
	}
	status, _ := os.ReadFile(procPath(pid, "status"))
	for line := range strings.Lines(string(status)) {
		if mask, ok := strings.CutPrefix(line, "SigPnd:"); ok {
			bits, _ := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return bits&(1<<8) != 0 && alive(pid)
		}
	}
	return false
}

// sameLength is an argument for another run of a test: with -short, if this run has it.
func sameLength() string { return "-test.short=" + strconv.FormatBool(testing.Short()) }

// eventually waits until check returns nil.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatal(err)
}

// untilInTime tries with longer and longer timeouts, until a command got as far as it had
// to before its timeout: how long that takes is up to the machine.
func untilInTime(try func(timeout time.Duration) bool) {
	for timeout := 300 * time.Millisecond; !try(min(timeout, patience)) && timeout < patience; timeout *= 3 {
	}
}

// resources are what the program holds.
type resources struct {
	files, goroutines, cgroups int
	children                   bool
}

// held counts what the program holds, except for control groups.
func held() resources {
	defaultSignals()()                          // the first time starts a goroutine that stays
	time.AfterFunc(time.Hour, func() {}).Stop() // the first timer opens what the runtime polls with, which stays, too
	var r resources
	fds, _ := os.ReadDir("/proc/self/fd")
	r.files = len(fds)
	r.goroutines = runtime.NumGoroutine()
	r.children = !errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD)
	return r
}

// zombies counts the children of the program that are not reaped.
func zombies() (n int) {
	pids, _ := listPids(0)
	for _, pid := range pids {
		if s, ok := readStat(pid); ok && s.parent == os.Getpid() && !s.alive() {
			n++
		}
	}
	return n
}

func init() { holdsNoMore = holdsNoMoreThanNow }

func holdsNoMoreThanNow() func() error {
	before := held()
	return func() (err error) {
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			now := held()
			if dir := cgroupParent(); dir != "" {
				own, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("%s%d-*", cgroupPrefix, os.Getpid())))
				now.cgroups = len(own)
			}
			if err = now.more(before); err == nil {
				break
			}
		}
		return err
	}
}

// more says what r has that before had not.
func (r resources) more(before resources) error {
	if r.files <= before.files && r.goroutines <= before.goroutines &&
		(!r.children || before.children) && r.cgroups <= before.cgroups {
		return nil
	}
	stacks := make([]byte, 64<<10)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return fmt.Errorf("the tests leave something: held before: %+v, now: %+v\n%s", before, r, stacks)
}

// writerFunc is a function as an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

var _ io.Writer = writerFunc(nil)
