package picture

import (
	"bytes"
	"encoding/binary"
	"image/png"
)

// Offsets in the file of the fields of a PNG's first chunk, which must be IHDR.
const (
	pngSignature = 8
	pngDepth     = 24
	pngColour    = 25
	pngInterlace = 28
	pngHeaderEnd = 29
)

// Color types of PNG.
const (
	pngGray      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGrayAlpha = 4
)

func (p *Picture) openPNG() error {
	shape, err := png.DecodeConfig(bytes.NewReader(p.Data))
	if err != nil {
		return err
	}
	p.Width, p.Height = shape.Width, shape.Height
	depth, colour := int64(p.Data[pngDepth]), p.Data[pngColour]
	samples, pixel := int64(1), int64(1) // samples a pixel in the file, bytes a pixel in memory
	switch colour {
	case pngGray:
		if p.pngTransparent() {
			pixel = 4
		}
	case pngPalette:
	case pngRGB:
		samples, pixel = 3, 4
	case pngGrayAlpha:
		samples, pixel = 2, 4
	default:
		samples, pixel = 4, 4
	}
	if depth == 16 {
		pixel *= 2
	}
	pixels, row := int64(p.Width)*int64(p.Height), 2*(1+(samples*depth*int64(p.Width)+7)/8)
	p.bytes = pixels*pixel + row
	if p.Data[pngInterlace] != 0 {
		// Seven further images, which together have all pixels, and less than three times the row.
		p.Form = "interlaced"
		p.bytes = 2*pixels*pixel + 3*row
	}
	return nil
}

// pngTransparent reports whether a color stands for transparency, so that the decoder gives each pixel an alpha.
func (p *Picture) pngTransparent() bool {
	for at := int64(pngSignature); at+8 <= int64(len(p.Data)); {
		name := string(p.Data[at+4 : at+8])
		if name == "tRNS" || name == "IDAT" {
			return name == "tRNS"
		}
		at += 12 + int64(binary.BigEndian.Uint32(p.Data[at:])) // with its length, name and checksum
	}
	return false
}
