package page

import (
	"context"
	"fmt"
	"image"
	"io"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Info describes an image as it is in the file.
type Info struct {
	MIMEType      string
	Width, Height int // pixels
	Bytes         int64
	Scaled        bool // a smaller one is shown
}

// maxSide is the largest side of an image, in pixels, that is not scaled down: models scale larger ones down
// themselves, or refuse them.
const maxSide = 2000

var ImageNames = map[string]string{"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP"}

// IsImage reports whether a MIME type is that of an image that is shown.
func IsImage(mime string) bool { return ImageNames[mime] != "" }

// Pictures decodes images and files in formats, one at a time, because each may take most of the memory that a call
// may.
type Pictures struct {
	maxFileBytes, maxImageBytes int64
	hasBash                     func() bool
	busy                        chan struct{}
}

// NewPictures returns a decoder for images in files of at most maxFileBytes, which scales them down to maxImageBytes.
// hasBash says whether a model can run commands. Of all decoders that share busy, which has room for one element, one
// decodes at a time.
func NewPictures(maxFileBytes, maxImageBytes int64, hasBash func() bool, busy chan struct{}) *Pictures {
	return &Pictures{maxFileBytes, maxImageBytes, hasBash, busy}
}

// lock waits until nothing else is decoded.
func (p *Pictures) lock(ctx context.Context) error {
	select {
	case p.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Pictures) unlock() { <-p.busy }

func (p *Pictures) read(
	ctx context.Context, f io.ReadSeeker, name string, length int64, kind textfile.Info,
) (Result, error) {
	if most := min(p.maxFileBytes, picture.MaxBytes); length > most {
		return Result{}, fault.Errorf(fault.TooLarge, "%s is %s of %s, over the limit of %s for a file. %s",
			quote.Value(name), kind.Name, size.File(length), size.File(most), p.suggest("make it smaller"))
	}
	if err := p.lock(ctx); err != nil {
		return Result{}, advice.Of(advice.Reading, err, name)
	}
	defer p.unlock()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Result{}, advice.Of(advice.Reading, err, name)
	}
	data, err := readAll(ctx, f, length)
	if err != nil {
		return Result{}, advice.Of(advice.Reading, err, name)
	}
	pic, err := picture.Open(kind.Type, data)
	if err != nil {
		return Result{}, p.refused(ctx, err, name, kind, nil)
	}
	info := Info{MIMEType: kind.Type, Width: pic.Width, Height: pic.Height, Bytes: int64(len(data))}
	res := Result{Image: &info}
	shown, scaled, err := p.show(ctx, pic)
	if err != nil {
		return res, p.refused(ctx, err, name, kind, pic)
	}
	res.Images = []Image{shown}
	res.Text = fmt.Sprintf("Read image: %s, %dx%d, %s",
		ImageNames[kind.Type], pic.Width, pic.Height, size.Format(int64(len(data))))
	if kind.Type == "image/webp" && pic.Form != "" {
		res.Text += ", the first frame of an animation"
	}
	if scaled != (image.Point{}) {
		res.Image.Scaled = true
		res.Text += fmt.Sprintf(", shown scaled down to %dx%d", scaled.X, scaled.Y)
	}
	return res, nil
}

// readAll reads at most size bytes, the former size of a file.
func readAll(ctx context.Context, f io.Reader, size int64) ([]byte, error) {
	const piece = 1 << 20 // bytes that even a slow disk delivers in less than a second
	data := make([]byte, size)
	for n := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := io.ReadFull(f, data[n:min(n+piece, len(data))])
		n += m
		if n == len(data) || err == io.EOF || err == io.ErrUnexpectedEOF {
			return data[:n], nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// show decodes the picture, even if it is shown unchanged: a model's API refuses a truncated one, and the conversation
// with it. It returns the size of a picture that was scaled down, or zero.
func (p *Pictures) show(ctx context.Context, pic *picture.Picture) (shown Image, scaled image.Point, err error) {
	whole, err := pic.Decode(ctx)
	if err != nil {
		return shown, scaled, err
	}
	shown = Image{MIMEType: pic.MIMEType, Data: pic.Data}
	if max(pic.Width, pic.Height) > maxSide || int64(len(pic.Data)) > p.maxImageBytes {
		isJPEG := pic.MIMEType == "image/jpeg"
		if !isJPEG {
			shown.MIMEType = "image/png"
		}
		shown.Data, scaled, err = picture.Shrink(ctx, whole, isJPEG, maxSide, p.maxImageBytes)
	}
	return shown, scaled, err
}

// refused returns the error for a picture that cannot be shown, or nil if not even its headers can be read.
func (p *Pictures) refused(
	ctx context.Context, err error, name string, kind textfile.Info, pic *picture.Picture,
) error {
	if ctx.Err() != nil {
		return advice.Of(advice.Reading, ctx.Err(), name)
	}
	with := []string{"{cause}", err.Error(), "{kind}", kind.Name,
		"{smaller}", p.suggest("make it smaller"), "{convert}", p.suggest("convert it")}
	if pic == nil {
		return advice.Of(advice.Opening, err, name, with...)
	}
	pixels, form := fmt.Sprintf("%dx%d", pic.Width, pic.Height), ""
	if pic.Form != "" {
		form = ", " + pic.Form + ","
	}
	return advice.Of(advice.Showing, err, name, append(with, "{size}", pixels, "{form}", form)...)
}

// suggest says what to do with an image that cannot be shown without something.
func (p *Pictures) suggest(something string) string {
	switch {
	case !p.hasBash():
		return "No tool of this suite can " + something
	case something == "convert it":
		return "Convert it to PNG with bash"
	}
	return "Make a smaller copy of it with bash"
}
