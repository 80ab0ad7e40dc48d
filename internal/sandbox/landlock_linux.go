//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// changing are the rights to change a directory.
	changing = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	// devices are the rights to make devices, which no rule gives.
	devices = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	writing = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	readingFile = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	reading     = readingFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// fileRights are the rights that apply to anything but a directory.
	fileRights = writing | readingFile
)

// since holds the rights that came after the first ABI, by their ABI.
var since = map[int]uint64{
	2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
}

// lacking lists what the kernel does not prevent before an ABI.
var lacking = []struct {
	abi  int
	what string
}{
	{3, "truncating files outside of the workspace"},
	{5, "ioctl on devices"},
	{6, "signals to processes outside"},
}

// devicesInUse are the devices that programs open for writing.
var devicesInUse = []string{
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm",
}

// landlock makes the filters and the first ruleset.
func (s *Sandbox) landlock(p Policy) (err error) {
	if len(p.ReadOnly) > 0 { // a rule gives rights below a directory, and none takes them away again
		return errReadOnly
	}
	if s.ABI, err = landlockABI(); err != nil {
		return err
	}
	s.inside = s.temp
	if s.rules, s.root, err = s.newRules(); err != nil {
		return err
	}
	var families []uint32
	if len(p.Services) > 0 {
		families = append(families, unix.AF_UNIX)
	}
	if p.Network || p.OwnNetwork {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
	refused := slices.Concat(refused, ipc) // with bwrap, commands have an IPC namespace instead
	s.filters = [2][]byte{newFilter(refused, families, false).encode(), newFilter(refused, families, true).encode()}
	s.NotEnforced = s.landlockGaps(p)
	return nil
}

// handled returns the rights that a command has only where a rule gives them.
func (s *Sandbox) handled() uint64 {
	handled := uint64(changing | devices | writing)
	for abi, right := range since {
		if s.ABI < abi {
			handled &^= right
		}
	}
	if len(s.policy.Readable) > 0 {
		handled |= reading
	}
	return handled
}

// newRules makes a ruleset, which applies to the directories themselves, whatever is at their
// paths later. root is the workspace, held open.
func (s *Sandbox) newRules() (rules, root *os.File, err error) {
	p, handled := s.policy, s.handled()
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	if s.ABI >= 4 && !p.Network && !p.OwnNetwork { // what is not confined by a namespace
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if s.ABI >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	// Older kernels do not know the later fields of attr.
	fd, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Offsetof(attr.Quiet_access_fs), 0)
	if errno != 0 {
		return nil, nil, fmt.Errorf("no ruleset: %w", errno)
	}
	rules = os.NewFile(fd, "landlock")
	defer func() {
		if err != nil {
			rules.Close()
			root.Close()
		}
	}()
	if root, err = openDir(p.Workspace); err != nil {
		return rules, root, err
	}
	if err := addRule(rules, root, changing|writing|reading, handled); err != nil {
		return rules, root, fmt.Errorf("no rule for %s: %w", p.Workspace, err)
	}
	outer := apart(p.Writable, p.Workspace)
	parts, gitDir, err := s.openGitDir()
	if err != nil {
		return rules, root, err
	}
	defer closeAll(parts)
	for _, part := range parts {
		if err := addRule(rules, part, changing|writing|reading, handled); err != nil {
			return rules, root, fmt.Errorf("no rule for %s: %w", part.Name(), err)
		}
	}
	s.Writable = slices.Concat(outer, names(parts))
	read := apart(slices.Concat(p.Readable, p.Visible, gitDir), append(outer, p.Workspace)...)
	for _, rule := range []struct {
		paths  []string
		rights uint64
	}{
		{slices.Concat([]string{s.temp}, existing(devicesInUse...), outer), changing | writing | reading},
		{existing(slices.Concat(systemDirs, read)...), reading},
	} {
		for _, path := range rule.paths {
			if err := addRuleFor(rules, path, rule.rights, handled); err != nil {
				return rules, root, fmt.Errorf("no rule for %s: %w", path, err)
			}
		}
	}
	return rules, root, nil
}

// Rules returns the ruleset for Enter. It makes a new one if another directory, which is not a
// link, has taken the workspace's place. It must not be called on a thread with its own
// descriptors.
func (s *Sandbox) Rules() (*os.File, error) {
	if s.Engine != Landlock {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	root, err := openDir(s.policy.Workspace)
	if err != nil {
		return s.rules, nil // the old rules allow nothing new
	}
	defer root.Close()
	was, err := s.root.Stat()
	is, failed := root.Stat()
	if err := errors.Join(err, failed); err != nil || os.SameFile(was, is) {
		return s.rules, err
	}
	rules, held, err := s.newRules()
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	s.root.Close()
	s.rules, s.root = rules, held // a start may still use the old rules; the garbage collector closes them
	return rules, nil
}

// openDir opens a directory whose path does not end in a link.
func openDir(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

func (s *Sandbox) landlockGaps(p Policy) []string {
	gaps := []string{
		"changing the mode, owner, times and attributes of files outside of the workspace",
		"writing to git's hooks and configuration in the workspace and in the git directory that WriteGitDir opens",
		"writing to /dev/shm",
		"changing the priority and the processors of the user's other processes",
		"making a user namespace with clone3 where commands run in control groups; nothing can be mounted or connected in it",
		"starting processes with clone3 in another control group that the user may write to, " +
			"out of reach of the command's limit of processes",
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

// addRuleFor adds a rule for what is at a path.
func addRuleFor(rules *os.File, path string, rights, handled uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return addRule(rules, f, rights, handled)
}

// addRule adds a rule that gives those of the rights that are handled.
func addRule(rules, f *os.File, rights, handled uint64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	rights &= handled
	if !info.IsDir() {
		rights &= fileRights
	}
	if rights == 0 {
		return nil
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(f.Fd())}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE,
		rules.Fd(), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	return errorOf(errno)
}

// restrict puts this thread under a ruleset.
func restrict(rules *os.File) error {
	_, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules.Fd(), 0, 0)
	return errorOf(errno)
}

// errorOf returns nil for 0, which as an error would not be nil.
func errorOf(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

// landlockABI returns the version of Landlock in the kernel.
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == 0:
		return int(abi), nil
	case errors.Is(errno, unix.ENOSYS):
		return 0, errors.New("this kernel has no Landlock: it takes Linux 5.13, " +
			"built with CONFIG_SECURITY_LANDLOCK, and no container that forbids it")
	case errors.Is(errno, unix.EOPNOTSUPP):
		return 0, errors.New("it is off: add landlock to the kernel's parameter lsm=")
	}
	return 0, fmt.Errorf(
		"it cannot be used, perhaps because of the container's filter of system calls: %w", errno)
}
