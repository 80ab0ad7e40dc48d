//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// target is what an escape aims at, all of it outside.
type target struct {
	Dir       string // holds the files f1 to f9
	Workspace string
	Host      int // the process of the test
	Held      int // a descriptor of f1 that the host has open for writing
	Victim    int // another process of the same user
	TCP, UDP  string
	Unix      string // a socket for streams
	Datagram  string // one for datagrams
	Abstract  string
	SetUID    string // a program of user 65534
	FIFO      string // which the host reads
	IPC       ipc    // what other programs share
}

// escape is an attempt. It returns nil if it came out.
type escape struct {
	name string
	try  func(target) error
	root bool   // only root can, without a sandbox
	may  bool   // even without a sandbox the system may refuse it
	gap  string // what NotEnforced of an engine says that does not refuse it
}

const (
	metadata = "changing the mode, owner, times and attributes"
	gitFiles = "git's hooks"
)

var escapes = []escape{
	{name: "write", try: func(t target) error { return write(t.Dir + "/f1") }},
	{name: "create", try: func(t target) error { return os.WriteFile(t.Dir+"/new", nil, 0o600) }},
	{name: "create beside the workspace", try: func(t target) error { return os.WriteFile("../beside", nil, 0o600) }},
	{name: "truncate", try: func(t target) error { return os.Truncate(t.Dir+"/f2", 0) }},
	{name: "remove", try: func(t target) error { return os.Remove(t.Dir + "/f3") }},
	{name: "make a directory", try: func(t target) error { return os.Mkdir(t.Dir+"/dir", 0o700) }},
	{name: "make a link", try: func(t target) error { return os.Symlink("f1", t.Dir+"/link") }},
	{name: "make a FIFO", try: func(t target) error { return unix.Mkfifo(t.Dir+"/fifo", 0o600) }},
	{name: "rename out of the workspace", try: func(t target) error {
		os.WriteFile("inside", nil, 0o600)
		return os.Rename("inside", t.Dir+"/moved")
	}},
	{name: "rename into the workspace", try: func(t target) error { return os.Rename(t.Dir+"/f4", "taken") }},
	{name: "exchange", try: func(t target) error {
		os.WriteFile("exchanged", nil, 0o600)
		return unix.Renameat2(unix.AT_FDCWD, "exchanged", unix.AT_FDCWD, t.Dir+"/f5", unix.RENAME_EXCHANGE)
	}},
	{name: "hard link", try: func(t target) error {
		os.Remove("linked")
		return first(os.Link(t.Dir+"/f1", "linked"), write("linked"))
	}},
	{name: "symbolic link", try: func(t target) error {
		os.Symlink(t.Dir+"/f1", "symbolic")
		return write("symbolic")
	}},
	{name: "dot dot", try: func(t target) error {
		rel, err := filepath.Rel(t.Workspace, t.Dir+"/f1")
		return first(err, write(rel))
	}},
	{name: "/proc/self/root", try: func(t target) error { return write("/proc/self/root" + t.Dir + "/f1") }},
	{name: "/proc/PID/root", try: func(t target) error { return write(fmt.Sprintf("/proc/%d/root%s/f1", t.Victim, t.Dir)) }},
	{name: "/proc/PID/cwd", try: func(t target) error { return write(fmt.Sprintf("/proc/%d/cwd/f1", t.Victim)) }},
	{name: "/proc/PID/fd", try: func(t target) error { return write(fmt.Sprintf("/proc/%d/fd/%d", t.Host, t.Held)) }},
	{name: "/proc/PID/mem", try: func(t target) error { return openFor(fmt.Sprintf("/proc/%d/mem", t.Victim), os.O_RDWR) }},
	{name: "/proc/PID/environ", try: func(t target) error {
		_, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", t.Victim))
		return err
	}},
	{name: "inherited descriptor", try: func(t target) error { _, err := unix.Write(t.Held, []byte("x")); return err }},
	{name: "chmod", gap: metadata, try: func(t target) error { return os.Chmod(t.Dir+"/f6", 0o640) }},
	{name: "chown", gap: metadata, try: func(t target) error { return os.Chown(t.Dir+"/f6", os.Getuid(), os.Getgid()) }},
	{name: "utimes", gap: metadata, try: func(t target) error { return os.Chtimes(t.Dir+"/f6", time.Unix(1, 0), time.Unix(1, 0)) }},
	{name: "extended attribute", may: true, gap: metadata, try: func(t target) error { return unix.Setxattr(t.Dir+"/f6", "user.x", []byte("y"), 0) }},
	{name: "sysctl", root: true, may: true, try: func(target) error { return openFor("/proc/sys/kernel/printk", os.O_WRONLY) }},
	{name: "make a device", root: true, may: true, try: func(target) error {
		os.Remove("device")
		return unix.Mknod("device", unix.S_IFCHR|0o600, 1<<8|3)
	}},

	{name: "TCP", try: func(t target) error { return dial("tcp", t.TCP) }},
	{name: "UDP", try: func(t target) error { return dial("udp", t.UDP) }},
	{name: "raw socket", root: true, try: func(target) error { return open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) }},
	{name: "packet socket", root: true, try: func(target) error { return open(unix.AF_PACKET, unix.SOCK_RAW, 0) }},
	{name: "AF_ALG", may: true, try: func(target) error { return open(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) }},
	{name: "Unix socket", try: func(t target) error { return dial("unix", t.Unix) }},
	{name: "abstract socket", try: func(t target) error { return dial("unix", t.Abstract) }},
	{name: "pair of datagram sockets", try: func(t target) error {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: t.Datagram})
	}},
	{name: "pair of stream sockets, connected again", may: true, try: func(t target) error {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		unix.Close(pair[1])
		return unix.Connect(pair[0], &unix.SockaddrUnix{Name: t.Unix})
	}},

	{name: "limit of a process", try: func(t target) error {
		var limit unix.Rlimit
		return unix.Prlimit(t.Victim, unix.RLIMIT_CORE, nil, &limit)
	}},
	{name: "ptrace", may: true, try: func(t target) error {
		err := unix.PtraceAttach(t.Victim)
		if err == nil {
			unix.Wait4(t.Victim, nil, unix.WALL, nil)
			unix.PtraceDetach(t.Victim)
		}
		return err
	}},
	{name: "process_vm_readv", may: true, try: func(t target) error {
		var local [1]byte
		_, err := unix.ProcessVMReadv(t.Victim, []unix.Iovec{{Base: &local[0], Len: 1}}, []unix.RemoteIovec{{Base: 0x400000, Len: 1}}, 0)
		if errors.Is(err, unix.EFAULT) { // it was looked at
			return nil
		}
		return err
	}},
	{name: "signal", try: func(t target) error { return unix.Kill(t.Victim, unix.SIGKILL) }},

	{name: "setuid program", root: true, may: true, try: func(t target) error {
		out, err := exec.Command(t.SetUID).Output()
		if string(out) != "65534" {
			err = errors.Join(err, errors.New("it ran as user "+string(out)))
		}
		return err
	}},
	{name: "mount", root: true, may: true, try: func(t target) error {
		os.Mkdir("mounted", 0o700)
		return first(unix.Mount("none", "mounted", "tmpfs", 0, ""), unix.Unmount("mounted", unix.MNT_DETACH))
	}},
	{name: "unshare", root: true, may: true, try: func(target) error { return inThread(func() error { return unix.Unshare(unix.CLONE_NEWUTS) }) }},
	{name: "namespace by clone", may: true, try: func(target) error { return again("nothing", unix.CLONE_NEWUSER) }},
	{name: "namespace by clone3", may: true, gap: "clone3", try: func(target) error { return again("nothing", unix.CLONE_NEWUSER|unix.CLONE_NEWTIME) }},
	{name: "mount in a namespace", may: true, try: func(target) error { return again("mount", unix.CLONE_NEWUSER|unix.CLONE_NEWNS|unix.CLONE_NEWTIME) }},
	{name: "setns", root: true, may: true, try: func(t target) error {
		f, err := os.Open(fmt.Sprintf("/proc/%d/ns/uts", os.Getpid()))
		return first(err, inThread(func() error { return unix.Setns(int(f.Fd()), unix.CLONE_NEWUTS) }))
	}},
	{name: "chroot", root: true, may: true, try: func(target) error { return inThread(func() error { return unix.Chroot("/") }) }},
	{name: "io_uring", may: true, try: func(target) error {
		var params [120]byte
		return call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
	}},
	{name: "keyring", may: true, try: func(target) error { return call(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, ^uintptr(2), 0) }}, // -3 is the session's
	{name: "bpf", may: true, try: func(target) error { return unlessPermitted(call(unix.SYS_BPF, 0, 0, 0)) }},
	{name: "userfaultfd", may: true, try: func(target) error { return unlessPermitted(call(unix.SYS_USERFAULTFD, 1, 0, 0)) }},
	{name: "TIOCSTI", try: func(target) error { return unlessPermitted(call(unix.SYS_IOCTL, 0, unix.TIOCSTI, 0)) }},
	{name: "TIOCSTI with a longer number", may: true, try: func(target) error {
		return unlessPermitted(call(unix.SYS_IOCTL, 0, unix.TIOCSTI|1<<16<<16, 0))
	}},

	{name: "hook of git", gap: gitFiles, try: func(t target) error { return os.WriteFile(".git/hooks/pre-commit", []byte("#!/bin/sh\n"), 0o700) }},
	{name: "configuration of git", gap: gitFiles, try: func(t target) error { return write(".git/config") }},
	{name: "replaced repository", gap: gitFiles, try: func(t target) error { return first(os.Rename(".git", "git"), os.Rename("git", ".git")) }},
}

