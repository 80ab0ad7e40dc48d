package page

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
)

// decoded returns a reader of the same file in the encoding that it clearly is in, if it turned out not to be in UTF-8
// and the call does not say what it is in. Otherwise it returns r.
func (r reader) decoded() (reader, error) {
	if r.Encoding != "" || !r.notUTF8 && r.kind.Likely == "" || r.form != nil {
		return r, nil
	}
	encoding := textfile.Sure(r.file, r.info.Size(), r.MaxFileBytes)
	if encoding == "" {
		return r, nil
	}
	kind, err := sniff(r.file, encoding, func([]byte) {})
	decoded := reader{Viewer: r.Viewer, Request: r.Request, room: r.room, path: r.path, file: r.file, info: r.info,
		kind: kind, receipts: r.receipts, printed: r.printed, guessed: true}
	decoded.Encoding = encoding
	if r.room.ofSeveral { // which must have room for what is said of this one
		decoded.room.Bytes = max(r.room.Bytes-guessRoom-len(r.argument()), 1)
	}
	return decoded, err
}

// guessRoom is what the notice of a guess takes, besides the file's name.
const guessRoom = 180

// format says what the file is where that is not UTF-8 with LF, as a reader is told once, and how to remember that. It
// can wait for another call where there is no room for it beside so many bytes, unless the encoding is a guess.
func (r *reader) format(bytes int) (notice.Notice, []Shown) {
	f := notice.Format{Encoding: r.kind.Encoding, LineEndings: r.kind.LineEndings, Guessed: r.guessed,
		Path: r.argument(), Edit: r.HasEdit()}
	if !r.guessed && r.kind.Encoding == r.Encoding {
		f.Encoding = textfile.UTF8 // nothing is said of what the call says
	}
	said := f.Notice()
	if said == "" || r.rendered != nil || !r.guessed && r.IsSpill(r.path) {
		return "", nil
	}
	if r.room.ofSeveral && !r.guessed && bytes+len(said) > r.room.Bytes {
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
