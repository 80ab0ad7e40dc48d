package proc

import (
	"os"

	"github.com/spillway-go/spillway/internal/netns"
)

// Sandbox confines commands. Either Rules confine the thread that starts a shell, or Program starts the shell.
type Sandbox interface {
	// Rules returns the rules for a command that starts now, or nil if there are none.
	Rules() (*os.File, error)
	// Enter confines this thread, and what it starts, by rules, and then by Filter.
	Enter(rules *os.File) error

	// Program returns the program that starts the shell of a command in a directory, and its arguments, which those of
	// the shell follow. It returns nil if the shell is started directly.
	Program(dir string) []string
	// Filter returns the filter of system calls, an array of struct sock_filter. Program reads it from descriptor 5.
	// Without a Program it is installed after Enter. grouped says that the shell is started in a control group.
	Filter(grouped bool) []byte
	// Variables returns what Program reads from descriptor 6: the environment of a command. An earlier command may have
	// chosen the variables, and they must not affect anything unconfined.
	Variables(env []string) string

	// Network returns the network namespace of a command that starts now, or nil if that is the host's. The namespace is
	// closed when no process of the command is left.
	Network() (*netns.Namespace, error)
}

// Unconfined is a Sandbox that confines nothing.
type Unconfined struct{}

func (Unconfined) Rules() (*os.File, error)           { return nil, nil }
func (Unconfined) Enter(*os.File) error               { return nil }
func (Unconfined) Program(string) []string            { return nil }
func (Unconfined) Filter(bool) []byte                 { return nil }
func (Unconfined) Variables([]string) string          { return "" }
func (Unconfined) Network() (*netns.Namespace, error) { return nil, nil }
