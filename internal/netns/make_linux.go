//go:build amd64 || arm64

package netns

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxPorts bounds how many listeners a namespace has.
const maxPorts = 4

// backlog is how many connections of a command may wait to be accepted.
const backlog = 512

// New makes a namespace, brings its loopback up, and listens at these ports of its address 127.0.0.1; 0 stands for any
// port that is free. The error says which step failed, and which setting refuses it if one does.
func New(ports ...int) (*Namespace, error) { return newNamespace(!mayMake(), ports) }

func newNamespace(withUser bool, ports []int) (*Namespace, error) {
	if len(ports) > maxPorts {
		return nil, fmt.Errorf("netns: more than %d ports", maxPorts)
	}
	m := newMaking(withUser, ports)
	var pid, errno uintptr
	run := func() error {
		return unsignaled(func(uint64) {
			if pid, errno = m.vfork(); errno == 0 {
				reap(int(pid), unix.WALL)
			}
		})
	}
	if withUser {
		run = dumpable(run)
	}
	err := run()
	runtime.KeepAlive(m)
	if errno != 0 {
		m.failed = failure{makingNamespaces, errno}
	}
	if err == nil && m.failed.errno != 0 {
		err = m.explain()
	}
	n := &Namespace{net: file(m.net, "net"), user: file(m.user, "user")}
	for _, fd := range m.sockets[:len(ports)] {
		f := file(fd, "listener")
		if err == nil {
			var l net.Listener
			if l, err = net.FileListener(f); err == nil {
				n.listeners = append(n.listeners, l)
			}
		}
		f.Close()
	}
	if err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// file returns nil for -1. Closing that does nothing.
func file(fd int32, name string) *os.File {
	if fd < 0 {
		return nil
	}
	return os.NewFile(uintptr(fd), name)
}

// dumping is held while this program is made dumpable.
var dumping sync.Mutex

// dumpable returns f, during which this program is dumpable, as the child is then that shares its memory: the files in
// /proc of a process that is not belong to root, and the child could not write its ids (PR_SET_DUMPABLE of prctl(2)).
// For less than a millisecond, another process of the user may open this program's memory. Commands cannot: those that
// have a namespace have a sandbox, and neither Landlock nor the namespaces of bwrap let them look at a process outside.
func dumpable(f func() error) func() error {
	return func() error {
		dumping.Lock()
		defer dumping.Unlock()
		if is, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err == nil && is != 1 {
			if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
				return os.NewSyscallError("prctl", err)
			}
			defer unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
		}
		return f()
	}
}

