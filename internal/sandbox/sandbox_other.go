//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"fmt"
	"os"
	"runtime"

	"github.com/spillway-go/spillway/internal/notice"
)

type (
	protection struct{}
	sharedDir  struct{}
	cover      struct{}
)

// New returns an error, because there is no engine for this system.
func New(string, Policy) (*Sandbox, error) {
	return nil, fmt.Errorf("there is a sandbox on Linux for amd64 and arm64 alone, and this is %s for %s",
		runtime.GOOS, runtime.GOARCH)
}

// Rules returns nil.
func (s *Sandbox) Rules() (*os.File, error) { return nil, nil }

// Enter does nothing.
func (s *Sandbox) Enter(*os.File) error { return nil }

// Program returns nil.
func (s *Sandbox) Program(string) []string { return nil }

// Filter returns nil.
func (s *Sandbox) Filter(bool) []byte { return nil }

// Variables returns "".
func (s *Sandbox) Variables([]string) string { return "" }

// gaps returns nil.
func (s *Sandbox) gaps() []string { return nil }

// explainHidden returns nil.
func (s *Sandbox) explainHidden([]string) []notice.Notice { return nil }

// Undo does nothing.
func (s *Sandbox) Undo() {}

// undone returns nil.
func (s *Sandbox) undone() (led, followed []string) { return nil, nil }

// Close does nothing.
func (s *Sandbox) Close() {}
