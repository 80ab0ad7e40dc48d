package tools

import (
	"context"
	"fmt"
	"image"
	"io"

	"github.com/spillway-go/spillway/internal/picture"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

// ImageInfo describes an image as it is in the file.
type ImageInfo struct {
	MIMEType string `json:"mimeType"` // "image/png", "image/jpeg", "image/gif" or "image/webp"
	Width    int    `json:"width"`    // pixels
	Height   int    `json:"height"`   // pixels
	Bytes    int64  `json:"bytes"`    // of the file
	Scaled   bool   `json:"scaled"`   // the one that is shown is smaller
}

// maxSide is the number of pixels a side over which an image is scaled down:
// models scale what is larger down themselves, or refuse it.
const maxSide = 2000

var imageNames = map[string]string{"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP"}

func isImage(mime string) bool { return imageNames[mime] != "" }

// readImage reads an image. One image at a time is decoded: each may take most of the memory
// that a call may.
func (s *Suite) readImage(ctx context.Context, f io.ReadSeeker, name string, length int64, kind textfile.Info) (ReadResult, error) {
	if most := min(s.cfg.MaxFileBytes, picture.MaxBytes); length > most {
		return ReadResult{}, errorf(CodeTooLarge, "%s is %s of %s, over the limit of %s for a file. %s",
			show(name), kind.Name, size.File(length), size.File(most), s.smaller())
	}
	if err := s.lockPictures(ctx); err != nil {
		return ReadResult{}, failure(err, name)
	}
	defer s.unlockPictures()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return ReadResult{}, failure(err, name)
	}
	data, err := readAll(ctx, f, length)
	if err != nil {
		return ReadResult{}, failure(err, name)
	}
	pic, err := picture.Open(kind.Type, data)
	if err != nil {
		return ReadResult{}, s.imageError(ctx, err, name, kind, nil)
	}
	res := ReadResult{Image: &ImageInfo{MIMEType: kind.Type, Width: pic.Width, Height: pic.Height, Bytes: int64(len(data))}}
	res.Text = fmt.Sprintf("Read image: %s, %dx%d, %s", imageNames[kind.Type], pic.Width, pic.Height, size.Format(int64(len(data))))
	if kind.Type == "image/webp" && pic.Form != "" {
		res.Text += ", the first frame of an animation"
	}
	if err := s.showImage(ctx, &res, pic); err != nil {
		return ReadResult{Image: res.Image}, s.imageError(ctx, err, name, kind, pic)
	}
	return res, nil
}

// lockPictures waits until no other picture, and no notebook, is decoded.
func (s *Suite) lockPictures(ctx context.Context) error {
	select {
	case s.pictures <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Suite) unlockPictures() { <-s.pictures }

// readAll reads as much of a file as it had when it was looked at, or what there still
// is of that.
func readAll(ctx context.Context, f io.Reader, size int64) ([]byte, error) {
	const piece = 1 << 20 // bytes that even a slow disk has in less than a second
	data := make([]byte, size)
	for n := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := io.ReadFull(f, data[n:min(n+piece, len(data))])
		if n += m; n == len(data) || err == io.EOF || err == io.ErrUnexpectedEOF {
			return data[:n], nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// showImage decodes the picture, even if it is shown as it is: a model's API refuses one
// that breaks off, and the conversation with it.
func (s *Suite) showImage(ctx context.Context, res *ReadResult, pic *picture.Picture) error {
	whole, err := pic.Decode(ctx)
	if err != nil {
		return err
	}
	shown := Image{MIMEType: pic.MIMEType, Data: pic.Data}
	if most := s.cfg.Read.MaxImageBytes; max(pic.Width, pic.Height) > maxSide || int64(len(pic.Data)) > most {
		isJPEG := pic.MIMEType == "image/jpeg"
		if !isJPEG {
			shown.MIMEType = "image/png"
		}
		var size image.Point
		if shown.Data, size, err = picture.Shrink(ctx, whole, isJPEG, maxSide, most); err != nil {
			return err
		}
		res.Image.Scaled = true
		res.Text += fmt.Sprintf(", shown scaled down to %dx%d", size.X, size.Y)
	}
	res.Images = []Image{shown}
	return nil
}

// imageError returns the error for a picture that cannot be shown, nil where not even its
// headers can be read.
func (s *Suite) imageError(ctx context.Context, err error, name string, kind textfile.Info, pic *picture.Picture) error {
	if ctx.Err() != nil {
		return failure(ctx.Err(), name)
	}
	with := []string{"{cause}", err.Error(), "{kind}", kind.Name, "{smaller}", s.smaller(), "{convert}", s.other()}
	if pic == nil {
		return advise(opening, err, name, with...)
	}
	pixels := fmt.Sprintf("%dx%d", pic.Width, pic.Height)
	return advise(showing, err, name, append(with, "{size}", pixels, "{form}", form(pic))...)
}

// form returns the details of a picture's kind that explain how much it takes.
func form(pic *picture.Picture) string {
	if pic.Form == "" {
		return ""
	}
	return ", " + pic.Form + ","
}

// smaller says what to do about an image that is too large.
func (s *Suite) smaller() string {
	if s.tool("bash") == nil {
		return "No tool of this suite can make it smaller"
	}
	return "Make a smaller copy of it with bash"
}

// other says what to do about an image of a kind that no decoder knows.
func (s *Suite) other() string {
	if s.tool("bash") == nil {
		return "No tool of this suite can convert it"
	}
	return "Convert it to PNG with bash"
}
