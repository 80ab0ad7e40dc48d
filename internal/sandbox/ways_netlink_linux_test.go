//go:build amd64 || arm64

package sandbox_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// enterNet enters the network namespace at a path.
func enterNet(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return inThread(func() error { return unix.Setns(int(f.Fd()), unix.CLONE_NEWNET) })
}

// inherited looks for a socket or a namespace among the descriptors that this process was given.
func inherited() error {
	for fd := 3; fd < 256; fd++ {
		link, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if err == nil && (strings.HasPrefix(link, "socket:") || strings.HasPrefix(link, "net:") || strings.HasPrefix(link, "user:")) {
			return nil
		}
	}
	return errors.New("none")
}

// againAs starts this program in new namespaces, with capabilities in them. A command may not write the ids of a user
// namespace, and need not.
func againAs(role string, namespaces uintptr) error {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), nestedVariable+"="+role)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: namespaces, AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_NET_RAW, unix.CAP_SYS_PTRACE},
	}
	return cmd.Run()
}

const nestedVariable = "TEST_NESTED"

// nested is what againAs does in namespaces of its own.
func nested(role string, o outer) error {
	switch role {
	case "dial":
		return reach("tcp4", "127.0.0.1", o.TCP)
	case "enter":
		return first(enterNet("/proc/1/ns/net"), reach("tcp4", "127.0.0.1", o.TCP))
	case "packets":
		return open(unix.AF_PACKET, unix.SOCK_RAW, 0x0300)
	case "trace":
		err := unix.PtraceAttach(o.Host)
		if err == nil {
			unix.PtraceDetach(o.Host)
		}
		return err
	}
	return errors.New("there is no such role")
}

func uint32Bytes(n uint32) []byte { return binary.NativeEndian.AppendUint32(nil, n) }

// attribute is struct rtattr with a value.
func attribute(kind uint16, value []byte) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(4+len(value)))
	b = append(binary.NativeEndian.AppendUint16(b, kind), value...)
	return append(b, make([]byte, (4-len(b)%4)%4)...)
}

// linkMessage is struct ifinfomsg.
func linkMessage(index int32) []byte {
	b := make([]byte, unix.SizeofIfInfomsg)
	binary.NativeEndian.PutUint32(b[4:], uint32(index))
	return b
}

// veth describes a pair of devices, one of which is in the network of a process.
func veth(pid int) []byte {
	const peer = 1 // VETH_INFO_PEER
	other := append(linkMessage(0), attribute(unix.IFLA_NET_NS_PID, uint32Bytes(uint32(pid)))...)
	info := append(attribute(unix.IFLA_INFO_KIND, []byte("veth")), attribute(unix.IFLA_INFO_DATA, attribute(peer, other))...)
	return append(linkMessage(0), attribute(unix.IFLA_LINKINFO, info)...)
}

// routeMessage is a default route by loopback.
func routeMessage() []byte {
	b := make([]byte, unix.SizeofRtMsg)
	b[0], b[4], b[5], b[6], b[7] = unix.AF_INET, unix.RT_TABLE_MAIN, unix.RTPROT_BOOT, unix.RT_SCOPE_LINK, unix.RTN_UNICAST
	return append(b, attribute(unix.RTA_OIF, uint32Bytes(1))...)
}

func routes(kind uint16, body []byte) error { return netlink(unix.NETLINK_ROUTE, kind, body) }

// netlink sends a request that changes something, and returns what the kernel answers.
func netlink(protocol int, kind uint16, body []byte) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request := uint32Bytes(uint32(unix.SizeofNlMsghdr + len(body)))
	request = binary.NativeEndian.AppendUint16(request, kind)
	request = binary.NativeEndian.AppendUint16(request, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	request = append(append(request, make([]byte, 8)...), body...)
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	timeout := unix.NsecToTimeval(int64(patience))
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout)
	answer := make([]byte, 4096)
	n, err := unix.Read(fd, answer)
	if err != nil {
		return err
	}
	if n < unix.SizeofNlMsghdr+4 || binary.NativeEndian.Uint16(answer[4:]) != unix.NLMSG_ERROR {
		return nil
	}
	if errno := -int32(binary.NativeEndian.Uint32(answer[unix.SizeofNlMsghdr:])); errno != 0 {
		return unix.Errno(errno)
	}
	return nil
}

// request is struct ifreq.
type request struct {
	name [unix.IFNAMSIZ]byte
	data [24]byte
}

// setAddress changes an address of loopback as ifconfig does.
func setAddress() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	r := request{name: [unix.IFNAMSIZ]byte{'l', 'o'}, data: [24]byte{unix.AF_INET, 0, 0, 0, 192, 0, 2, 77}}
	return call(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFADDR, uintptr(unsafe.Pointer(&r)))
}

// deviceFlags turns loopback off.
func deviceFlags() error {
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	r := request{name: [unix.IFNAMSIZ]byte{'l', 'o'}}
	return call(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&r)))
}
