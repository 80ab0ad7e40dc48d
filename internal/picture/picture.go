// Package picture decodes and scales images in bounded memory, and stops when its context ends.
//
// It estimates a decoder's allocations from the headers before starting it: a small file can demand gigabytes, and a
// progressive JPEG of few pixels can demand more than a plain one of many.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

const (
	// MaxBytes bounds the memory of the file and its decoder: half of the 256 MiB that a call may hold, because as
	// much garbage may pile up. It is enough for a progressive JPEG of 17 million pixels, a plain one of 64 million,
	// or a PNG of 33 million with alpha.
	MaxBytes = 128 << 20
	// MaxPixels bounds the time of decoding if that takes little memory, and the time after the file has been read,
	// when the context is no longer checked.
	MaxPixels = 64 << 20
	// maxLossless and maxLossy are MaxPixels for WebP, whose decoders read everything before they work: this many
	// pixels take half a second at worst. A screen of 3840x2160 is below the first.
	maxLossless = 8 << 20
	maxLossy    = 16 << 20
)

// ErrBroken is wrapped by errors about data that is not an image of its format.
var ErrBroken = errors.New("broken")

// ErrUnsupported is wrapped by errors about images that may be valid but that this
// package cannot decode: an unusual sampling, 12 bits, CMYK without Adobe's marker.
var ErrUnsupported = errors.New("of a kind that cannot be decoded here")

// A TooLargeError reports an image that is too large to decode.
type TooLargeError struct {
	Pixels, MaxPixels int64
	Bytes             int64 // to decode it; 0 if the pixels alone are too many
}

func (e *TooLargeError) Error() string {
	if e.Bytes == 0 {
		return fmt.Sprintf("has %d million pixels, over the limit of %d", e.Pixels>>20, e.MaxPixels>>20)
	}
	return fmt.Sprintf("takes %dMB of memory to decode, over the limit of %dMB", (e.Bytes+1<<20-1)>>20, MaxBytes>>20)
}

// Picture is an image that is not yet decoded.
type Picture struct {
	MIMEType      string
	Width, Height int
	Form          string // "progressive", "interlaced", "animated" or ""
	Data          []byte // the file, or the first frame of an animated WebP as a file

	bytes     int64 // the memory that decoding takes
	pixels    int64
	maxPixels int64
}

// Open reads the headers of an image of type "image/png", "image/jpeg", "image/gif" or "image/webp". It keeps data. An
// error wraps ErrBroken or ErrUnsupported.
func Open(mimeType string, data []byte) (*Picture, error) {
	p := &Picture{MIMEType: mimeType, Data: data, maxPixels: MaxPixels}
	var err error
	switch mimeType {
	case "image/png":
		err = p.openPNG()
	case "image/jpeg":
		err = p.openJPEG()
	case "image/gif":
		err = p.openGIF()
	case "image/webp":
		err = p.openWebP()
	default:
		err = fmt.Errorf("unknown type %s", mimeType)
	}
	if err != nil {
		return nil, refused(err)
	}
	p.pixels = max(p.pixels, int64(p.Width)*int64(p.Height))
	return p, nil
}

func refused(err error) error {
	why := ErrBroken
	if errors.As(err, new(jpeg.UnsupportedError)) || errors.As(err, new(png.UnsupportedError)) {
		why = ErrUnsupported
	}
	return fmt.Errorf("%w: %w", why, err)
}

func (p *Picture) openGIF() error {
	shape, err := gif.DecodeConfig(bytes.NewReader(p.Data))
	p.Width, p.Height = shape.Width, shape.Height
	// The first frame, which is at most as large as the screen, and the same again if it is interlaced.
	p.bytes = 2 * int64(shape.Width) * int64(shape.Height)
	return err
}

// Check returns a *TooLargeError for a picture that Decode refuses.
func (p *Picture) Check() error {
	if p.pixels > p.maxPixels {
		return &TooLargeError{Pixels: p.pixels, MaxPixels: p.maxPixels}
	}
	if total := p.bytes + int64(len(p.Data)); total > MaxBytes {
		return &TooLargeError{Pixels: p.pixels, MaxPixels: p.maxPixels, Bytes: total}
	}
	return nil
}

// Decode decodes the picture, or the first frame or default image of an animated one. The
// error is that of ctx, a *TooLargeError, or wraps ErrBroken or ErrUnsupported.
func (p *Picture) Decode(ctx context.Context) (img image.Image, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, r: bytes.NewReader(p.Data)}
	switch p.MIMEType {
	case "image/png":
		img, err = png.Decode(r)
	case "image/jpeg":
		img, err = jpeg.Decode(r)
	case "image/gif":
		img, err = gif.Decode(r)
	case "image/webp":
		img, err = webp.Decode(r)
	}
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, refused(err)
	}
	return img, nil
}

// step is after how many bytes the context is checked. A scan of a progressive JPEG, which visits all of its
// coefficients, may be as short.
const step = 64

// reader reads until a context ends.
type reader struct {
	ctx context.Context // in a field, because decoders call Read without one
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p[:min(len(p), step)])
}
