package page

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"strings"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/textfile"
)

// maxNotebookImages is the number of images that a page of a notebook shows.
const maxNotebookImages = 8

// notebook returns a page of a notebook's cells. ok is false where the file is to be shown as
// it is; then a notice may say why.
func (r *reader) notebook(ctx context.Context) (res Result, ok bool, err error) {
	size := r.info.Size()
	if r.Request.Raw || !r.isUTF8() || size == 0 || size > r.MaxFileBytes || !notebook.IsName(r.path.Name) {
		return res, false, nil
	}
	r.record = seen.Record(r.file, r.info)
	book, err := r.parse(ctx, size)
	if ctx.Err() != nil {
		return res, false, ctx.Err()
	}
	if err != nil {
		said := notice.Notebook{Broken: err}.Notice()
		r.tell = func(*Result, int) notice.Notice { return said }
		return res, false, nil
	}
	if !r.Redact.Off() {
		text := []byte(book.Text)
		r.secrets = mask.Found(r.Redact.Mask(text))
		book.Text = string(text)
	}
	r.rendered = int64(len(book.Text))
	r.tell = func(res *Result, first int) notice.Notice { return r.notebookImages(ctx, res, book, first) }
	file := textfile.NewFile(strings.NewReader(book.Text), r.rendered, textfile.Info{Encoding: textfile.UTF8})
	index, err := file.Count(ctx)
	if err != nil {
		return res, false, err
	}
	r.text = file.With(index)
	res, err = r.page(ctx, r.span(index))
	return res, true, err
}

// parse reads the notebook, one at a time: each may take a good part of the memory that a
// call may.
func (r *reader) parse(ctx context.Context, size int64) (notebook.Notebook, error) {
	if err := r.Pictures.lock(ctx); err != nil {
		return notebook.Notebook{}, err
	}
	defer r.Pictures.unlock()
	data, err := readAll(ctx, io.NewSectionReader(r.record, 0, size), size)
	if err != nil {
		return notebook.Notebook{}, err
	}
	return notebook.Parse(ctx, bytes.TrimPrefix(data, []byte("\ufeff")))
}

// notebookImages adds the images of a page that begins at a line, and returns the notice for those that
// it leaves out.
func (r *reader) notebookImages(ctx context.Context, res *Result, book notebook.Notebook, first int) notice.Notice {
	left := notice.Notebook{CellsLeft: book.CellsLeft && res.NextOffset == 0, Path: r.argument()}
	room := r.Limits.MaxImageBytes
	for _, img := range book.Images {
		if img.Line < first || res.NextOffset > 0 && img.Line >= res.NextOffset {
			continue
		}
		if left.Images == 0 && len(res.Images) < maxNotebookImages {
			shown, err := r.decodeImage(ctx, img)
			if err != nil {
				left.Undecoded++
				continue
			}
			if size := int64(len(shown.Data)); size <= room || len(res.Images) == 0 {
				room -= size
				res.Images = append(res.Images, shown)
				continue
			}
		}
		left.Images++
		if left.Images == 1 {
			left.Line = img.Line
		}
	}
	return left.Notice()
}

// decodeImage decodes an image of a notebook, one at a time.
func (r *reader) decodeImage(ctx context.Context, img notebook.Image) (Image, error) {
	data, err := base64.StdEncoding.DecodeString(img.Base64) // which skips line breaks
	if err != nil {
		return Image{}, err
	}
	if err := r.Pictures.lock(ctx); err != nil {
		return Image{}, err
	}
	defer r.Pictures.unlock()
	pic, err := picture.Open(img.Type, data)
	if err != nil {
		return Image{}, err
	}
	shown, _, err := r.Pictures.show(ctx, pic)
	return shown, err
}
