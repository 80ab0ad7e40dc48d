package tools

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // decoders, for image.Decode
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// ImageInfo describes an image as it is in the file.
type ImageInfo struct {
	MIMEType string `json:"mimeType"` // "image/png", "image/jpeg", "image/gif" or "image/webp"
	Width    int    `json:"width"`    // pixels
	Height   int    `json:"height"`   // pixels
	Bytes    int64  `json:"bytes"`    // of the file
	Scaled   bool   `json:"scaled"`   // the one that is shown is smaller
}

const (
	// maxSide is the number of pixels a side over which an image is scaled down:
	// models scale what is larger down themselves, or refuse it.
	maxSide = 2000
	// maxPixels bounds what is decoded, at four bytes a pixel, so that a small
	// file cannot ask for gigabytes.
	maxPixels = 64 << 20
)

var imageNames = map[string]string{"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP"}

func isImage(mime string) bool { return imageNames[mime] != "" }

// readImage is what read does with an image.
func (s *Suite) readImage(f io.ReadSeeker, name string, size int64, kind textfile.Info) (ReadResult, error) {
	if size > s.cfg.MaxFileBytes {
		return ReadResult{}, errorf(TooLarge, "%s is %s of %s, over the limit of %s for a file. %s",
			show(name), kind.Name, truncation.FormatSize(size), truncation.FormatSize(s.cfg.MaxFileBytes), s.smaller())
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return ReadResult{}, failure(err, name)
	}
	data, err := io.ReadAll(io.LimitReader(f, s.cfg.MaxFileBytes))
	if err != nil {
		return ReadResult{}, failure(err, name)
	}
	shape, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return ReadResult{}, errorf(IsBinary, "%s begins like %s, but is broken: %w", show(name), kind.Name, err)
	}
	info := &ImageInfo{MIMEType: kind.Type, Width: shape.Width, Height: shape.Height, Bytes: int64(len(data))}
	text := fmt.Sprintf("Read image: %s, %dx%d, %s", imageNames[kind.Type], shape.Width, shape.Height, truncation.FormatSize(info.Bytes))
	if shape.Width*shape.Height > maxPixels {
		return ReadResult{Image: info}, errorf(TooLarge, "%s (%s) has over %d million pixels. %s", show(name), text, maxPixels>>20, s.smaller())
	}
	// Decoded whole even if it is shown as it is: a model's API refuses a picture
	// that breaks off, and the conversation with it.
	whole, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return ReadResult{Image: info}, errorf(IsBinary, "%s is %s, but broken: %w", show(name), kind.Name, err)
	}
	shown := Image{MIMEType: kind.Type, Data: data}
	if max(shape.Width, shape.Height) > maxSide || info.Bytes > s.cfg.Read.MaxImageBytes {
		w, h, err := shrink(&shown, whole, s.cfg.Read.MaxImageBytes)
		if err != nil {
			return ReadResult{Image: info}, errorf(IOError, "%s (%s) cannot be scaled down: %w", show(name), text, err)
		}
		info.Scaled = true
		text += fmt.Sprintf(", shown scaled down to %dx%d", w, h)
	}
	return ReadResult{Text: text, Images: []Image{shown}, Image: info}, nil
}

// smaller says what to do about an image that is too large.
func (s *Suite) smaller() string {
	if s.tool("bash") == nil {
		return "No tool of this suite can make it smaller"
	}
	return "Make a smaller copy of it with bash"
}

// shrink scales an image down to maxSide, and then by half again and again until
// it takes no more than maxBytes.
func shrink(img *Image, whole image.Image, maxBytes int64) (w, h int, err error) {
	size := whole.Bounds().Size()
	scale := min(1, float64(maxSide)/float64(max(size.X, size.Y)))
	for ; ; scale /= 2 {
		w, h = max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))
		small := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.ApproxBiLinear.Scale(small, small.Bounds(), whole, whole.Bounds(), draw.Src, nil)
		var out bytes.Buffer
		if img.MIMEType == "image/jpeg" {
			err = jpeg.Encode(&out, small, &jpeg.Options{Quality: 85})
		} else {
			img.MIMEType = "image/png"
			err = png.Encode(&out, small)
		}
		if err != nil {
			return 0, 0, err
		}
		if int64(out.Len()) <= maxBytes || w*h == 1 {
			img.Data = out.Bytes()
			return w, h, nil
		}
	}
}
