package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Format shows files in another form. It has the methods of tools.Format.
type Format interface {
	Describe() string
	Is(name string, head []byte) bool
	Render(ctx context.Context, w Canvas, data []byte) error
}

// Canvas receives what is shown of a file. It has the methods of tools.FormatWriter.
type Canvas interface {
	io.Writer
	Image(mimeType string, data []byte)
	Notice(text string)
}

// rendering is what a format shows of a file. It is the Canvas.
type rendering struct {
	text    []byte
	most    int64 // limit for the text, in bytes
	lines   int   // finished lines
	images  []figure
	note    string
	secrets *mask.File // found in text; nil if nothing is redacted
}

// figure is an image, in place of a line.
type figure struct {
	line int // from 1
	Image
}

// errLong is the error for a text over the limit.
var errLong = errors.New("as text it is over the limit")

func (c *rendering) Write(p []byte) (int, error) {
	if int64(len(c.text)+len(p)) > c.most {
		return 0, fmt.Errorf("%w of %s for a whole file", errLong, size.File(c.most))
	}
	c.text = append(c.text, p...)
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

func (c *rendering) Image(mimeType string, data []byte) {
	line := c.lines
	if len(c.text) > 0 && !bytes.HasSuffix(c.text, []byte("\n")) {
		line++
	}
	c.images = append(c.images, figure{max(line, 1), Image{mimeType, data}})
}

func (c *rendering) Notice(text string) { c.note = oneLine(text) }

// oneLine makes a format's message fit for a notice.
func oneLine(text string) string { return quote.Value(strings.Join(strings.Fields(text), " ")) }

// render shows the file in its format. If the format fails, a text is shown as it is, and failed says why.
func (r *reader) render(ctx context.Context, file io.ReaderAt) (shown *rendering, failed notice.Notice, err error) {
	shown, err = r.rendering(ctx, file)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil && r.kind.Binary:
		code := fault.IsBinary
		if errors.Is(err, errLong) {
			code = fault.TooLarge
		}
		return nil, "", fault.Errorf(code, "%s cannot be shown: %s", quote.Value(r.path.Name), oneLine(err.Error()))
	case err != nil:
		return nil, notice.Rendered{Failed: oneLine(err.Error())}.Notice(), nil
	}
	if !r.Redact.Off() {
		shown.secrets = mask.Found(r.Redact.Mask(shown.text))
	}
	return shown, "", nil
}

// rendering reads the file, one at a time, because each may take a good part of the memory that a call may.
func (r *reader) rendering(ctx context.Context, file io.ReaderAt) (*rendering, error) {
	if err := r.Pictures.lock(ctx); err != nil {
		return nil, err
	}
	defer r.Pictures.unlock()
	size := r.info.Size()
	data, err := readAll(ctx, io.NewSectionReader(file, 0, size), size)
	if err != nil {
		return nil, err
	}
	shown := &rendering{most: r.MaxFileBytes}
	return shown, r.form.Render(ctx, shown, data)
}

func (c *rendering) file() textfile.File {
	return textfile.NewFile(bytes.NewReader(c.text), int64(len(c.text)), textfile.Info{Encoding: textfile.UTF8})
}

// maxImages is the number of images that a page shows in a format.
const maxImages = 8

// showImages returns the images of a page from its first line to before next, if that is not 0, and the notice about
// those left out.
func (r *reader) showImages(
	ctx context.Context, shown *rendering, first, next int,
) (images []Image, said notice.Notice) {
	left := notice.Rendered{Path: r.argument}
	if next == 0 {
		left.Note = shown.note
	}
	room := r.Limits.MaxImageBytes
	for _, img := range shown.images {
		if img.line < first || next > 0 && img.line >= next {
			continue
		}
		if left.Images == 0 && len(images) < maxImages {
			shown, err := r.decodeImage(ctx, img.Image)
			if err != nil {
				left.Undecoded++
				continue
			}
			if size := int64(len(shown.Data)); size <= room || len(images) == 0 {
				room -= size
				images = append(images, shown)
				continue
			}
		}
		left.Images++
		if left.Images == 1 {
			left.Line = img.line
		}
	}
	return images, left.Notice()
}

// decodeImage decodes an image, one at a time.
func (r *reader) decodeImage(ctx context.Context, img Image) (Image, error) {
	if err := r.Pictures.lock(ctx); err != nil {
		return Image{}, err
	}
	defer r.Pictures.unlock()
	pic, err := picture.Open(img.MIMEType, img.Data)
	if err != nil {
		return Image{}, err
	}
	shown, _, err := r.Pictures.show(ctx, pic)
	return shown, err
}
