package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// The images here are made by hand where the standard library has no encoder, and to
// lie. All of their pixels are the same, so that they are small files.

// pngOf is an image of zeros.
func pngOf(w, h, depth, colour int, interlaced bool) []byte {
	file := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
		named := append([]byte(name), data...)
		file = binary.BigEndian.AppendUint32(append(file, named...), crc32.ChecksumIEEE(named))
	}
	samples := map[int]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	pass := func(w, h int) {
		if w > 0 {
			z.Write(make([]byte, h*(1+(w*samples*depth+7)/8)))
		}
	}
	method := byte(0)
	if interlaced {
		method = 1
		for _, p := range [][4]int{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}} {
			pass((w-p[2]+p[0]-1)/p[0], (h-p[3]+p[1]-1)/p[1])
		}
	} else {
		pass(w, h)
	}
	z.Close()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	chunk("IHDR", append(header, byte(depth), byte(colour), 0, 0, method))
	if colour == 3 {
		chunk("PLTE", []byte{1, 2, 3})
	}
	chunk("IDAT", pixels.Bytes())
	chunk("IEND", nil)
	return file
}

// jpegOf has components sampled as given, 0x22 being two blocks across and down, all of
// whose coefficients are zero. scans is how often they are sent.
func jpegOf(w, h int, progressive bool, scans int, sampling ...byte) []byte {
	segment := func(marker byte, data ...byte) []byte {
		return append([]byte{0xff, marker, byte((len(data) + 2) >> 8), byte(len(data) + 2)}, data...)
	}
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(sampling))}
	scan := []byte{byte(len(sampling))}
	blocks := 0
	for i, hv := range sampling {
		frame = append(frame, byte(i+1), hv, 0)
		scan = append(scan, byte(i+1), 0)
		blocks += int(hv>>4) * int(hv&15)
	}
	h0, v0 := int(sampling[0]>>4), int(sampling[0]&15)
	blocks *= (w + 8*h0 - 1) / (8 * h0) * ((h + 8*v0 - 1) / (8 * v0))
	marker, last, bits := byte(0xc0), byte(63), 2 // the coefficients of a block: the first, and that there are no more
	if progressive {
		marker, last, bits = 0xc2, 0, 1
	}
	one := append([]byte{1}, make([]byte, 15)...) // a code of one bit
	file := slices.Concat([]byte{0xff, 0xd8}, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...), segment(marker, frame...),
		segment(0xc4, slices.Concat([]byte{0}, one, []byte{0})...), segment(0xc4, slices.Concat([]byte{0x10}, one, []byte{0})...))
	for range scans {
		file = slices.Concat(file, segment(0xda, append(scan, 0, last, 0)...), make([]byte, (blocks*bits+7)/8))
	}
	return append(file, 0xff, 0xd9)
}

// riff is a WebP file of chunks.
func riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), slices.Concat(chunks...)...)
	return slices.Concat([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body)
}

func webpChunk(name string, data ...byte) []byte {
	chunk := slices.Concat([]byte(name), binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data)
	return append(chunk, make([]byte, len(data)%2)...)
}

// lossless is the payload of a VP8L chunk that has no bits for its pixels, with the
// transformations that take the longest to undo.
func lossless(w, h int) []byte {
	var bits, n uint64
	var out []byte
	put := func(value uint64, width int) {
		for i := range width {
			bits |= (value >> i & 1) << n
			if n++; n == 8 {
				out, bits, n = append(out, byte(bits)), 0, 0
			}
		}
	}
	put(0x2f, 8)
	put(uint64(w-1), 14)
	put(uint64(h-1), 14)
	put(0, 4)                                                // no alpha, version 0
	tree := func(symbol uint64) { put(0b101|symbol<<3, 11) } // a tree of one symbol
	for kind := range uint64(3) {
		put(1|kind<<1, 3)
		if kind < 2 { // predictor and cross colour: an image of a pixel for each tile
			put(0, 3+1)
			tree(11)
			tree(7)
			tree(7)
			tree(7)
			tree(0)
		}
	}
	put(0, 3) // no further transformation, no cache, one group
	for range 5 {
		tree(1)
	}
	return append(out, make([]byte, 100)...)
}

// lossy is the payload of a VP8 chunk.
func lossy(w, h int) []byte {
	first := min((w+15)/16*((h+15)/16)*2+200, 1<<19-1)
	tag := uint32(first<<5 | 1<<4)
	head := []byte{byte(tag), byte(tag >> 8), byte(tag >> 16), 0x9d, 1, 0x2a, byte(w), byte(w >> 8), byte(h), byte(h >> 8)}
	return append(head, make([]byte, first+(w*h/8+100))...)
}

func extended(flags byte, w, h int) []byte {
	return webpChunk("VP8X", flags, 0, 0, 0, byte(w-1), byte((w-1)>>8), byte((w-1)>>16), byte(h-1), byte((h-1)>>8), byte((h-1)>>16))
}

// animation has the frames' chunks.
func animation(w, h int, frames ...[]byte) []byte {
	chunks := [][]byte{extended(1<<1|1<<4, w, h), webpChunk("ANIM", 0, 0, 0, 0, 0, 0)}
	for _, frame := range frames {
		chunks = append(chunks, webpChunk("ANMF", append(make([]byte, 16), frame...)...))
	}
	return riff(chunks...)
}

func checksum(named []byte) uint32 { return crc32.ChecksumIEEE(named) }
