//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/program"
)

// bwrap makes the arguments of bubblewrap. A later mount covers an earlier one.
func (s *Sandbox) bwrap(p Policy) error {
	path, err := program.Find("bwrap", p.writable()...)
	if errors.Is(err, program.ErrNotFound) {
		return fmt.Errorf("%w: install the package bubblewrap", err)
	}
	if err != nil {
		return err
	}
	s.inside = "/tmp"
	args := []string{
		path, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		"--seccomp", "5", "--clearenv", "--args", "6",
	}
	if !p.Network && !p.OwnNetwork { // else it is started in the network that commands have
		args = append(args, "--unshare-net")
	}
	args = append(args, privileges()...)
	if len(p.Readable) == 0 {
		args = append(args, "--ro-bind", "/", "/")
	} else {
		for _, dir := range existing(systemDirs...) {
			args = append(args, shown(dir)...)
		}
	}
	// bwrap does not cover /proc/sys if that directory is not writable, but root may write to its files.
	args = append(args, "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc")
	bind := func(how string, paths ...string) {
		for _, path := range paths {
			args = append(args, how, path, path)
		}
	}
	if len(p.Services) > 0 && len(p.Readable) == 0 {
		args = append(args, "--tmpfs", "/run")
		bind("--ro-bind", existing("/run/systemd/resolve")...)
	}
	args = append(args, "--bind", s.temp, "/tmp")
	outer := apart(p.Writable, p.Workspace)
	parts, gitDir, err := s.openGitDir()
	if err != nil {
		return err
	}
	defer closeAll(parts)
	s.places = slices.Concat(outer, names(parts))
	s.Writable = s.places
	if s.shared != "" {
		if s.sharedDir, err = openSharedDir(s.shared, append(s.places, p.Workspace)); err != nil {
			return err
		}
	}
	if s.sharedDir != nil {
		s.Writable = append(outer, s.shared)
	}
	s.shown = apart(slices.Concat(p.Readable, p.Visible, gitDir), append(outer, p.Workspace)...)
	bind("--ro-bind", s.shown...)
	// No command can replace the parts, because it cannot write to the directories above them.
	bind("--bind", s.places...)
	bind("--bind", p.Workspace)
	bind("--ro-bind", apart(p.Services, append(outer, p.Workspace)...)...)
	if s.protection, err = s.protect(); err != nil {
		return err
	}
	s.program = args
	// These are safe, because the network is allowed or the command has its own network namespace.
	families := []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	s.NotEnforced = []string{
		"configuration and hooks of repositories below the workspace's root, of submodules, " +
			"and of repositories that a command makes",
		"hooks, and configuration that is included, among the files of a repository",
		"leading git elsewhere by a commondir as long as the command runs: it is removed afterwards",
		"changing git's configuration while a program outside replaces it, as git config does: " +
			"until the command ends that began before",
		"writing to FIFOs that the user may write to",
	}
	if s.sharedDir != nil {
		s.NotEnforced = append(s.NotEnforced, sharedGaps...)
	}
	for _, link := range s.protection.links() {
		s.NotEnforced = append(s.NotEnforced, "replacing "+link+", as it is a link")
	}
	if len(p.Services) > 0 {
		families = append(families, unix.AF_UNIX)
		s.NotEnforced = append(s.NotEnforced,
			"connecting to sockets of services that are not named, outside of /run and /tmp")
	}
	filter := newFilter(refused, families, false).encode()
	s.filters = [2][]byte{filter, filter}
	return nil
}

// privileges returns the options that limit the capabilities of root.
func privileges() (args []string) {
	if unix.Geteuid() != 0 {
		return nil // bwrap makes a user namespace, in which commands have no capabilities
	}
	data, err := capabilities()
	if err != nil || data[0].Effective&(1<<unix.CAP_SYS_ADMIN) == 0 { // as in most containers
		return []string{"--unshare-user"}
	}
	args = []string{"--cap-drop", "ALL"}
	for name, c := range rootCapabilities {
		if data[0].Effective&(1<<c) != 0 {
			args = append(args, "--cap-add", name)
		}
	}
	return args
}

// shown returns the options that show a system directory, which may be a link, as /bin often is
// to usr/bin.
func shown(dir string) []string {
	if target, err := os.Readlink(dir); err == nil {
		return []string{"--symlink", target, dir}
	}
	return []string{"--ro-bind", dir, dir}
}
