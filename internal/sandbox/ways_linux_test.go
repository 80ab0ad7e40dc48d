//go:build amd64 || arm64

package sandbox_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// outer is what ways out of a command's own network lead to: a host that listens at all of its addresses.
type outer struct {
	TCP, UDP     int    // ports
	Address      string // one of the host that is not loopback's, or ""
	LinkLocal    string // one with the name of the device, or ""
	Device       string // a device beside loopback, or ""
	Abstract     string // a Unix socket, as net names it
	AbstractGram string
	Unix, Gram   string // sockets in the file system
	Host, Held   int    // the test's process and a descriptor of its listener
	HeldNet      int    // a descriptor of its network namespace
}

// way is a way out. It returns nil if it leads out.
type way struct {
	name  string
	try   func(outer) error
	shell string // run with $PORT, $UDP, $HOST, instead of try
	plain bool   // it leads out without a sandbox, whoever tries

	socket bool // it is one of socketWays
}

var ways = append(withSockets(socketWays), otherWays...)

func withSockets(ways []way) []way {
	for i := range ways {
		ways[i].socket = true
	}
	return ways
}

// socketWays only use sockets.
var socketWays = []way{
	// the host's addresses
	{name: "TCP 127.0.0.1", plain: true, try: func(o outer) error { return reach("tcp4", "127.0.0.1", o.TCP) }},
	{name: "TCP 127.1.2.3", plain: true, try: func(o outer) error { return reach("tcp4", "127.1.2.3", o.TCP) }},
	{name: "TCP 0.0.0.0", plain: true, try: func(o outer) error { return reach("tcp4", "0.0.0.0", o.TCP) }},
	{name: "TCP ::1", try: func(o outer) error { return reach("tcp6", "::1", o.TCP) }},
	{name: "TCP ::", try: func(o outer) error { return reach("tcp6", "::", o.TCP) }},
	{name: "TCP ::ffff:127.0.0.1", try: func(o outer) error { return connect6(o, "::ffff:127.0.0.1") }},
	{name: "TCP 64:ff9b::127.0.0.1", try: func(o outer) error { return connect6(o, "64:ff9b::7f00:1") }},
	{name: "TCP by localhost", plain: true, try: func(o outer) error { return reach("tcp", "localhost", o.TCP) }},
	{name: "TCP by the host's name", try: func(o outer) error {
		name, err := os.Hostname()
		return first(err, reach("tcp", name, o.TCP))
	}},
	{name: "TCP the host's address", try: func(o outer) error { return reach("tcp", o.Address, o.TCP) }},
	{name: "TCP link-local", try: func(o outer) error { return reach("tcp6", o.LinkLocal, o.TCP) }},
	{name: "TCP link-local by loopback", try: func(o outer) error { return reach("tcp6", "fe80::1%lo", o.TCP) }},
	{name: "TCP the gateway", try: func(o outer) error {
		p, err := netip.ParseAddr(o.Address)
		if err != nil || !p.Is4() {
			return errors.New("no address")
		}
		gateway := p.As4()
		gateway[3] = 1
		return reach("tcp4", netip.AddrFrom4(gateway).String(), 53)
	}},
	{name: "TCP metadata service", try: func(outer) error { return reach("tcp4", "169.254.169.254", 80) }},
	{name: "TCP fast open", try: func(o outer) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		return first(err, unix.Sendto(fd, []byte("fast"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: o.TCP, Addr: [4]byte{127, 0, 0, 1}}))
	}},
	{name: "TCP from the host's address", try: func(o outer) error {
		d := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: net.ParseIP(o.Address)}}
		if o.Address == "" {
			return errors.New("no address")
		}
		c, err := d.Dial("tcp", net.JoinHostPort(o.Address, tostring(o.TCP)))
		return answered(c, err)
	}},
	{name: "TCP by a bound device", try: func(o outer) error {
		return dialWith(o, func(fd int) error { return unix.BindToDevice(fd, o.Device) })
	}},
	{name: "TCP with transparent addresses", try: func(o outer) error {
		return dialWith(o, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_IP, unix.IP_TRANSPARENT, 1) })
	}},
	{name: "TCP with a mark", try: func(o outer) error {
		return dialWith(o, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_MARK, 1) })
	}},
	{name: "TCP by source routing", try: func(o outer) error {
		return dialWith(o, func(fd int) error {
			return unix.SetsockoptString(fd, unix.SOL_IP, unix.IP_OPTIONS, "\x83\x07\x04\x7f\x00\x00\x01\x00")
		})
	}},
	{name: "MPTCP", try: func(o outer) error { return connect4(o, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, o.TCP) }},
	{name: "SMC", try: func(o outer) error {
		fd, err := unix.Socket(unix.AF_SMC, unix.SOCK_STREAM, 0)
		return first(err, unix.Connect(fd, &unix.SockaddrInet4{Port: o.TCP, Addr: [4]byte{127, 0, 0, 1}}))
	}},
	{name: "SCTP", try: func(o outer) error { return connect4(o, unix.SOCK_STREAM, unix.IPPROTO_SCTP, o.TCP) }},
	{name: "DCCP", try: func(o outer) error { return connect4(o, unix.SOCK_DCCP, unix.IPPROTO_DCCP, o.TCP) }},
	{name: "UDP-Lite", try: func(o outer) error { return connect4(o, unix.SOCK_DGRAM, unix.IPPROTO_UDPLITE, o.UDP) }},
	{name: "UDP 127.0.0.1", plain: true, try: func(o outer) error { return reach("udp4", "127.0.0.1", o.UDP) }},
	{name: "UDP ::1", try: func(o outer) error { return reach("udp6", "::1", o.UDP) }},
	{name: "UDP the host's address", try: func(o outer) error { return reach("udp", o.Address, o.UDP) }},
	{name: "UDP broadcast", try: func(o outer) error { return reach("udp4", "255.255.255.255", o.UDP) }},
	{name: "UDP loopback broadcast", try: func(o outer) error { return reach("udp4", "127.255.255.255", o.UDP) }},
	{name: "UDP multicast", try: func(o outer) error { return reach("udp4", "224.0.0.1", o.UDP) }},
	{name: "UDP multicast of IPv6", try: func(o outer) error { return reach("udp6", "ff02::1%"+o.Device, o.UDP) }},
	{name: "UDP multicast of the node", try: func(o outer) error { return reach("udp6", "ff01::1%lo", o.UDP) }},
	{name: "UDP without a broadcast's option", try: func(o outer) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		to := &unix.SockaddrInet4{Port: o.UDP, Addr: [4]byte{255, 255, 255, 255}}
		return first(err, unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_BROADCAST, 1), unix.Sendto(fd, []byte("x"), unix.MSG_DONTROUTE, to))
	}},
	{name: "UDP with the index of a device", try: func(o outer) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		control := unix.PktInfo4(&unix.Inet4Pktinfo{Ifindex: 2})
		return first(err, unix.Sendmsg(fd, []byte("x"), control, &unix.SockaddrInet4{Port: o.UDP, Addr: [4]byte{192, 0, 2, 99}}, 0))
	}},
	{name: "a name of DNS", try: func(outer) error { _, err := net.LookupHost("example.org."); return err }},

	// other sockets
	{name: "raw ICMP", try: func(outer) error { return open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) }},
	{name: "raw IP", try: func(outer) error { return open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_RAW) }},
	{name: "raw TCP", try: func(outer) error { return open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_TCP) }},
	{name: "raw IPv6", try: func(outer) error { return open(unix.AF_INET6, unix.SOCK_RAW, unix.IPPROTO_ICMPV6) }},
	{name: "raw GRE", try: func(outer) error { return open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_GRE) }},
	{name: "ICMP of users", try: func(outer) error { return open(unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP) }},
	{name: "packets", try: func(outer) error { return open(unix.AF_PACKET, unix.SOCK_RAW, 0x0300) }},
	{name: "datagrams of packets", try: func(outer) error { return open(unix.AF_PACKET, unix.SOCK_DGRAM, 0x0300) }},
	{name: "vsock", try: func(outer) error { return open(unix.AF_VSOCK, unix.SOCK_STREAM, 0) }},
	{name: "Bluetooth", try: func(outer) error { return open(unix.AF_BLUETOOTH, unix.SOCK_RAW, 1) }},
	{name: "CAN", try: func(outer) error { return open(unix.AF_CAN, unix.SOCK_RAW, 1) }},
	{name: "TIPC", try: func(outer) error { return open(unix.AF_TIPC, unix.SOCK_STREAM, 0) }},
	{name: "RDS", try: func(outer) error { return open(unix.AF_RDS, unix.SOCK_SEQPACKET, 0) }},
	{name: "XDP", try: func(outer) error { return open(unix.AF_XDP, unix.SOCK_RAW, 0) }},
	{name: "NFC", try: func(outer) error { return open(unix.AF_NFC, unix.SOCK_SEQPACKET, 0) }},
	{name: "AppleTalk", try: func(outer) error { return open(unix.AF_APPLETALK, unix.SOCK_DGRAM, 0) }},
	{name: "LLC", try: func(outer) error { return open(unix.AF_LLC, unix.SOCK_STREAM, 0) }},
	{name: "PPP", try: func(outer) error { return open(unix.AF_PPPOX, unix.SOCK_STREAM, 0) }},
	{name: "QRTR", try: func(outer) error { return open(unix.AF_QIPCRTR, unix.SOCK_DGRAM, 0) }},
	{name: "KCM", try: func(outer) error { return open(unix.AF_KCM, unix.SOCK_SEQPACKET, 0) }},
	{name: "AF_ALG", try: func(outer) error { return open(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) }},
	{name: "PF_KEY", try: func(outer) error { return open(unix.AF_KEY, unix.SOCK_RAW, 2) }},
	{name: "abstract socket", plain: true, try: func(o outer) error { return dial("unix", o.Abstract) }},
	{name: "abstract datagrams", plain: true, try: func(o outer) error { return gram(o.AbstractGram) }},
	{name: "Unix socket", plain: true, try: func(o outer) error { return dial("unix", o.Unix) }},
	{name: "Unix datagrams", plain: true, try: func(o outer) error { return gram(o.Gram) }},
	{name: "pair of datagrams to an abstract socket", try: func(o outer) error {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		return first(err, unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: o.AbstractGram}))
	}},
	{name: "pair of streams to an abstract socket", try: func(o outer) error {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		return first(err, unix.Close(pair[1]), unix.Connect(pair[0], &unix.SockaddrUnix{Name: o.Abstract}))
	}},
	{name: "docker", try: func(outer) error { return reachUnix("/run/docker.sock") }},
	{name: "resolver of systemd", try: func(outer) error { return reachUnix("/run/systemd/resolve/io.systemd.Resolve") }},
	{name: "D-Bus", try: func(outer) error { return reachUnix("/run/dbus/system_bus_socket") }},
	{name: "name service cache", try: func(outer) error { return reachUnix("/run/nscd/socket") }},
	{name: "io_uring", try: func(outer) error {
		var params [120]byte
		return call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
	}},
}

