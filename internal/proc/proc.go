// Package proc provides the engine of the bash tool: it runs a script in a shell, streams
// its output, ends the call in time, and leaves no process of a stopped call behind.
//
// A call ends when its shell ends, not when the last holder of its output does:
// background processes live on, belong to the [Group], and end with it.
//
// On Linux a command starts on its own thread (see launch), in a directory that is held
// open, without the host program's descriptors, and is marked before it runs. What a Group
// owns ends even if the host program dies without Close (see guardian).
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
	// KeepState asks for Outcome.State. The shell and what it starts then inherit one more
	// descriptor, and with bash two. Windows ignores it.
	KeepState bool
	// Define is code that bash runs before Script: definitions, see State.Defined. Other shells,
	// and Windows, ignore it.
	Define string
	// Dir is the absolute path of the working directory.
	Dir string
	// OpenDir, if not nil, is that directory, held open. On Linux the command starts in it even if Dir names another
	// directory by then; elsewhere Start fails if it notices that. Start closes OpenDir.
	OpenDir *os.File
	// Env is the whole environment, as "name=value". On Linux Start adds SPILLWAY_CALL, which
	// identifies processes that left their parent and session.
	Env []string
	// Timeout, which must be positive, is how long the call may last. Ending its processes
	// takes up to 150 ms more if they exit on SIGTERM, and less than a second otherwise.
	Timeout time.Duration
	// StartTimeout is how long the start of a command that is Detached, or has an Overrun, may last; 0 is Timeout.
	StartTimeout time.Duration
	// MaxOutput, which must be positive, is the number of bytes of output, stdout and
	// stderr together, after which the command is killed.
	MaxOutput int64
	// MaxProcesses is how many processes and threads the command may have at a time; 0 is no
	// limit. The host program's own limits may lower it. It applies only where there is a
	// control group with the pids controller.
	MaxProcesses int
	// MaxMemory is how many bytes of memory the command may hold with all that it starts; 0 is no limit. If it holds
	// more, all of it is killed: see tree.watchMemory. Only Linux has such a limit.
	MaxMemory int64
	// Output gets stdout and stderr in the order in which they were written, from one goroutine and never after Wait
	// has returned. It must not keep the data. Errors of Write are ignored. A Write that blocks delays Wait but not
	// the timeout: the processes end in time all the same. A nil Output discards everything.
	Output io.Writer
	// Sandbox, if not nil, confines the command. It outlives the group. Only Linux has one.
	Sandbox Sandbox
	// Stderr, if not nil, gets stderr, and Output only stdout. It is like Output, but another
	// goroutine writes to it concurrently, so the order of the two is lost.
	Stderr io.Writer

	// Detached lets the command run for hours: only its start is bounded. Output of the processes that its shell
	// leaves running is still copied, and counts toward MaxOutput, until Gone.
	Detached bool
	// Overrun, if not nil, is called when Timeout is over (TimedOut), or IdleTimeout (IdleOut).
	// If it returns true, the command becomes Detached.
	Overrun func(why Reason) bool
	// IdleTimeout is how long a command that is not Detached may print nothing; 0 is no limit.
	IdleTimeout time.Duration
	// Input connects stdin to Process.Input instead of the null device.
	Input bool
	// Terminal connects stdin, stdout and stderr to a terminal of 120 columns and 40 rows,
	// and includes Input. Windows does not support it.
	Terminal bool
}

// Reason is why a call ended.
type Reason int

const (
	Exited      Reason = iota // the shell exited
	TimedOut                  // Command.Timeout was over
	OutputLimit               // more than Command.MaxOutput bytes were written
	Canceled                  // the context was canceled, or the group closed
	Killed                    // Process.Kill was called
	IdleOut                   // nothing was printed for Command.IdleTimeout
	MemoryLimit               // more than Command.MaxMemory bytes of memory were held
)

func (r Reason) String() string {
	return [...]string{"exited", "timed out", "output limit", "canceled", "killed", "idle", "memory limit"}[r]
}

// Outcome is how a call ended.
type Outcome struct {
	Reason Reason
	// ExitCode is the shell's exit code. It is -1 if a signal ended the shell, or if Reason is
	// not Exited and the command not Detached.
	ExitCode int
	// Signal is the name of the signal that ended the shell, such as "SIGSEGV". It is set only
	// if Reason is Exited or the command is Detached.
	Signal string
	// Duration is the time from the call of Start to the end.
	Duration time.Duration
	// Background lists the processes that the script left running, in ascending order, if
	// Reason is Exited. They belong to the group from then on.
	Background []int
	// State is the state of the shell at its end, if Reason is Exited and KeepState was set.
	// It is nil if the shell was replaced by exec or killed, set a trap for EXIT, removed its
	// directory, or exported more than [MaxState] bytes.
	State *State
	// ProcessLimit is the limit of processes and threads that the command reached, or 0.
	ProcessLimit int
	// Uncertain says, if Reason is not Exited, that processes of the command may still be
	// running: some that left its process group could not be found (always so on systems
	// other than Linux and Windows, and on Linux without /proc), or some did not end because
	// they belong to another user or hang in the kernel.
	Uncertain bool
}

// Group runs commands and owns what they leave running. It is safe for concurrent use.
type Group struct {
	supervisor    supervisor
	waitDelay     time.Duration // replaces the constant in tests
	terminateTime time.Duration // replaces TerminateTime in tests

	mu         sync.Mutex
	closed     bool
	closing    chan struct{}     // closed by Close
	calls      sync.WaitGroup    // calls that have neither ended nor moved to background
	background map[*Process]bool // calls that ended and left a process or an open pipe
}

// NewGroup returns an empty group. It holds no resource before the first Start.
func NewGroup() *Group {
	return &Group{closing: make(chan struct{}), background: make(map[*Process]bool)}
}

// Run runs a command and returns when it has ended: it is [Group.Start] and [Process.Wait].
func (g *Group) Run(ctx context.Context, c Command) (Outcome, error) {
	p, err := g.Start(ctx, c)
	if err != nil {
		return Outcome{}, err
	}
	return p.Wait(), nil
}

// Start starts a command, which runs until it ends by itself, or one of its limits, ctx or Kill ends it. An error
// means that the command could not be started; it wraps the cause, for example fs.ErrNotExist if the working directory
// is missing. If the context ends while the command starts, that is not an error, but makes the Outcome Canceled.
func (g *Group) Start(ctx context.Context, c Command) (*Process, error) {
	began := time.Now()
	err := c.check()
	if err == nil {
		g.mu.Lock()
		if g.closed {
			err = ErrClosed
		} else {
			g.calls.Add(1)
		}
		g.mu.Unlock()
	}
	if err != nil {
		c.OpenDir.Close()
		return nil, err
	}
	c.Script = noOption(c.Script)
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

// Close cancels the commands that still run and ends every process that others left
// running. It returns when they have ended, at most a second later. Calling Close again
// does nothing. Output.Write must not call it.
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

func (g *Group) inBackground() []*Process {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Keys(g.background))
}

// noOption protects a script that begins with - or + from being taken for an option of the shell.
func noOption(script string) string {
	if strings.HasPrefix(script, "-") || strings.HasPrefix(script, "+") {
		return " " + script
	}
	return script
}

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
