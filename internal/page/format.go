package page

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
)

// decoded returns a reader of the same file in the encoding that it clearly is in, if it turned out not to be in UTF-8
// and the call does not say what it is in. Otherwise it returns r.
func (r reader) decoded() (reader, error) {
	if r.Encoding != "" || !r.notUTF8 && r.kind.Likely == "" || r.rendered > 0 {
		return r, nil
	}
	encoding := textfile.Sure(r.file, r.info.Size(), r.MaxFileBytes)
	if encoding == "" {
		return r, nil
	}
	kind, err := sniff(r.file, encoding)
	decoded := reader{Viewer: r.Viewer, Request: r.Request, room: r.room, path: r.path, file: r.file, info: r.info,
		kind: kind, receipts: r.receipts, guessed: true}
	decoded.Encoding = encoding
	return decoded, err
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
