package proc

import "os"

// Sandbox confines commands. Either Rules confine the thread that starts a shell, or Program starts the shell.
type Sandbox interface {
	// Rules returns the rules for a command that starts now, or nil if there are none.
	Rules() (*os.File, error)
	// Enter confines this thread, and what it starts, by rules. grouped says that it will start a process in a control
	// group.
	Enter(rules *os.File, grouped bool) error

	// Program returns the program that starts the shell of a command in a directory, and its arguments, which those of
	// the shell follow. It returns nil if the shell is started directly.
	Program(dir string) []string
	// Filter returns what Program reads from descriptor 5: the filter of system calls.
	Filter() []byte
	// Variables returns what Program reads from descriptor 6: the environment of a command. An earlier command may have
	// chosen the variables, and they must not affect anything unconfined.
	Variables(env []string) string
}

// Unconfined is a Sandbox that confines nothing.
type Unconfined struct{}

func (Unconfined) Rules() (*os.File, error)   { return nil, nil }
func (Unconfined) Enter(*os.File, bool) error { return nil }
func (Unconfined) Program(string) []string    { return nil }
func (Unconfined) Filter() []byte             { return nil }
func (Unconfined) Variables([]string) string  { return "" }
