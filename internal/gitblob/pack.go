package gitblob

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spillway-go/spillway/internal/gitindex"
)

const (
	maxPacks = 1000
	maxChain = 4096 // deltas on each other; git makes at most 4,095
)

// pack is a file of many objects, with its index.
type pack struct {
	data, index *os.File
	format      int64
	count       int64
	fanout      [256]uint32 // how many names begin with at most that byte
}

// openPacks opens the packs in a directory of objects.
func openPacks(objects *os.Root, format gitindex.Format) (list []*pack, err error) {
	dir, err := objects.Open("pack")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(2 * maxPacks * 3) // each has up to six files
	if err != nil && err != io.EOF {
		return nil, err
	}
	for _, name := range names {
		base, ok := strings.CutSuffix(name, ".idx")
		if !ok || len(list) == maxPacks {
			continue
		}
		p, err := openPack(objects, "pack/"+base, int64(format))
		if errors.Is(err, fs.ErrNotExist) { // it was removed meanwhile
			continue
		}
		if err != nil {
			for _, p := range list {
				p.close()
			}
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func openPack(objects *os.Root, base string, format int64) (*pack, error) {
	index, err := open(objects, base+".idx")
	if err != nil {
		return nil, err
	}
	data, err := open(objects, base+".pack")
	if err != nil {
		index.Close()
		return nil, err
	}
	p := &pack{data: data, index: index, format: format}
	if err := p.readFanout(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pack) close() {
	p.data.Close()
	p.index.Close()
}

// The index of a pack, in version 2: a signature, the table fanout, then for each object, in the order of their names,
// all the names, all the checksums, and all the offsets.
const (
	signature  = "\xfftOc\x00\x00\x00\x02"
	beginNames = int64(len(signature) + 256*4)
)

func (p *pack) readFanout() error {
	head := make([]byte, beginNames)
	if _, err := p.index.ReadAt(head, 0); err != nil || string(head[:len(signature)]) != signature {
		return malformed(err)
	}
	before := uint32(0)
	for i := range p.fanout {
		p.fanout[i] = binary.BigEndian.Uint32(head[len(signature)+4*i:])
		if p.fanout[i] < before {
			return malformed(nil)
		}
		before = p.fanout[i]
	}
	p.count = int64(before)
	return nil
}

// find returns where the object with a hash is.
func (p *pack) find(hash string) (offset int64, found bool, err error) {
	low, high := int64(0), int64(p.fanout[hash[0]])
	if hash[0] > 0 {
		low = int64(p.fanout[hash[0]-1])
	}
	name := make([]byte, p.format)
	for low < high {
		middle := (low + high) / 2
		if _, err := p.index.ReadAt(name, beginNames+middle*p.format); err != nil {
			return 0, false, malformed(err)
		}
		switch c := strings.Compare(string(name), hash); {
		case c < 0:
			low = middle + 1
		case c > 0:
			high = middle
		default:
			offset, err = p.offset(middle)
			return offset, true, err
		}
	}
	return 0, false, nil
}

// offset returns where the object with a number is. One beyond 2 GiB has its offset in a table of its own.
func (p *pack) offset(number int64) (int64, error) {
	const beyond = 1 << 31
	var word [8]byte
	offsets := beginNames + p.count*(p.format+4)
	if _, err := p.index.ReadAt(word[:4], offsets+4*number); err != nil {
		return 0, malformed(err)
	}
	at := int64(binary.BigEndian.Uint32(word[:]))
	if at < beyond {
		return at, nil
	}
	if _, err := p.index.ReadAt(word[:], offsets+4*p.count+8*(at-beyond)); err != nil {
		return 0, malformed(err)
	}
	at = int64(binary.BigEndian.Uint64(word[:]))
	if at < 0 {
		return 0, malformed(nil)
	}
	return at, nil
}

// work is what may still be done for an object.
type work struct {
	links int   // deltas that it rests on
	bytes int64 // that are made of them
}

// newWork returns what may be done for an object of at most limit bytes. A chain of 4,000 deltas that is a megabyte of a
// pack makes 4 GB, in three seconds. Git's own chains have 50 deltas, or 250 of older ones.
func newWork(limit int64) *work { return &work{maxChain, max(minWork, 64*limit)} }

const minWork = 1 << 30

// object reads the object at an offset.
func (p *pack) object(at, limit int64, left *work) (object, error) {
	if left.links--; left.links < 0 {
		return object{}, malformed(nil)
	}
	r := bufio.NewReader(io.NewSectionReader(p.data, at, 1<<62))
	kind, size, err := entryHeader(r)
	if err != nil {
		return object{}, malformed(err)
	}
	var base object
	switch kind {
	case offsetDelta:
		back, err := offsetBack(r)
		if err != nil || back <= 0 || back > at {
			return object{}, malformed(err)
		}
		base, err = p.object(at-back, limit, left)
		if err != nil {
			return object{}, err
		}
	case refDelta: // which a pack in a repository has only if it holds that object, too
		name := make([]byte, p.format)
		if _, err := io.ReadFull(r, name); err != nil {
			return object{}, malformed(err)
		}
		on, found, err := p.find(string(name))
		if err != nil || !found {
			return object{}, malformed(err)
		}
		if base, err = p.object(on, limit, left); err != nil {
			return object{}, err
		}
	}
	inflated, err := zlib.NewReader(r)
	if err != nil {
		return object{}, malformed(err)
	}
	content, err := exactly(inflated, size, 2*limit) // a delta may be larger than what it makes
	if err != nil {
		return object{}, err
	}
	if kind != offsetDelta && kind != refDelta {
		if size > limit {
			return object{}, ErrTooLarge
		}
		return object{kind, content}, nil
	}
	if left.bytes -= int64(len(content) + len(base.content)); left.bytes < 0 {
		return object{}, ErrTooLarge
	}
	base.content, err = applied(content, base.content, limit)
	return base, err
}

// entryHeader reads the kind of an object and the size of what follows, inflated.
func entryHeader(r io.ByteReader) (kind int, size int64, err error) {
	b, err := r.ReadByte()
	kind, size = int(b>>4&7), int64(b&15)
	for shift := 4; err == nil && b&0x80 != 0; shift += 7 {
		if shift > 55 {
			return 0, 0, ErrMalformed
		}
		b, err = r.ReadByte()
		size |= int64(b&0x7f) << shift
	}
	return kind, size, err
}

// offsetBack reads how far before a delta the object is that it rests on.
func offsetBack(r io.ByteReader) (back int64, err error) {
	b, err := r.ReadByte()
	back = int64(b & 0x7f)
	for err == nil && b&0x80 != 0 {
		if back > 1<<48 {
			return 0, ErrMalformed
		}
		b, err = r.ReadByte()
		back = (back+1)<<7 | int64(b&0x7f)
	}
	return back, err
}

// applied returns what a delta makes of its base: copies of parts of that, and bytes of its own.
func applied(delta, base []byte, limit int64) ([]byte, error) {
	r := bytes.NewReader(delta)
	from, err := deltaSize(r)
	if err != nil || from != int64(len(base)) {
		return nil, malformed(err)
	}
	size, err := deltaSize(r)
	if err != nil {
		return nil, malformed(err)
	}
	if size > limit {
		return nil, ErrTooLarge
	}
	content := make([]byte, 0, size)
	for r.Len() > 0 {
		part, err := deltaPart(r, base)
		if err != nil || int64(len(content)+len(part)) > size {
			return nil, malformed(err)
		}
		content = append(content, part...)
	}
	if int64(len(content)) != size {
		return nil, malformed(nil)
	}
	return content, nil
}

// deltaPart reads the next instruction, and returns the bytes that it adds.
func deltaPart(r *bytes.Reader, base []byte) ([]byte, error) {
	op, _ := r.ReadByte()
	if op == 0 { // reserved
		return nil, ErrMalformed
	}
	if op&0x80 == 0 {
		own := make([]byte, op)
		_, err := io.ReadFull(r, own)
		return own, err
	}
	var word [7]byte // the offset in four bytes and the size in three, of which those are written that are not 0
	for i := range word {
		if op>>i&1 == 1 {
			b, err := r.ReadByte()
			if err != nil {
				return nil, err
			}
			word[i] = b
		}
	}
	from := int64(binary.LittleEndian.Uint32(word[:]))
	n := int64(word[4]) | int64(word[5])<<8 | int64(word[6])<<16
	if n == 0 {
		n = 1 << 16
	}
	if from+n > int64(len(base)) {
		return nil, ErrMalformed
	}
	return base[from : from+n], nil
}

// deltaSize reads a size in a delta.
func deltaSize(r io.ByteReader) (size int64, err error) {
	for shift := 0; shift <= 56; shift += 7 {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		size |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			return size, nil
		}
	}
	return 0, ErrMalformed
}
