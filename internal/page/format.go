package page

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
)

// sure returns the encoding of a file that turned out not to be in UTF-8, if there is hardly a doubt of it, and the call
// does not say otherwise.
func (r *reader) sure() string {
	if !r.notUTF8 || r.Encoding != "" || r.kind.Encoding != textfile.UTF8 || r.rendered > 0 {
		return ""
	}
	return textfile.Sure(r.file, r.info.Size(), r.MaxFileBytes)
}

// format says what the file is where that is not UTF-8 with LF, as a reader is told once, and how to remember that.
func (r *reader) format() (notice.Notice, []Shown) {
	f := notice.Format{Encoding: r.kind.Encoding, LineEndings: r.kind.LineEndings, Guessed: r.guessed,
		Path: r.argument(), Edit: r.HasEdit()}
	if !r.guessed && r.kind.Encoding == r.Encoding {
		f.Encoding = textfile.UTF8 // nothing is said of what the call says
	}
	said := f.Notice()
	if said == "" || r.rendered > 0 || !r.guessed && r.IsSpill(r.path) {
		return "", nil
	}
	m := told.Message{Reader: r.reader, Path: r.path.Abs, Kind: "format", Set: told.SetOf(f.String())}
	switch {
	case !r.gets:
		return said, nil
	case r.Told.Knows(m):
		return "", nil
	}
	return said, []Shown{{Keep: func() { r.Told.First(m) }, Undo: func() { r.Told.Drop(m) }}}
}
