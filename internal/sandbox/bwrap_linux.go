//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/ignore"
)

// bwrap makes the arguments of bubblewrap. What is bound later covers what was before.
func (s *Sandbox) bwrap(p Policy) error {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return errors.New("the program bwrap is not in PATH: install the package bubblewrap")
	}
	s.inside = "/tmp"
	args := []string{path, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--seccomp", "5", "--clearenv", "--args", "6"}
	if !p.Network {
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
	// Of /proc/sys bwrap takes the directory's mode for that of its files, which root may write to.
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
	bind("--ro-bind", apart(slices.Concat(p.Readable, p.Visible), append(outer, p.Workspace)...)...)
	bind("--bind", outer...)
	bind("--bind", p.Workspace)
	writable, readonly := repositoryBinds(p.Workspace)
	bind("--bind", writable...)
	bind("--ro-bind", readonly...)
	bind("--ro-bind", apart(p.Services, append(outer, p.Workspace)...)...)
	s.program = args
	// The network namespace is the command's own, or the network is allowed.
	families := []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	s.NotEnforced = []string{
		"making git's hooks or configuration where there are none yet, and hooks that a repository keeps among its files",
	}
	if len(p.Services) > 0 {
		families = append(families, unix.AF_UNIX)
		s.NotEnforced = append(s.NotEnforced, "connecting to sockets of services that are not named, outside of /run and /tmp")
	}
	s.filter = newFilter(families, false).encode()
	return nil
}

// privileges returns the options that say which rights of root a command keeps.
func privileges() (args []string) {
	if unix.Geteuid() != 0 {
		return nil // bwrap makes a user namespace, in which commands have none
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

// shown returns the options that show a system directory, which may be a link: /bin is
// one to usr/bin.
func shown(dir string) []string {
	if target, err := os.Readlink(dir); err == nil {
		return []string{"--symlink", target, dir}
	}
	return []string{"--ro-bind", dir, dir}
}

// repositoryBinds returns the directories that git writes for the workspace, each bound so
// that it cannot be moved away, and what in them is not to be changed.
func repositoryBinds(dir string) (writable, readonly []string) {
	own, common := ignore.Repository(dir)
	if own == "" {
		return nil, nil
	}
	writable = []string{common}
	if !strings.HasPrefix(own, common+"/") && own != common {
		writable = append(writable, own)
	}
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.Mode().IsRegular() {
		readonly = append(readonly, filepath.Join(dir, ".git"))
	}
	readonly = append(readonly, existing(join(common, "hooks", "config", "config.worktree")...)...)
	if own != common {
		readonly = append(readonly, existing(join(own, "config.worktree", "commondir", "gitdir")...)...)
	}
	return writable, slices.DeleteFunc(readonly, isLink)
}

// isLink reports whether a path is a link, which nothing can be bound to.
func isLink(path string) bool {
	_, err := os.Readlink(path)
	return err == nil
}