var otherWays = []way{
	// what others hold
	{name: "inherited descriptors", try: func(outer) error { return inherited() }},
	{name: "pidfd_getfd", try: func(o outer) error {
		pid, err := unix.PidfdOpen(o.Host, 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(pid, o.Held, 0)
		return err
	}},
	{name: "descriptors in /proc", try: func(o outer) error { return openFor(fmt.Sprintf("/proc/%d/fd/%d", o.Host, o.Held), os.O_RDWR) }},
	{name: "namespace among descriptors in /proc", try: func(o outer) error { return enterNet(fmt.Sprintf("/proc/%d/fd/%d", o.Host, o.HeldNet)) }},
	{name: "ptrace of the host", try: func(o outer) error {
		err := unix.PtraceAttach(o.Host)
		if err == nil {
			unix.PtraceDetach(o.Host)
		}
		return err
	}},
	{name: "memory of the host", try: func(o outer) error { return openFor(fmt.Sprintf("/proc/%d/mem", o.Host), os.O_RDWR) }},
	{name: "process_vm_writev", try: func(o outer) error {
		local := []byte{0}
		_, err := unix.ProcessVMWritev(o.Host, []unix.Iovec{{Base: &local[0], Len: 1}}, []unix.RemoteIovec{{Base: 1, Len: 1}}, 0)
		if errors.Is(err, unix.EFAULT) {
			return nil
		}
		return err
	}},
	{name: "bpf", try: func(outer) error { return unlessPermitted(call(unix.SYS_BPF, 0, 0, 0)) }},
	{name: "key that the kernel looks up by DNS", try: func(outer) error {
		kind, name, info := []byte("dns_resolver\x00"), []byte("example.org\x00"), []byte("\x00")
		_, _, errno := unix.Syscall6(unix.SYS_REQUEST_KEY, uintptr(unsafe.Pointer(&kind[0])), uintptr(unsafe.Pointer(&name[0])),
			uintptr(unsafe.Pointer(&info[0])), ^uintptr(2), 0, 0)
		return unlessPermitted(errno)
	}},

	// other namespaces
	{name: "setns to that of the first process", try: func(outer) error { return enterNet("/proc/1/ns/net") }},
	{name: "setns to the host's", try: func(o outer) error { return enterNet(fmt.Sprintf("/proc/%d/ns/net", o.Host)) }},
	{name: "setns to the parent's", try: func(outer) error { return enterNet(fmt.Sprintf("/proc/%d/ns/net", os.Getppid())) }},
	{name: "setns by a pidfd", try: func(o outer) error {
		fd, err := unix.PidfdOpen(o.Host, 0)
		return first(err, inThread(func() error { return unix.Setns(fd, unix.CLONE_NEWNET) }))
	}},
	{name: "setns by a descriptor that a socket gives", try: func(outer) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCGSKNS, 0)
		if errno != 0 {
			return errno
		}
		return errors.New("its own") // and so no way out
	}},
	{name: "owner of the namespace", try: func(outer) error {
		own, err := os.Open("/proc/self/ns/net")
		if err != nil {
			return err
		}
		user, err := unix.IoctlRetInt(int(own.Fd()), unix.NS_GET_USERNS)
		return first(err, inThread(func() error { return unix.Setns(user, unix.CLONE_NEWUSER) }))
	}},
	{name: "parent of the user namespace", try: func(outer) error {
		own, err := os.Open("/proc/self/ns/user")
		if err != nil {
			return err
		}
		_, err = unix.IoctlRetInt(int(own.Fd()), unix.NS_GET_PARENT)
		return err
	}},
	{name: "handle of a namespace", try: func(outer) error {
		// struct file_handle of nsfs: the id of the first network namespace is not secret.
		handle := [32]byte{16, 0, 0, 0, 0xf1}
		_, _, errno := unix.Syscall(unix.SYS_OPEN_BY_HANDLE_AT, ^uintptr(10002), uintptr(unsafe.Pointer(&handle)), unix.O_RDONLY)
		return unlessPermitted(errno)
	}},
	{name: "unshare", try: func(o outer) error {
		return inThread(func() error { return first(unix.Unshare(unix.CLONE_NEWNET), reach("tcp4", "127.0.0.1", o.TCP)) })
	}},
	{name: "clone", try: func(outer) error { return againAs("dial", unix.CLONE_NEWUSER|unix.CLONE_NEWNET) }},
	{name: "clone3", try: func(outer) error { return againAs("dial", unix.CLONE_NEWUSER|unix.CLONE_NEWNET|unix.CLONE_NEWTIME) }},
	{name: "setns from a nested user namespace", try: func(outer) error { return againAs("enter", unix.CLONE_NEWUSER|unix.CLONE_NEWTIME) }},
	{name: "packets from a nested user namespace", try: func(outer) error { return againAs("packets", unix.CLONE_NEWUSER|unix.CLONE_NEWTIME) }},
	{name: "ptrace from a nested user namespace", try: func(outer) error { return againAs("trace", unix.CLONE_NEWUSER|unix.CLONE_NEWTIME) }},
	{name: "mount of NFS", try: func(outer) error { return unix.Mount("127.0.0.1:/", ".", "nfs", 0, "addr=127.0.0.1") }},
	{name: "mount of sysfs", try: func(outer) error { return unix.Mount("none", ".", "sysfs", 0, "") }},
	{name: "mount of 9p", try: func(outer) error { return unix.Mount("127.0.0.1", ".", "9p", 0, "trans=tcp") }},

	// changes of the command's own network
	{name: "address", try: func(outer) error { return setAddress() }},
	{name: "route", try: func(outer) error { return routes(unix.RTM_NEWROUTE, routeMessage()) }},
	{name: "rule", try: func(outer) error { return routes(unix.RTM_NEWRULE, make([]byte, unix.SizeofRtMsg)) }},
	{name: "device with an end on the host", try: func(o outer) error { return routes(unix.RTM_NEWLINK, veth(o.Host)) }},
	{name: "device with an end at the first process", try: func(outer) error { return routes(unix.RTM_NEWLINK, veth(1)) }},
	{name: "loopback moved to the host", try: func(o outer) error {
		return routes(unix.RTM_NEWLINK, append(linkMessage(1), attribute(unix.IFLA_NET_NS_PID, uint32Bytes(uint32(o.Host)))...))
	}},
	{name: "ids of namespaces", try: func(o outer) error {
		return routes(unix.RTM_NEWNSID, append(make([]byte, 4), append(attribute(1, uint32Bytes(7)), attribute(2, uint32Bytes(uint32(o.Host)))...)...))
	}},
	{name: "messages of all namespaces", try: func(outer) error {
		fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE)
		return first(err, unix.SetsockoptInt(fd, unix.SOL_NETLINK, unix.NETLINK_LISTEN_ALL_NSID, 1))
	}},
	{name: "netfilter", try: func(outer) error {
		return netlink(unix.NETLINK_NETFILTER, unix.NFNL_SUBSYS_NFTABLES<<8, []byte{2, 0, 0, 0})
	}},
	{name: "IPsec", try: func(outer) error { return netlink(unix.NETLINK_XFRM, 0x10+3, make([]byte, 64)) }},
	{name: "tunnel", try: func(outer) error { return openFor("/dev/net/tun", os.O_RDWR) }},
	{name: "tunnel of an own device", try: func(outer) error {
		os.Remove("tun")
		return first(unix.Mknod("tun", unix.S_IFCHR|0o600, 10<<8|200), openFor("tun", os.O_RDWR))
	}},
	{name: "vhost", try: func(outer) error { return openFor("/dev/vhost-net", os.O_RDWR) }},
	{name: "vhost of vsock", try: func(outer) error { return openFor("/dev/vhost-vsock", os.O_RDWR) }},
	{name: "forwarding", try: func(outer) error { return openFor("/proc/sys/net/ipv4/ip_forward", os.O_WRONLY) }},
	{name: "forwarding of the host", try: func(outer) error { return openFor("/proc/1/root/proc/sys/net/ipv4/ip_forward", os.O_WRONLY) }},
	{name: "devices in /sys", try: func(o outer) error { return openFor("/sys/class/net/"+o.Device+"/mtu", os.O_WRONLY) }},
	{name: "flags of a device", try: func(outer) error { return deviceFlags() }},

	// programs
	{name: "bash's TCP", plain: true, shell: `exec 3<>/dev/tcp/127.0.0.1/$PORT && head -c 1 <&3`},
	{name: "bash's UDP", plain: true, shell: `exec 3<>/dev/udp/127.0.0.1/$UDP && echo x >&3 && timeout 1 head -c 1 <&3 | grep -q x`},
	{name: "bash's number", shell: `exec 3<>/dev/tcp/2130706433/$PORT && head -c 1 <&3`},
	{name: "curl", shell: `curl --noproxy '*' -m 2 -s telnet://127.0.0.1:$PORT </dev/null | grep -q x`},
	{name: "nsenter", shell: `nsenter -t $HOST -n true`},
	{name: "nsenter of the first process", shell: `nsenter -t 1 -n true`},
	{name: "unshare as root", shell: `unshare -Urn nsenter -t 1 -n true`},
	{name: "unshare and a device", shell: `unshare -Urn ip link add v1 type veth peer name v2 netns $HOST`},
	{name: "ip link", shell: `ip link set lo down`},
	{name: "ip link add", shell: `ip link add x type dummy`},
	{name: "ip link netns", shell: `ip link add v1 type veth peer name v2 netns 1`},
	{name: "ip addr", shell: `ip addr add 192.0.2.77/24 dev lo`},
	{name: "ip route", shell: `ip route add default via 127.0.0.1`},
	{name: "ip netns", shell: `ip netns add x`},
	{name: "ip tuntap", shell: `ip tuntap add mode tun`},
	{name: "sysctl", shell: `sysctl -w net.ipv4.ip_forward=1 2>/dev/null | grep -q 1`},
	{name: "iptables", shell: `iptables -L`},
	{name: "ping", shell: `ping -c 1 -W 1 ${ADDRESS:-192.0.2.1}`},
	{name: "setuid program", shell: `su -c 'exec 3<>/dev/tcp/127.0.0.1/$PORT' </dev/null`},
	{name: "sudo", shell: `sudo -n nsenter -t 1 -n true`},
	{name: "systemd-run", shell: `systemd-run --user true || systemd-run true`},
	{name: "docker run", shell: `docker run --rm --network host busybox true`},
}
