package picture

import (
	"encoding/binary"
	"errors"
)

var (
	errWebP      = errors.New("webp: no image")
	errWebPShort = errors.New("webp: it breaks off")
)

// Bits of a VP8X chunk.
const (
	webpAnimated = 1 << 1
	webpAlpha    = 1 << 4
)

const (
	webpHeader = 12 // RIFF, the length, WEBP
	webpFrame  = 16 // bytes of an ANMF chunk before the chunks of the frame

	// losslessBytes is the memory for a pixel of a lossless image: four bytes, as many again to turn a palette into
	// colors, and less than one for the other transformations. Code trees are not counted. A file can have 140 MiB of
	// them, in the 2600 groups at which the decoder stops; they are garbage when the palette is applied, so that with
	// maxLossless everything stays below 256 MiB.
	losslessBytes = 9
)

type webpImage struct {
	header        []byte // the payload of VP8X, or nil
	alpha         []byte // the chunks, with their names and lengths, or nil
	pixels        []byte
	lossless      bool
	width, height int
	frame         []byte // the payload of the first ANMF, or nil
}

func (p *Picture) openWebP() error {
	if len(p.Data) < webpHeader {
		return errWebPShort
	}
	file, err := webpChunks(p.Data[webpHeader:])
	if err != nil {
		return err
	}
	if file.header != nil && file.header[0]&webpAnimated != 0 && file.frame != nil {
		p.Form = "animated"
		if file, err = webpChunks(file.frame[webpFrame:]); err != nil {
			return err
		}
		p.Data = file.still()
	}
	if file.pixels == nil {
		return errWebP
	}
	p.Width, p.Height, p.maxPixels = file.width, file.height, maxLossless
	p.pixels = int64(file.width) * int64(file.height)
	if file.header != nil {
		// Alpha is decoded with the size in the header before that is compared.
		w, h := webpCanvas(file.header)
		p.pixels = max(p.pixels, int64(w)*int64(h))
	}
	if file.lossless {
		p.bytes = losslessBytes * p.pixels
		return nil
	}
	p.bytes = 2*p.pixels + int64(len(file.pixels)) // with the filter's parameters, and a copy of the file
	if file.alpha == nil {
		p.maxPixels = maxLossy
		return nil
	}
	// Decoded as a lossless image, which keeps one byte in four.
	p.bytes += (losslessBytes + 1) * p.pixels
	return nil
}

// webpChunks reads chunks up to the first image or frame. Each must be complete, because a decoder allocates the size
// that a chunk claims.
func webpChunks(data []byte) (w webpImage, err error) {
	for len(data) >= 8 {
		name, n := string(data[:4]), int64(binary.LittleEndian.Uint32(data[4:]))
		if n > int64(len(data)-8) {
			return w, errWebPShort
		}
		chunk, body := data[:8+n], data[8:8+n]
		switch name {
		case "VP8X":
			if n < 10 {
				return w, errWebPShort
			}
			w.header = body
		case "ALPH":
			w.alpha = chunk
		case "ANMF":
			if n < webpFrame {
				return w, errWebPShort
			}
			w.frame = body
			return w, nil
		case "VP8 ":
			if n < 10 {
				return w, errWebPShort
			}
			w.pixels = chunk
			w.width = int(binary.LittleEndian.Uint16(body[6:])) & 0x3fff
			w.height = int(binary.LittleEndian.Uint16(body[8:])) & 0x3fff
			return w, nil
		case "VP8L":
			if n < 5 {
				return w, errWebPShort
			}
			size := binary.LittleEndian.Uint32(body[1:])
			w.pixels, w.lossless = chunk, true
			w.width, w.height = int(size&0x3fff)+1, int(size>>14&0x3fff)+1
			return w, nil
		}
		data = data[min(8+n+n&1, int64(len(data))):]
	}
	return w, nil
}

func webpCanvas(header []byte) (w, h int) {
	size := func(b []byte) int { return 1 + int(b[0]) + int(b[1])<<8 + int(b[2])<<16 }
	return size(header[4:]), size(header[7:])
}

// still returns a frame as a file.
func (w webpImage) still() []byte {
	chunk := func(file, chunk []byte) []byte {
		file = append(file, chunk...)
		if len(chunk)%2 != 0 {
			file = append(file, 0)
		}
		return file
	}
	file := []byte("RIFF\x00\x00\x00\x00WEBP")
	if w.alpha != nil {
		header := append([]byte("VP8X\x0a\x00\x00\x00"), webpAlpha, 0, 0, 0)
		for _, side := range []int{w.width - 1, w.height - 1} {
			header = append(header, byte(side), byte(side>>8), byte(side>>16))
		}
		file = chunk(chunk(file, header), w.alpha)
	}
	file = chunk(file, w.pixels)
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	return file
}