// mayMake reports whether this program may make network namespaces.
func mayMake() bool {
	var data [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return unix.Capget(&header, &data[0]) == nil && data[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// The steps of making a namespace.
const (
	makingNamespaces = iota
	mapping          // the ids of the user namespace
	opening          // the namespaces in /proc
	loopback
	listening
)

// explain returns the error for the step that failed.
func (m *making) explain() error {
	step := [...]string{
		"making a network namespace", "writing the ids of a user namespace", "opening namespaces in /proc",
		"bringing loopback up", "listening on loopback",
	}[m.failed.step]
	err := fmt.Errorf("netns: %s: %w", step, unix.Errno(m.failed.errno))
	if m.flags&unix.CLONE_NEWUSER == 0 || m.failed.step > loopback {
		return err
	}
	if name, value := Refusing(); name != "" {
		return fmt.Errorf("%w (%s is %s, which keeps programs without rights from making namespaces); an administrator can change that",
			err, name, value)
	}
	if m.failed.step == mapping && (errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM)) {
		return fmt.Errorf("%w (a security module refuses it, or /proc is not writable: an administrator can allow this program "+
			"user namespaces in its AppArmor or SELinux profile, or mount /proc as usual in a container)", err)
	}
	if errors.Is(err, unix.ENOSPC) {
		return fmt.Errorf("%w (see user.max_user_namespaces and user.max_net_namespaces)", err)
	}
	return fmt.Errorf("%w (in a container, see its filter of system calls)", err)
}

// making is what the child that makes a namespace reads, and what it writes, in memory that it shares.
type making struct {
	flags   uintptr
	maps    [3]mapped // of a user namespace
	ports   [maxPorts]uint16
	count   int // of the ports
	netPath *byte
	usrPath *byte

	net, user int32 // the descriptors that the child opened, or -1
	sockets   [maxPorts]int32
	failed    failure
}

// mapped is a file of a user namespace and what the child writes to it.
type mapped struct{ path, text []byte }

func newMaking(withUser bool, ports []int) *making {
	m := &making{
		flags: unix.CLONE_VM | unix.CLONE_VFORK | unix.CLONE_FILES | unix.CLONE_NEWNET,
		count: len(ports), net: -1, user: -1, netPath: cString("/proc/self/ns/net"), usrPath: cString("/proc/self/ns/user"),
	}
	for i, port := range ports {
		m.ports[i] = uint16(port)<<8 | uint16(port)>>8
	}
	for i := range m.sockets {
		m.sockets[i] = -1
	}
	if !withUser {
		return m
	}
	m.flags |= unix.CLONE_NEWUSER
	// The user keeps the own id, so that files keep their owner. A process without rights can map no other.
	for i, f := range []struct{ name, text string }{
		{"setgroups", "deny"},
		{"uid_map", fmt.Sprintf("%d %[1]d 1\n", os.Geteuid())},
		{"gid_map", fmt.Sprintf("%d %[1]d 1\n", os.Getegid())},
	} {
		m.maps[i] = mapped{path: []byte("/proc/self/" + f.name + "\x00"), text: []byte(f.text)}
	}
	return m
}

func cString(s string) *byte { return &append([]byte(s), 0)[0] }

// vfork makes the child, which ends before vfork returns. It is not reaped then.
//
//go:noinline
//go:norace
//go:nocheckptr
func (m *making) vfork() (pid, errno uintptr) {
	pid, errno = rawVfork(unix.SYS_CLONE, m.flags, 0)
	if errno != 0 || pid != 0 {
		return pid, errno
	}
	m.child()
	for {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
}

// child does the steps up to the first that fails. See rawVfork for what it must not do.
//
//go:noinline
//go:nosplit
//go:norace
//go:nocheckptr
func (m *making) child() {
	var fd, errno uintptr
	m.failed.step = mapping
	if m.flags&unix.CLONE_NEWUSER != 0 {
		for i := range m.maps {
			if errno = m.maps[i].write(); errno != 0 {
				m.failed.errno = errno
				return
			}
		}
		m.failed.step = opening
		if fd, errno = openPath(m.usrPath, unix.O_RDONLY); errno != 0 {
			m.failed.errno = errno
			return
		}
		m.user = int32(fd)
	}
	m.failed.step = opening
	if fd, errno = openPath(m.netPath, unix.O_RDONLY); errno != 0 {
		m.failed.errno = errno
		return
	}
	m.net = int32(fd)
	m.failed.step = loopback
	if m.failed.errno = loopbackUp(); m.failed.errno != 0 {
		return
	}
	m.failed.step = listening
	for i := 0; i < m.count; i++ {
		fd, errno = listen(m.ports[i])
		m.sockets[i] = int32(fd)
		if errno != 0 {
			m.failed.errno = errno
			return
		}
	}
}

//go:nosplit
//go:norace
//go:nocheckptr
func (f *mapped) write() (errno uintptr) {
	fd, errno := openPath(&f.path[0], unix.O_WRONLY)
	if errno != 0 {
		return errno
	}
	_, _, e := syscall.RawSyscall(unix.SYS_WRITE, fd, uintptr(unsafe.Pointer(&f.text[0])), uintptr(len(f.text)))
	syscall.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	return uintptr(e)
}

//go:nosplit
//go:norace
//go:nocheckptr
func openPath(path *byte, how uintptr) (fd, errno uintptr) {
	at := unix.AT_FDCWD
	fd, _, e := syscall.RawSyscall6(unix.SYS_OPENAT,
		uintptr(at), uintptr(unsafe.Pointer(path)), how|unix.O_CLOEXEC, 0, 0, 0)
	return fd, uintptr(e)
}

// interfaceFlags is struct ifreq with flags.
type interfaceFlags struct {
	name  [unix.IFNAMSIZ]byte
	flags uint16
	_     [22]byte
}

//go:nosplit
//go:norace
//go:nocheckptr
func loopbackUp() (errno uintptr) {
	fd, _, e := syscall.RawSyscall(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if e != 0 {
		return uintptr(e)
	}
	var request interfaceFlags
	request.name[0], request.name[1], request.flags = 'l', 'o', unix.IFF_UP|unix.IFF_RUNNING
	_, _, e = syscall.RawSyscall(unix.SYS_IOCTL, fd, unix.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
	syscall.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	return uintptr(e)
}

// listen listens at a port in network byte order. fd is -1 if there is no socket.
//
//go:nosplit
//go:norace
//go:nocheckptr
func listen(port uint16) (fd, errno uintptr) {
	fd, _, e := syscall.RawSyscall(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if e != 0 {
		return ^uintptr(0), uintptr(e)
	}
	var address unix.RawSockaddrInet4
	address.Family, address.Port = unix.AF_INET, port
	address.Addr[0], address.Addr[3] = 127, 1
	_, _, e = syscall.RawSyscall(unix.SYS_BIND, fd, uintptr(unsafe.Pointer(&address)), unsafe.Sizeof(address))
	if e == 0 {
		_, _, e = syscall.RawSyscall(unix.SYS_LISTEN, fd, backlog, 0)
	}
	return fd, uintptr(e)
}
