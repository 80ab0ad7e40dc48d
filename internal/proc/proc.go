// Package proc provides the engine of the bash tool: it runs a script in a shell, streams
// its output, ends the call in time, and leaves no process of a stopped call behind.
//
// A call ends when its shell ends, not when the last holder of its output does:
// background processes live on, belong to the [Group], and end with it.
//
// On Linux a command starts on its own thread (see launch), marked before it runs, in a
// directory that is held open, with no descriptor of the host program. What a Group owns
// ends even if the host program dies without Close (see guardian).
//
// How processes are found and ended depends on the operating system: tree_linux.go,
// tree_other.go and tree_windows.go say what each promises.
package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/sandbox"
)

// ErrClosed is returned by [Group.Start] after [Group.Close].
var ErrClosed = errors.New("proc: group is closed")

// ErrDir is wrapped by errors about the working directory.
var ErrDir = errors.New("working directory")

// Command is a script and its bounds.
type Command struct {
	// Script is what the shell runs, with the semantics of bash -c. It may have any
	// size; it must not contain a NUL byte.
	Script string
	// Shell is the path of the shell. "" is bash, or sh where there is none; on
	// Windows bash if there is one in PATH, else cmd.
	Shell string
	// KeepState asks for Outcome.State. The shell and what it starts then have one
	// descriptor more. It is ignored on Windows.
	KeepState bool
	// Dir is the absolute path of the working directory.
	Dir string
	// OpenDir, if it is not nil, is that directory, held open. On Linux the command starts
	// in it even if Dir names another one by then; elsewhere that is an error as far as it
	// is noticed. Start closes it.
	OpenDir *os.File
	// Env is the whole environment, as "name=value". On Linux SPILLWAY_CALL is added, by
	// which processes are found that left their parent and session.
	Env []string
	// Timeout, which must be positive, is how long the call may last. Ending the
	// processes then takes up to 150 ms if they heed SIGTERM, and less than a second if
	// not.
	Timeout time.Duration
	// MaxOutput, which must be positive, is the number of bytes of output, stdout and
	// stderr together, after which the command is killed.
	MaxOutput int64
	// MaxProcesses is how many processes and threads the command may have at a time, or fewer
	// where the limits of the host program leave less; 0 is no limit. It counts where there is a
	// control group with the controller pids.
	MaxProcesses int
	// Output gets stdout and stderr as they come, in the order in which they were
	// written, from one goroutine and never after Wait has returned.
	// An error of Write is ignored: the next chunk is passed on like the one before.
	// A chunk is valid during the call only. A Write that blocks makes Wait wait, not
	// the timeout: the processes are ended in time all the same. Nil discards.
	Output io.Writer
	// Sandbox, if not nil, confines the command. It outlives the group.
	Sandbox *sandbox.Sandbox
	// Stderr, if not nil, gets stderr, and Output only stdout. It is like Output, but is
	// written to concurrently, from another goroutine; the order between the two is lost.
	Stderr io.Writer

	// Detached makes the command one that may go on for hours: Timeout bounds its start
	// alone, and what its shell leaves running is heard and bounded on, up to Gone.
	Detached bool
	// Overrun, if not nil, is called when Timeout is over. The command becomes Detached if it
	// returns true.
	Overrun func() bool
	// Input connects stdin to Process.Input, instead of the null device.
	Input bool
	// Terminal connects stdin, stdout and stderr to a terminal of 120 columns and 40 rows,
	// and includes Input. It is not to be had on Windows.
	Terminal bool
}

// Reason says why a call ended.
type Reason int

const (
	Exited      Reason = iota // the shell exited
	TimedOut                  // Command.Timeout was over
	OutputLimit               // more than Command.MaxOutput bytes were written
	Canceled                  // the context was canceled, or the group closed
	Killed                    // Process.Kill was called
)

// String returns the reason in lower-case words.
func (r Reason) String() string {
	return [...]string{"exited", "timed out", "output limit", "canceled", "killed"}[r]
}

