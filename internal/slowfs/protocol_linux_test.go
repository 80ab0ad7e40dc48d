package slowfs_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// The operations of <linux/fuse.h> that are implemented.
const (
	opLookup      = 1
	opForget      = 2
	opGetattr     = 3
	opSetattr     = 4
	opReadlink    = 5
	opMkdir       = 9
	opUnlink      = 10
	opRmdir       = 11
	opRename      = 12
	opOpen        = 14
	opRead        = 15
	opWrite       = 16
	opStatfs      = 17
	opRelease     = 18
	opFlush       = 25
	opInit        = 26
	opOpendir     = 27
	opReaddir     = 28
	opReleasedir  = 29
	opAccess      = 34
	opCreate      = 35
	opInterrupt   = 36
	opDestroy     = 38
	opBatchForget = 42
	opRename2     = 45
)

const (
	headerSize = 40
	maxWrite   = 128 << 10
)

var native = binary.NativeEndian

// serve answers requests, each in a goroutine of its own, until the file system is unmounted.
func (f *FS) serve() {
	buffer := make([]byte, headerSize+maxWrite+4096)
	for {
		n, err := unix.Read(f.device, buffer)
		if err == unix.EINTR || err == unix.ENOENT { // ENOENT: the request was withdrawn
			continue
		}
		if err != nil || n < headerSize {
			return
		}
		request := slices.Clone(buffer[:n])
		switch op := native.Uint32(request[4:]); op {
		case opForget, opBatchForget, opInterrupt:
		case opInit:
			f.reply(request, initReply(), 0)
		case opRelease, opReleasedir: // nobody waits for these
			f.reply(request, nil, 0)
		default:
			f.answers.Go(func() {
				f.wait()
				body, errno := f.answer(op, native.Uint64(request[16:]), request[headerSize:])
				f.reply(request, body, errno)
			})
		}
	}
}

func (f *FS) reply(request, body []byte, errno unix.Errno) {
	if errno != 0 {
		body = nil
	}
	out := native.AppendUint32(nil, uint32(16+len(body)))
	out = native.AppendUint32(out, uint32(-int32(errno)))
	out = append(out, request[8:16]...)
	unix.Write(f.device, append(out, body...))
}

func initReply() []byte {
	out := make([]byte, 64)
	native.PutUint32(out, 7)
	native.PutUint32(out[4:], 31)
	native.PutUint32(out[8:], maxWrite) // read ahead
	native.PutUint32(out[12:], 1<<5)    // FUSE_BIG_WRITES: of more than a page
	native.PutUint16(out[16:], 64)      // requests in the background
	native.PutUint16(out[18:], 64)
	native.PutUint32(out[20:], maxWrite)
	native.PutUint32(out[24:], 1) // nanoseconds
	return out
}

// answer does what a request asks for.
func (f *FS) answer(op uint32, id uint64, in []byte) ([]byte, unix.Errno) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.nodes[id]
	if n == nil {
		return nil, unix.ENOENT
	}
	switch op {
	case opLookup:
		return entry(n.children[text(in)])
	case opGetattr:
		return attributes(n), 0
	case opSetattr:
		return n.set(in), 0
	case opReadlink:
		return n.data, 0
	case opOpen, opOpendir:
		return make([]byte, 16), 0
	case opRead:
		return slice(n.data, in), 0
	case opReaddir:
		return slice(n.listing(), in), 0
	case opWrite:
		return n.write(in), 0
	case opMkdir:
		return entry(f.add(n, text(in[8:]), unix.S_IFDIR|native.Uint32(in)&0o777))
	case opCreate:
		out, errno := entry(f.add(n, text(in[16:]), unix.S_IFREG|native.Uint32(in[4:])&0o777))
		return append(out, make([]byte, 16)...), errno
	case opUnlink, opRmdir:
		if n.children[text(in)] == nil {
			return nil, unix.ENOENT
		}
		delete(n.children, text(in))
		return nil, 0
	case opRename:
		return nil, f.rename(n, native.Uint64(in), in[8:])
	case opRename2:
		return nil, f.rename(n, native.Uint64(in), in[16:])
	case opStatfs:
		return make([]byte, 80), 0
	case opFlush, opAccess, opDestroy:
		return nil, 0
	}
	return nil, unix.ENOSYS
}

// text returns the string that ends with a NUL byte.
func text(in []byte) string {
	name, _, _ := bytes.Cut(in, []byte{0})
	return string(name)
}

// slice returns the part of data that a read asks for.
func slice(data, in []byte) []byte {
	from := min(native.Uint64(in[8:]), uint64(len(data)))
	return data[from:min(from+uint64(native.Uint32(in[16:])), uint64(len(data)))]
}

func (f *FS) rename(from *node, to uint64, names []byte) unix.Errno {
	before, after, _ := bytes.Cut(names, []byte{0})
	n, dir := from.children[string(before)], f.nodes[to]
	if n == nil || dir == nil {
		return unix.ENOENT
	}
	delete(from.children, string(before))
	dir.children[text(after)] = n
	return 0
}

func (n *node) write(in []byte) []byte {
	offset, data := native.Uint64(in[8:]), in[40:]
	if end := offset + uint64(len(data)); end > uint64(len(n.data)) {
		n.data = append(n.data, make([]byte, end-uint64(len(n.data)))...)
	}
	copy(n.data[offset:], data)
	return native.AppendUint64(nil, uint64(native.Uint32(in[16:])))
}

// set changes the size, and ignores other attributes.
func (n *node) set(in []byte) []byte {
	const size = 1 << 3 // FATTR_SIZE
	if native.Uint32(in)&size != 0 {
		n.data = append(n.data, make([]byte, native.Uint64(in[16:]))...)[:native.Uint64(in[16:])]
	}
	return attributes(n)
}

// listing returns the entries of a directory, in one read.
func (n *node) listing() (out []byte) {
	for _, name := range n.names() {
		child := n.children[name]
		begin := len(out)
		padded := (24 + len(name) + 7) / 8 * 8
		out = native.AppendUint64(out, child.id)
		out = native.AppendUint64(out, uint64(begin+padded))
		out = native.AppendUint32(out, uint32(len(name)))
		out = native.AppendUint32(out, child.mode>>12)
		out = append(out, name...)
		out = append(out, make([]byte, begin+padded-len(out))...)
	}
	return out
}

// entry returns the answer that names a node. It is valid for no time, so that every use of the node is a request.
func entry(n *node) ([]byte, unix.Errno) {
	if n == nil {
		return nil, unix.ENOENT
	}
	out := native.AppendUint64(nil, n.id)
	out = append(out, make([]byte, 32)...)
	return n.attr(out), 0
}

func attributes(n *node) []byte { return n.attr(make([]byte, 16)) }

func (n *node) attr(out []byte) []byte {
	out = native.AppendUint64(out, n.id)
	out = native.AppendUint64(out, uint64(len(n.data)))
	out = append(out, make([]byte, 4*8+3*4)...) // blocks and times
	out = native.AppendUint32(out, n.mode)
	out = native.AppendUint32(out, 1) // links
	out = native.AppendUint32(out, uint32(os.Getuid()))
	out = native.AppendUint32(out, uint32(os.Getgid()))
	out = native.AppendUint32(out, 0)
	out = native.AppendUint32(out, 4096)
	return native.AppendUint32(out, 0)
}
