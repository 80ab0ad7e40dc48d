package proc

import (
	"os"
	"syscall"
)

// Sandbox confines commands. Either Rules confine the thread that starts a shell, or Program starts the shell.
type Sandbox interface {
	// Rules returns the rules for a command that starts now, or nil if there are none.
	Rules() (*os.File, error)
	// Enter confines this thread, and what it starts, by rules, and then by Filter.
	Enter(rules *os.File) error

	// Program returns the program that starts the shell of a command in a directory, and its arguments; those of the
	// shell follow them. It returns nil if the shell is started directly.
	Program(dir string) []string
	// Filter returns the filter of system calls, an array of struct sock_filter. Program reads it from descriptor 5.
	// Without a Program it is installed after Enter. grouped says that the shell is started in a control group.
	Filter(grouped bool) []byte
	// Variables returns what Program reads from descriptor 6: the environment of a command. An earlier command may
	// have chosen the variables, so they must not affect anything unconfined.
	Variables(env []string) string

	// Network returns the network of a command that starts now, or nil if that is the host's. It is closed when no
	// process of the command is left.
	Network() (Network, error)
}

// Network is a network of a command's own, such as a *netns.Namespace.
type Network interface {
	// Enter puts this thread, and what it starts, into the network, unless NeedsStart.
	Enter() error
	// NeedsStart reports whether a process can enter the network only by Start.
	NeedsStart() bool
	// Start is syscall.ForkExec in the network. The filter of system calls, an array of struct sock_filter, is installed
	// last; nil is none. The caller must reap the process.
	Start(path string, argv []string, attr *syscall.ProcAttr, filter []byte) (pid int, err error)
	Close()
}

type Unconfined struct{}

func (Unconfined) Rules() (*os.File, error)  { return nil, nil }
func (Unconfined) Enter(*os.File) error      { return nil }
func (Unconfined) Program(string) []string   { return nil }
func (Unconfined) Filter(bool) []byte        { return nil }
func (Unconfined) Variables([]string) string { return "" }
func (Unconfined) Network() (Network, error) { return nil, nil }
