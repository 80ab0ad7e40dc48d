package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// band is the number of lines that are scaled between two checks of the context.
const band = 32

// Shrink scales an image down to sides of at most maxSide pixels, and then halves it until it takes at most maxBytes,
// as a JPEG or a PNG.
func Shrink(
	ctx context.Context, whole image.Image, asJPEG bool, maxSide int, maxBytes int64,
) (data []byte, size image.Point, err error) {
	side := whole.Bounds().Size()
	scale := min(1, float64(maxSide)/float64(max(side.X, side.Y)))
	for ; ; scale /= 2 {
		size = image.Pt(max(1, int(float64(side.X)*scale)), max(1, int(float64(side.Y)*scale)))
		small := image.NewRGBA(image.Rectangle{Max: size})
		for y := 0; y < size.Y; y += band {
			if err := ctx.Err(); err != nil {
				return nil, size, err
			}
			lines := small.SubImage(image.Rect(0, y, size.X, min(y+band, size.Y))).(*image.RGBA)
			draw.ApproxBiLinear.Scale(lines, small.Bounds(), whole, whole.Bounds(), draw.Src, nil)
		}
		out := &writer{ctx: ctx, maxBytes: maxBytes}
		if size.X*size.Y == 1 {
			out.maxBytes = 1 << 20 // a single pixel cannot get smaller
		}
		if asJPEG {
			err = jpeg.Encode(out, small, &jpeg.Options{Quality: 85})
		} else {
			err = png.Encode(out, small)
		}
		switch {
		case err == nil:
			return out.out.Bytes(), size, nil
		case !errors.Is(err, errFull):
			return nil, size, err
		}
	}
}

var errFull = errors.New("the image takes too many bytes")

// writer takes at most maxBytes, until a context ends.
type writer struct {
	ctx      context.Context // in a field, because encoders call Write without one
	out      bytes.Buffer
	maxBytes int64
}

func (w *writer) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	if int64(w.out.Len()+len(p)) > w.maxBytes {
		return 0, errFull
	}
	return w.out.Write(p)
}
