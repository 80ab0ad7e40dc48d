package walk

import (
	"encoding/binary"
	"io/fs"
	"slices"
	"unsafe"
)

// names holds entries of a directory in less than half of the memory of a slice: eight bytes and the name for each,
// and no pointer.
type names struct {
	order  []uint32 // the upper half of each is the index of a chunk, the lower half an offset in it
	chunks [][]byte // heads, each followed by its name; a chunk keeps its capacity
	last   int      // the index of the chunk that is being filled
	held   int      // the size of all entries
}

const (
	headBytes  = 4   // the type bits and, below them, the length of the name
	orderBytes = 8   // twice an element of order, since order is copied when it grows
	smallChunk = 512 // the size of the first chunk; each next one has twice the size,
	doublings  = 7   // up to 64 KiB, for offsets of 16 bits
)

// add adds an entry after the others.
func (n *names) add(e Dirent) {
	size := headBytes + len(e.Name)
	for n.last < len(n.chunks) && len(n.chunks[n.last])+size > cap(n.chunks[n.last]) {
		n.last++
	}
	if n.order == nil {
		n.order = make([]uint32, 0, 32)
	}
	if n.last == len(n.chunks) {
		n.chunks = append(n.chunks, make([]byte, 0, max(size, smallChunk<<min(n.last, doublings))))
	}
	chunk := n.chunks[n.last]
	n.order = append(n.order, uint32(n.last)<<16|uint32(len(chunk)))
	chunk = binary.LittleEndian.AppendUint32(chunk, uint32(e.Type)|uint32(len(e.Name)))
	n.chunks[n.last] = append(chunk, e.Name...)
	n.held += size + orderBytes
}

// entry returns the entry of an element of order. Its name shares the chunk's memory.
func (n *names) entry(at uint32) Dirent {
	chunk := n.chunks[at>>16]
	chunk = chunk[at&0xffff : cap(chunk)]
	head := binary.LittleEndian.Uint32(chunk)
	name := chunk[headBytes : headBytes+head&^uint32(fs.ModeType)]
	return Dirent{unsafe.String(unsafe.SliceData(name), len(name)), fs.FileMode(head) & fs.ModeType}
}

// compact frees the space of entries that are no longer in order, which must be sorted by the time of addition. It
// allocates nothing, and overwrites names that entry has returned.
func (n *names) compact() {
	left := n.order
	slices.Sort(left)
	for i, chunk := range n.chunks {
		n.chunks[i] = chunk[:0]
	}
	n.order, n.last, n.held = n.order[:0], 0, 0
	for _, at := range left {
		n.add(n.entry(at)) // at or before its old place
	}
}
