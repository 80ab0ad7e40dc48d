//go:build linux

package hostile_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
)

// side is the width and height of the pictures, in pixels.
const side = 8192

var pictures = []hostile{
	{name: "picture: a progressive JPEG", build: picture("p.jpg", func() []byte { return progressive(side, 1) }), calls: look},
	{name: "picture: a progressive JPEG of many scans", build: picture("p.jpg", func() []byte { return progressive(2048, 200) }), calls: look},
	{name: "picture: a PNG, interlaced, with 16 bits", build: picture("p.png", func() []byte { return interlaced(side) }), calls: look},
	{name: "picture: a GIF of several frames", build: picture("p.gif", frames), calls: look},
	{name: "picture: a PNG that promises more than it holds", build: picture("p.png", func() []byte { return interlaced(side)[:1000] }), calls: look},
}

// look reads a picture, by itself and several times in one call.
var look = []call{
	{tool: "read", args: args{"path": "p.jpg"}},
	{tool: "read", args: args{"path": "p.png"}},
	{tool: "read", args: args{"path": "p.gif"}},
	{tool: "read", args: args{"paths": []string{"p.jpg", "p.png", "p.gif", "p.jpg", "p.png", "p.gif"}}},
}

func picture(name string, data func() []byte) builder {
	return func(dir string) error { return fill(name, piece{string(data()), 1})(dir) }
}

// progressive is a grey JPEG (ITU-T T.81) in three components of full size, with one
// scan of DC coefficients and so many for AC. Every block is one bit of it in each.
func progressive(side, scans int) []byte {
	var b bytes.Buffer
	segment := func(marker byte, data ...byte) {
		b.Write([]byte{0xff, marker})
		binary.Write(&b, binary.BigEndian, uint16(len(data)+2))
		b.Write(data)
	}
	b.Write([]byte{0xff, 0xd8})
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	hi, lo := byte(side>>8), byte(side)
	segment(0xc2, 8, hi, lo, hi, lo, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
	for _, class := range []byte{0x00, 0x10} { // one code, of one bit, for the value 0
		segment(0xc4, append(append([]byte{class, 1}, make([]byte, 15)...), 0)...)
	}
	blocks := side / 8 * side / 8
	segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)
	b.Write(make([]byte, 3*blocks/8))
	for range scans {
		for component := byte(1); component <= 3; component++ {
			segment(0xda, 1, component, 0, 1, 63, 0)
			b.Write(make([]byte, blocks/8))
		}
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

// interlaced is a black PNG with 16 bits in each of four channels, in seven passes.
func interlaced(side int) []byte {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		binary.Write(&b, binary.BigEndian, uint32(len(data)))
		both := append([]byte(kind), data...)
		b.Write(both)
		binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(both))
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(side))
	header = binary.BigEndian.AppendUint32(header, uint32(side))
	chunk("IHDR", append(header, 16, 6, 0, 0, 1))
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	for _, pass := range [][2]int{{8, 8}, {8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}} { // distances between columns and rows
		row := make([]byte, 1+8*(side/pass[0]))
		for range side / pass[1] {
			z.Write(row)
		}
	}
	z.Close()
	chunk("IDAT", data.Bytes())
	chunk("IEND", nil)
	return b.Bytes()
}

// frames is a GIF of three frames.
func frames() []byte {
	p := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{p, p, p}, Delay: []int{1, 1, 1}}); err != nil {
		panic(err)
	}
	return b.Bytes()
}
