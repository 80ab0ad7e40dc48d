//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// filter is a seccomp program.
type filter []unix.SockFilter

// The offsets in struct seccomp_data. The filter compares the lower half of arguments, which the
// kernel takes for ints; of a pointer it compares both halves.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

const (
	refuse  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	allow   = unix.SECCOMP_RET_ALLOW
)

// namespaces are the flags of clone that make a namespace.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// refused are the system calls that no command may make. Most also need a capability that
// commands do not have; refusing them leaves less of the kernel to attack.
var refused = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
}

// ipc are the system calls for System V and POSIX objects that programs share without a file.
// Refusing only those that open such objects would not do, because most of the others take any
// number that another program was given.
var ipc = []uint32{
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK, unix.SYS_MQ_TIMEDSEND, unix.SYS_MQ_TIMEDRECEIVE,
	unix.SYS_MQ_NOTIFY, unix.SYS_MQ_GETSETATTR,
}

// newFilter returns the filter that refuses these system calls, and sockets of other families
// than these. A filter cannot see the flags of clone3, so without clone3 that call does not
// exist, and programs use clone instead. Go needs clone3 to start a command in a control group.
func newFilter(refused, families []uint32, clone3 bool) filter {
	f := filter{
		load(offsetArch), jump(unix.BPF_JEQ, auditArch, 1, 0), ret(unix.SECCOMP_RET_KILL_PROCESS),
		load(offsetNumber), jump(unix.BPF_JGE, 1<<30, 0, 1), ret(unknown), // the calls of x32
	}
	for _, number := range refused {
		f.on(number, ret(refuse))
	}
	if !clone3 {
		f.on(unix.SYS_CLONE3, ret(unknown))
	}
	f.on(unix.SYS_CLONE, load(offsetArgs), jump(unix.BPF_JSET, namespaces, 0, 1), ret(refuse), ret(allow))
	f.on(unix.SYS_IOCTL, load(offsetArgs+8), jump(unix.BPF_JEQ, unix.TIOCSTI, 1, 0),
		jump(unix.BPF_JEQ, unix.TIOCLINUX, 0, 1), ret(refuse), ret(allow))
	// Landlock does not protect the limits of the user's other processes. RLIMIT_RTTIME identifies
	// the processes of a command, which may read it (the new limit is null then) but not set it.
	f.on(unix.SYS_PRLIMIT64, load(offsetArgs), jump(unix.BPF_JEQ, 0, 0, 6),
		load(offsetArgs+8), jump(unix.BPF_JEQ, unix.RLIMIT_RTTIME, 0, 5),
		load(offsetArgs+16), jump(unix.BPF_JEQ, 0, 0, 2), load(offsetArgs+20), jump(unix.BPF_JEQ, 0, 1, 0),
		ret(refuse), ret(allow))
	f.on(unix.SYS_SETRLIMIT, load(offsetArgs), jump(unix.BPF_JEQ, unix.RLIMIT_RTTIME, 0, 1), ret(refuse), ret(allow))
	f.on(unix.SYS_SOCKET, oneOf(0, ^uint32(0), families)...)
	// A datagram socket of a pair can send to any other socket; a stream socket cannot.
	f.on(unix.SYS_SOCKETPAIR, oneOf(8, 0xf, []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET})...)
	return append(f, ret(allow))
}

// on adds instructions for a system call. The last one must return.
func (f *filter) on(number uint32, do ...unix.SockFilter) {
	*f = append(*f, jump(unix.BPF_JEQ, number, 0, uint8(len(do))))
	*f = append(*f, do...)
}

// oneOf allows a call whose argument, masked, has one of the values.
func oneOf(offset, mask uint32, values []uint32) filter {
	f := filter{load(offsetArgs + offset), {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask}}
	for i, v := range values {
		f = append(f, jump(unix.BPF_JEQ, v, uint8(len(values)-i), 0))
	}
	return append(f, ret(refuse), ret(allow))
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(how uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, K: k, Jt: yes, Jf: no}
}

func ret(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }

// encode returns the filter in the form that the kernel and bwrap read.
func (f filter) encode() []byte {
	b, _ := binary.Append(nil, binary.NativeEndian, f) // of fixed size: no error
	return b
}
