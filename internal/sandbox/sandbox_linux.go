//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/program"
)

// New returns a sandbox with that engine. It makes a private temporary directory, which Close
// removes.
func New(engine string, p Policy) (*Sandbox, error) {
	s := &Sandbox{Facts: Facts{Engine: engine}, policy: p, keepCaps: !isRoot()}
	for _, name := range program.Unconfined {
		if _, err := program.Find(name, p.writable()...); err != nil {
			return nil, err
		}
	}
	if err := s.makeTemp(); err != nil {
		return nil, fmt.Errorf("no private temporary directory: %w", err)
	}
	var err error
	switch engine {
	case Landlock:
		err = s.landlock(p)
	case Bwrap:
		err = s.bwrap(p)
	default:
		err = fmt.Errorf("there is no engine %q", engine)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Program returns bwrap with its arguments, or nil under Landlock.
func (s *Sandbox) Program(dir string) []string {
	if s.program == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isAt(s.protection.root) { // the workspace was replaced
		if p, err := s.protect(); err == nil {
			s.protection.close()
			p.undone = s.protection.undone
			s.protection = p
		}
	}
	return slices.Concat(s.program, s.sharedDir.binds(), s.protection.binds(), s.covers(), []string{"--chdir", dir, "--"})
}

// gaps returns what a command that starts now can do although Policy.ReadOnly forbids it. NotEnforced does not have it.
func (s *Sandbox) gaps() []string {
	if s.program == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _, gaps := s.protection.readOnly.binds()
	return gaps
}

// Undo removes what commands made that makes git look elsewhere. It is called after each command.
func (s *Sandbox) Undo() {
	if s.program == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.protection.undo()
	led, followed := s.sharedDir.undo()
	s.protection.undone = union(s.protection.undone, led)
	s.followed = union(s.followed, followed)
}

// undone calls Undo, and returns the paths that were removed since its last call: those by which git would look
// elsewhere, and those that it would follow in what worktrees share.
func (s *Sandbox) undone() (led, followed []string) {
	if s.program == nil {
		return nil, nil
	}
	s.Undo()
	s.mu.Lock()
	defer s.mu.Unlock()
	led, s.protection.undone = s.protection.undone, nil
	followed, s.followed = s.followed, nil
	return led, followed
}

// union returns paths with those of more that it does not have.
func union(paths, more []string) []string {
	for _, path := range more {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Filter returns the filter of system calls for commands that are started in a control group, or elsewhere.
func (s *Sandbox) Filter(grouped bool) []byte {
	if grouped {
		return s.filters[1]
	}
	return s.filters[0]
}

// Variables returns the environment of a command as arguments of bwrap.
func (s *Sandbox) Variables(env []string) string {
	var b strings.Builder
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		b.WriteString("--setenv\x00" + name + "\x00" + value + "\x00")
	}
	return b.String()
}

// Enter confines this thread, and what it starts, from now on, but for the filter.
func (s *Sandbox) Enter(rules *os.File) error {
	err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err == nil {
		err = restrict(rules)
	}
	if err == nil && !s.keepCaps {
		err = dropCapabilities()
	}
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	return nil
}

// Close removes the private temporary directory. Every command must have ended.
func (s *Sandbox) Close() {
	s.rules.Close() // a nil file returns an error
	s.root.Close()
	s.Undo()
	s.mu.Lock()
	if s.protection != nil {
		s.protection.close()
	}
	s.sharedDir.close()
	s.cover.ins.close()
	s.mu.Unlock()
	s.removeTemp()
}

// rootCapabilities are the capabilities that root keeps. Commands need them in a workspace of
// another user, as in containers; they do not allow writing outside of it.
var rootCapabilities = map[string]int{
	"CAP_CHOWN": unix.CAP_CHOWN, "CAP_DAC_OVERRIDE": unix.CAP_DAC_OVERRIDE,
	"CAP_FOWNER": unix.CAP_FOWNER, "CAP_FSETID": unix.CAP_FSETID,
}

func capabilities() (data [2]unix.CapUserData, err error) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	err = unix.Capget(&header, &data[0])
	return data, err
}

// isRoot reports whether this program has capabilities that commands must not have.
func isRoot() bool {
	data, err := capabilities()
	return err != nil || data[0].Permitted != 0 || data[1].Permitted != 0 || unix.Geteuid() == 0
}

// dropCapabilities drops all but rootCapabilities. Because of no_new_privs, no program gets them
// back.
func dropCapabilities() error {
	data, err := capabilities()
	if err != nil {
		return err
	}
	var keep uint32
	for _, c := range rootCapabilities {
		keep |= 1 << c
	}
	data[0].Permitted &= keep
	data[0].Effective &= keep
	data[0].Inheritable = 0
	data[1] = unix.CapUserData{}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	err = unix.Capset(&header, &data[0])
	return errors.Join(err, unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
}