// Outcome is how a call ended.
type Outcome struct {
	Reason Reason
	// ExitCode is the shell's exit code, or -1 if a signal ended it, or the end of a call that
	// is not Detached.
	ExitCode int
	// Signal is the name of the signal that ended a shell whose Reason is Exited, such
	// as "SIGSEGV". It is empty otherwise, except for a command that is Detached.
	Signal string
	// Duration is the time from the call of Start to the end.
	Duration time.Duration
	// Background lists the processes that the script left running, in ascending order, if
	// Reason is Exited. They belong to the group from then on.
	Background []int
	// State is what the shell left at its end, if Reason is Exited and it was asked
	// for. It is nil if the shell was replaced by exec or killed, set a trap for EXIT,
	// removed its directory, or exports more than [MaxState] bytes.
	State *State
	// Crowded is the limit of processes and threads if the command has reached it, else 0.
	Crowded int
	// Uncertain says, if Reason is not Exited, that processes of the command may live on:
	// those that left its process group could not be found (as always on systems other
	// than Linux and Windows, and on Linux without /proc), or did not end, being another
	// user's or stuck in the kernel.
	Uncertain bool
}

// Group runs commands and owns what they leave running. It is safe for concurrent use.
type Group struct {
	supervisor    supervisor
	linger        time.Duration // instead of lingerTime, in a test
	terminateTime time.Duration // instead of TerminateTime, in a test

	mu         sync.Mutex
	closed     bool
	closing    chan struct{}     // closed by Close
	calls      sync.WaitGroup    // calls whose processes are not settled yet
	background map[*Process]bool // calls that have ended and left a process or an open pipe
}

// NewGroup returns an empty group. It holds no resource before the first Start.
func NewGroup() *Group {
	return &Group{closing: make(chan struct{}), background: make(map[*Process]bool)}
}

// Run runs a command and returns when it ended: it is [Group.Start] and [Process.Wait].
func (g *Group) Run(ctx context.Context, c Command) (Outcome, error) {
	p, err := g.Start(ctx, c)
	if err != nil {
		return Outcome{}, err
	}
	return p.Wait(), nil
}

// Start starts a command, which runs until it ends by itself, its bounds or ctx end it,
// or Stop does. The error says that the command could not be started; it wraps the
// cause, for example fs.ErrNotExist if the working directory is missing. A context that
// ends while the command starts makes the Outcome Canceled, and is no error.
func (g *Group) Start(ctx context.Context, c Command) (*Process, error) {
	began := time.Now()
	err := c.check()
	if err == nil {
		err = g.enter()
	}
	if err != nil {
		c.OpenDir.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	p, reason := (*Process)(nil), Canceled
	if ctx.Err() == nil {
		p, reason, err = g.begin(ctx, c, began)
	} else {
		c.OpenDir.Close()
	}
	if p != nil {
		p.cancel = cancel
		go p.run(ctx)
		return p, nil
	}
	g.calls.Done()
	cancel()
	if err != nil {
		return nil, err
	}
	p = newProcess(g, c, began)
	p.cancel, p.released = cancel, true
	p.outcome = Outcome{Reason: reason, ExitCode: -1, Duration: time.Since(began)}
	close(p.ended)
	close(p.gone)
	return p, nil
}

// Close ends every process that commands of the group left running, and every command
// that still runs, which is then Canceled. It returns when they have ended, at
// most a second later. Close again does nothing. It must not be called by Output.Write.
func (g *Group) Close() error {
	g.mu.Lock()
	if !g.closed {
		g.closed = true
		close(g.closing)
	}
	g.mu.Unlock()
	g.calls.Wait()

	var ending sync.WaitGroup
	for _, p := range g.inBackground() {
		ending.Go(func() { p.end(true) })
	}
	ending.Wait()
	g.supervisor.close()
	return nil
}

// enter adds a call to g.calls, unless the group is closed.
func (g *Group) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ErrClosed
	}
	g.calls.Add(1)
	return nil
}

func (g *Group) inBackground() []*Process {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Keys(g.background))
}

// check returns an error if the fields alone show that the command cannot be started.
func (c *Command) check() error {
	switch {
	case c.Timeout <= 0:
		return fmt.Errorf("timeout %v is not positive: %w", c.Timeout, fs.ErrInvalid)
	case c.MaxOutput <= 0:
		return fmt.Errorf("output limit %d is not positive: %w", c.MaxOutput, fs.ErrInvalid)
	case strings.ContainsRune(c.Script, 0):
		return fmt.Errorf("command contains a NUL byte: %w", fs.ErrInvalid)
	case !filepath.IsAbs(c.Dir):
		return fmt.Errorf("working directory %q is not an absolute path: %w", c.Dir, fs.ErrInvalid)
	}
	return nil
}