// attempt makes all attempts, and prints what came of each.
func attempt(about string) {
	var t target
	if err := json.Unmarshal([]byte(about), &t); err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range escapes {
		outcome := "escaped"
		if err := e.try(t); err != nil {
			outcome = err.Error()
		}
		fmt.Printf("%s\t%s\n", e.name, outcome)
	}
	if err := again("later", 0); err != nil {
		fmt.Println(err)
	}
}

const (
	attemptVariable = "TEST_ESCAPES" // the target, as JSON
	roleVariable    = "TEST_ROLE"
)

// again starts this program in another role, in new namespaces.
func again(role string, namespaces uintptr) error {
	attr := &syscall.SysProcAttr{Cloneflags: namespaces, Setsid: true}
	if namespaces&unix.CLONE_NEWUSER != 0 {
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		if role == "nothing" { // the namespace itself is what counts
			attr.UidMappings, attr.GidMappings = nil, nil
		}
	}
	cmd := exec.Command(os.Args[0])
	cmd.SysProcAttr, cmd.Env = attr, append(os.Environ(), roleVariable+"="+role)
	if role == "later" {
		return cmd.Start()
	}
	return cmd.Run()
}

// play is the main function of a program with a role. It returns the exit code.
func play(role string) int {
	switch role {
	case "mount":
		os.Mkdir("mounted", 0o700)
		if unix.Mount("none", "mounted", "tmpfs", 0, "") != nil {
			return 1
		}
	case "exchange":
		if unix.Renameat2(unix.AT_FDCWD, os.Args[1], unix.AT_FDCWD, os.Args[2], unix.RENAME_EXCHANGE) != nil {
			return 1
		}
	case "host": // until it is killed
		cfg, err := config.FromEnv(config.Config{})
		if err == nil {
			var s *tools.Suite
			if s, err = tools.New(cfg, all.Parts()...); err == nil {
				var res tools.BashResult
				res, err = s.Bash(context.Background(), tools.BashParams{Command: "setsid sleep 1000 >/dev/null 2>&1 &"})
				json.NewEncoder(os.Stdout).Encode(res.BackgroundPids)
			}
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
		select {}
	case "later": // when the command has ended
		for unix.Access("ended", unix.F_OK) != nil {
			time.Sleep(10 * time.Millisecond)
		}
		var t target
		json.Unmarshal([]byte(os.Getenv(attemptVariable)), &t)
		err := os.WriteFile(t.Dir+"/later", nil, 0o600)
		os.WriteFile("late.part", []byte(fmt.Sprint(err)), 0o600)
		os.Rename("late.part", "late")
	}
	return 0
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func openFor(path string, flag int) error {
	f, err := os.OpenFile(path, flag, 0)
	if err == nil {
		f.Close()
	}
	return err
}

// write adds nothing to a file.
func write(path string) error { return openFor(path, os.O_WRONLY|os.O_APPEND) }

func open(family, kind, protocol int) error {
	fd, err := unix.Socket(family, kind, protocol)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// dial gets an answer.
func dial(network, address string) error {
	conn, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	conn.Write([]byte("x"))
	_, err = conn.Read(make([]byte, 1))
	return err
}

func call(number, a, b, c uintptr) error {
	if _, _, errno := unix.Syscall(number, a, b, c); errno != 0 {
		return errno
	}
	return nil
}

// unlessPermitted takes any answer of a system call but EPERM for one that came through.
func unlessPermitted(err error) error {
	if errors.Is(err, unix.EPERM) {
		return err
	}
	return nil
}

// inThread runs f on a thread that ends with it.
func inThread(f func() error) error {
	result := make(chan error)
	go func() {
		lockThread()
		result <- f()
	}()
	return <-result
}

func tostring(n int) string { return strconv.Itoa(n) }
