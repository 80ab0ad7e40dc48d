package page

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
)

// decoded returns a reader of the same file in the encoding that it clearly is in, if it is not in UTF-8 and the call
// does not say what it is in. Otherwise it returns r.
func (r reader) decoded() (reader, error) {
	if r.Encoding != "" {
		return r, nil
	}
	encoding := textfile.Sure(r.file, r.info.Size(), r.MaxFileBytes)
	if encoding == "" {
		return r, nil
	}
	var err error
	r.Encoding, r.guessed = encoding, true
	r.kind, r.form, err = r.sniff(r.file, r.Request, r.path.Name, r.info.Size())
	if r.room.ofSeveral { // which must have room for what is said of this one
		r.room.Bytes = max(r.room.Bytes-guessRoom-len(r.argument), 1)
	}
	return r, err
}

// guessRoom is what the notice of a guess takes, besides the file's name.
const guessRoom = 180

// format says what the file is where that is not UTF-8 with LF, as a reader is told once, and how to remember that. It
// can wait for another call where there is no room for it beside so many bytes, unless the encoding is a guess.
func (r *reader) format(bytes int) (notice.Notice, []Note) {
	f := notice.Format{Encoding: r.kind.Encoding, LineEndings: r.kind.LineEndings, Guessed: r.guessed,
		Path: r.argument, Edit: r.HasEdit()}
	if !r.guessed && r.kind.Encoding == r.Encoding {
		f.Encoding = textfile.UTF8 // nothing is said of what the call says
	}
	said := f.Notice()
	if said == "" || !r.guessed && (r.printed || r.room.ofSeveral && bytes+len(said) > r.room.Bytes) {
		return "", nil
	}
	m := told.Message{Reader: r.reader, Path: r.path.Abs, Kind: "format", Set: told.SetOf(f.String())}
	switch {
	case !r.gets:
		return said, nil
	case r.Told.Knows(m):
		return "", nil
	}
	return said, []Note{{Keep: func() { r.Told.First(m) }, Undo: func() { r.Told.Drop(m) }}}
}
