package page

import (
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
)

// decoded returns a reader of the same file in the encoding that it clearly is in, if that is not UTF-8 and the call
// names none. Otherwise it returns r.
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
	if r.room.ofSeveral { // leaves room for the notice about this one
		r.room.Bytes = max(r.room.Bytes-guessRoom-len(r.argument), 1)
	}
	return r, err
}

// guessRoom is the size of the notice about a guess, without the file's name.
const guessRoom = 180

// format says what the file is if not UTF-8 with LF, which a reader is told once, and how to remember that. If there
// is no room beside bytes, it waits for another call, unless the encoding is a guess.
func (r *reader) format(bytes int) (notice.Notice, []Note) {
	f := notice.Format{Encoding: r.kind.Encoding, LineEndings: r.kind.LineEndings, Guessed: r.guessed,
		Path: r.argument, Edit: r.HasEdit()}
	if !r.guessed && r.kind.Encoding == r.Encoding {
		f.Encoding = textfile.UTF8 // the call names it itself
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
