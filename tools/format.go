package tools

import (
	"context"
	"io"
	"strings"

	"github.com/spillway-go/spillway/internal/page"
)

// Format shows files as text in read that do not hold it as such, or not as a model reads it best: archives, tables,
// documents. Hand it to [New] in [Formats]. It must be safe for concurrent use.
//
// A page has the limits, offsets, notices and redaction of read, and counts the lines of the text. Files over
// MaxFileBytes, and calls with raw=true or an encoding, are shown as they are. grep, edit and write see the file itself.
type Format interface {
	// Describe says in the description of read what is shown and how, such as "a gzip file (.gz) as the text in it".
	Describe() string
	// Is reports whether a file is of the format, by its name in the workspace and its first bytes, at most 8 KiB. It
	// must not keep them.
	Is(name string, head []byte) bool
	// Render writes what is shown of a file, all of whose bytes are data. It ends with ctx. An error shows a text as it
	// is, with a notice that says why; a file that is not text cannot be shown then.
	Render(ctx context.Context, w FormatWriter, data []byte) error
}

// FormatWriter receives what read shows of a file in a [Format].
type FormatWriter interface {
	// Write adds text, in UTF-8. It fails if there is more than MaxFileBytes of it.
	io.Writer
	// Image adds an image, which is shown with the page that has the line written last. mimeType is one of [Image]. read
	// shows eight of a page, scaled down as other images are.
	Image(mimeType string, data []byte)
	// Notice says something below the last page: a sentence without brackets and period, of up to 200 characters.
	Notice(text string)
}

// Formats returns a part that shows files in formats of your own, for [New]. Of several that a file is of, the first
// shows it.
func Formats(list ...Format) Part {
	var p Part
	for _, f := range list {
		p.Formats = append(p.Formats, format{f})
	}
	return p
}

type format struct{ Format }

func (f format) Render(ctx context.Context, w page.Canvas, data []byte) error {
	return f.Format.Render(ctx, w, data)
}

func describeFormats(formats []page.Format) string {
	var text strings.Builder
	for i, f := range formats {
		text.WriteString(", ")
		if i == len(formats)-1 {
			text.WriteString("and ")
		}
		text.WriteString(f.Describe())
	}
	return text.String() + "."
}
