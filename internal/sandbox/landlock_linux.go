//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/ignore"
)

const (
	// changing is to change a directory; MAKE_CHAR and MAKE_BLOCK are allowed nowhere.
	changing = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	devices     = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	writing     = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	readingFile = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	reading     = readingFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// ofFiles are the rights to what is not a directory.
	ofFiles = writing | readingFile
)

// since are the rights that came after the first ABI.
var since = map[int]uint64{2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV}

// lacking is what the kernel does not prevent before an ABI.
var lacking = []struct {
	abi  int
	what string
}{
	{3, "truncating files outside of the workspace"},
	{5, "ioctl on devices"},
	{6, "signals to processes outside"},
}

// devicesInUse are those that programs open for writing.
var devicesInUse = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm"}

// landlock makes the ruleset. The rules hold the directories themselves, whatever their
// names come to mean.
func (s *Sandbox) landlock(p Policy) (err error) {
	if s.ABI, err = landlockABI(); err != nil {
		return err
	}
	s.inside = s.temp
	handled := uint64(changing | devices | writing)
	for abi, right := range since {
		if s.ABI < abi {
			handled &^= right
		}
	}
	if len(p.Readable) > 0 {
		handled |= reading
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	if s.ABI >= 4 && !p.Network {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if s.ABI >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	// Those that came later are no part of what an older kernel knows.
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Offsetof(attr.Quiet_access_fs), 0)
	if errno != 0 {
		return fmt.Errorf("no ruleset: %w", errno)
	}
	s.rules = os.NewFile(fd, "landlock")
	readable := append(append(systemDirs, p.Readable...), p.Visible...)
	writable := append([]string{p.Workspace, s.temp}, p.Writable...)
	for _, rule := range []struct {
		paths  []string
		rights uint64
	}{
		{append(writable, repositoryParts(p.Workspace)...), changing | writing | reading},
		{existing(devicesInUse...), changing | writing | reading},
		{existing(readable...), reading},
		{p.Services, writing},
	} {
		for _, path := range rule.paths {
			if err := s.allow(path, rule.rights&handled); err != nil {
				return fmt.Errorf("no rule for %s: %w", path, err)
			}
		}
	}
	var families []uint32
	if len(p.Services) > 0 {
		families = append(families, unix.AF_UNIX)
	}
	if p.Network {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
	s.filters = [2]filter{newFilter(families, false), newFilter(families, true)}
	s.NotEnforced = s.landlockGaps(p)
	return nil
}

func (s *Sandbox) landlockGaps(p Policy) []string {
	gaps := []string{
		"changing the mode, owner, times and attributes of files outside of the workspace",
		"writing to git's hooks and configuration in the workspace",
		"writing to /dev/shm",
		"changing the priority and the processors of the user's other processes",
		"making a user namespace with clone3 where commands run in control groups; nothing can be mounted or connected in it",
	}
	for _, l := range lacking {
		if s.ABI < l.abi {
			gaps = append(gaps, l.what)
		}
	}
	if len(p.Services) > 0 {
		gaps = append(gaps, "connecting to sockets of services that are not named")
	}
	return gaps
}

// repositoryParts returns what git writes for the workspace, a linked worktree, in a
// repository elsewhere: not its hooks and its configuration.
func repositoryParts(dir string) []string {
	own, common := ignore.Repository(dir)
	if own == "" || strings.HasPrefix(own, dir+"/") {
		return nil
	}
	if own == common { // a submodule
		return []string{own}
	}
	return append(existing(join(common, "objects", "refs", "logs")...), own)
}

// allow adds a rule.
func (s *Sandbox) allow(path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFiles
	}
	if rights == 0 {
		return nil
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, s.rules.Fd(), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// restrict puts this thread under the ruleset.
func (s *Sandbox) restrict() error {
	_, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, s.rules.Fd(), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// landlockABI returns what the kernel knows of Landlock.
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == 0:
		return int(abi), nil
	case errors.Is(errno, unix.ENOSYS):
		return 0, errors.New("this kernel has no Landlock: it takes Linux 5.13, built with CONFIG_SECURITY_LANDLOCK, and no container that forbids it")
	case errors.Is(errno, unix.EOPNOTSUPP):
		return 0, errors.New("it is off: add landlock to the kernel's parameter lsm=")
	}
	return 0, fmt.Errorf("it cannot be used, perhaps because of the container's filter of system calls: %w", errno)
}
