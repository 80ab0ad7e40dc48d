package picture

import (
	"bytes"
	"errors"
	"image/jpeg"
)

const (
	jpegSOF0 = 0xc0 // the header of a frame: its size and components
	jpegSOF2 = 0xc2 // the same for a progressive image
	jpegRST0 = 0xd0
	jpegRST7 = 0xd7
	jpegEOI  = 0xd9
	jpegSOS  = 0xda // pixels follow
)

const (
	jpegBlock        = 64     // samples of a block, one byte each in memory
	jpegCoefficients = 64 * 4 // bytes that a progressive image needs for each block until its end
)

func (p *Picture) openJPEG() error {
	frame, progressive := jpegFrame(p.Data)
	whole := len(frame) >= 6 && len(frame) >= 6+3*int(frame[5]) && frame[5] != 0
	shape, err := jpeg.DecodeConfig(bytes.NewReader(p.Data))
	// DecodeConfig would call an incomplete frame unsupported.
	if !whole && (frame != nil || err == nil) {
		return errors.New("jpeg: no frame")
	}
	if err != nil {
		return err
	}
	p.Width, p.Height = shape.Width, shape.Height
	components := int(frame[5])
	// Components are sampled in units of so many blocks, given by the first one.
	h, v := sampling(frame, 0)
	if components == 1 {
		h, v = 1, 1
	}
	if h == 0 || v == 0 {
		return errors.New("jpeg: no sampling")
	}
	units := ((int64(p.Width) + 8*h - 1) / (8 * h)) * ((int64(p.Height) + 8*v - 1) / (8 * v))
	blocks := int64(0)
	for i := range components {
		h, v := sampling(frame, i)
		if components == 1 {
			h, v = 1, 1
		}
		blocks += units * h * v
	}
	p.bytes = blocks * jpegBlock
	if progressive {
		p.Form = "progressive"
		p.bytes += blocks * jpegCoefficients
	}
	// Four components, and three that are red, green and blue, are converted to a second image. Such components have
	// these names, or the file has Adobe's marker.
	named := components == 3 && frame[6] == 'R' && frame[9] == 'G' && frame[12] == 'B'
	if components == 4 || named || bytes.Contains(p.Data, []byte("Adobe")) {
		p.bytes += 4 * int64(p.Width) * int64(p.Height)
	}
	return nil
}

// sampling returns the number of blocks, across and down, of a component in a unit of a frame.
func sampling(frame []byte, component int) (h, v int64) {
	hv := frame[6+3*component+1]
	return int64(hv >> 4), int64(hv & 15)
}

// jpegFrame finds the header of the frame like image/jpeg, which skips garbage, because the decoder must not find
// another one.
func jpegFrame(data []byte) (frame []byte, progressive bool) {
	for at := 2; at+1 < len(data); {
		if data[at] != 0xff {
			at++
			continue
		}
		marker := data[at+1]
		at += 2
		if marker == 0 {
			continue
		}
		for ; marker == 0xff && at < len(data); at++ {
			marker = data[at]
		}
		if marker == jpegEOI || marker == jpegSOS || at+2 > len(data) {
			break
		}
		if jpegRST0 <= marker && marker <= jpegRST7 {
			continue
		}
		end := at + int(data[at])<<8 + int(data[at+1])
		if end < at+2 || end > len(data) {
			break
		}
		if jpegSOF0 <= marker && marker <= jpegSOF2 {
			return data[at+2 : end], marker == jpegSOF2
		}
		at = end
	}
	return nil, false
}
