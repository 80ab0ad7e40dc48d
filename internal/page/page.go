// Package page shows a text file as read shows it to a model: whole lines that fit, from any of them on, with notices
// for the rest. It also shows images, files in formats, several files in one text, and what stands out in a log.
package page

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/spelling"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// Viewer shows files. It is safe for concurrent use.
type Viewer struct {
	Limits       config.Read
	MaxFileBytes int64 // of a file that is shown without saying which part
	Redact       *mask.Masker
	Counts       *textfile.Cache              // of the lines of large files
	Seen         *seen.Store                  // what was last shown or written of files
	Receipts     func(reader string) Receipts // begins a call; nil if lines are shown however often they are asked for
	Told         *told.Store                  // what each reader was told of files
	Pictures     *Pictures
	Formats      []Format // the first that a file is of shows it

	HasBash func() bool // a model can run commands, which notices may name then
	HasEdit func() bool // likewise, edit files
	Resolve func(ctx context.Context, name string) (workspace.Path, error)
	Find    func(name string) (workspace.Path, error) // is Resolve without its advice
	Say     func(err error) string                    // returns an error as a model reads it
	IsSpill func(workspace.Path) bool                 // a file is a full output that was spilled, which can be read whatever its size
}

// Request says what is to be shown.
type Request struct {
	Path     string   // of the file
	Paths    []string // of several, instead
	Offset   int      // the line to start at; below zero from the end; 0 is the first
	Limit    int      // lines; 0 is as many as fit
	Column   int      // character of the first line to start at; 0 is the first
	Encoding string   // canonical name, or ""
	Digest   bool     // show what stands out in the whole file
	Again    bool     // also show lines that were shown before and have not changed
	Raw      bool     // show the file itself, in no format

	taken  notice.Notice // says what the lines behind Path were taken for
	reader string        // who asks
	gets   bool          // and is known to get the result
}

// Result is what is shown, and what is known of the file.
type Result struct {
	Text         string
	Page         string         // the lines without notices
	Output       []config.Lines // where Text has lines of files
	Images       []Image
	Whole        *truncation.Result // how much of the file Page is; nil where that is not in question
	TotalLines   int                // -1 if it is not known
	NextOffset   int
	NextColumn   int
	LinesCut     int
	Encoding     string
	LineEndings  string
	FinalNewline bool
	Limited      bool           // there is more than Limit let through
	Secrets      []mask.Finding // that are not shown
	Image        *Info          // of an image
	Files        []File         // of several files
	Receipt      *Receipt       // set if Text names lines that were shown before
	Notes        []Note         // what is to be remembered if the model gets the result
}

// Image is a picture that is shown.
type Image struct {
	MIMEType string
	Data     []byte
}

// room is the part of a result that a file may fill.
type room struct {
	Lines, Bytes int
	ofSeveral    bool // there are other files: notices name this one
}

// Read shows what a request of a reader asks for. Unless that one is known to get the result, nothing is remembered of
// what was shown to it. An error may come with what was gathered.
func (v *Viewer) Read(ctx context.Context, q Request, reader string, gets bool) (Result, error) {
	q.reader, q.gets = reader, gets
	show := func(receipts Receipts) (Result, error) {
		if len(q.Paths) > 0 {
			return v.several(ctx, q, receipts)
		}
		return v.one(ctx, q, room{Lines: v.Limits.MaxLines, Bytes: v.Limits.MaxBytes}, receipts)
	}
	if q.Digest || !gets || v.Receipts == nil {
		return show(nil)
	}
	given := v.Receipts(reader)
	res, err := show(given)
	if res.Receipt != nil && given.Forgot() { // meanwhile
		q.Again = true
		res, err = show(v.Receipts(reader))
	}
	return res, err
}

// one shows one file. receipts is nil where it may give none.
func (v *Viewer) one(ctx context.Context, q Request, room room, receipts Receipts) (Result, error) {
	path, err := v.Resolve(ctx, q.Path)
	if err != nil {
		return Result{}, err
	}
	if path.Correction != nil {
		q.Path = path.Name
		q.takeLines(path.Correction.Spelling)
	}
	isPart := q.Offset != 0 || q.Limit != 0 || q.Column != 0
	if q.Digest && isPart {
		return Result{}, fault.Errorf(fault.InvalidInput, "show=digest covers the whole file: leave out offset, limit and "+
			"column, or leave out show to read that part")
	}
	res, err := v.open(ctx, q, path, isPart, room, receipts)
	for i := range res.Output {
		res.Output[i].Path = q.Path
	}
	if err != nil {
		return res, advice.Of(advice.Reading, err, q.Path)
	}
	return res, nil
}

// open shows a file, as what it is.
func (v *Viewer) open(
	ctx context.Context, q Request, path workspace.Path, isPart bool, room room, receipts Receipts,
) (Result, error) {
	f, info, err := path.OpenFile()
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	kind, form, err := v.sniff(f, q, path.Name, info.Size())
	if err != nil {
		return Result{}, err
	}
	if kind.Type != "" && IsImage(kind.Type) {
		res, err := v.Pictures.read(ctx, f, path.Name, info.Size(), kind)
		if err == nil {
			res.Text = notice.Append(res.Text, corrected(path, ""))
		}
		return res, err
	}
	r := reader{Viewer: v, Request: q, room: room, path: path, file: f, info: info, kind: kind, receipts: receipts,
		form: form, printed: v.IsSpill(path)}
	if path.Correction != nil {
		r.corrected = corrected(path, q.taken)
	}
	if room.ofSeveral {
		r.argument = quote.Name(path.Name)
	}
	if form == nil && kind.Likely != "" {
		if r, err = r.decoded(); err != nil {
			return Result{}, err
		}
	}
	if r.kind.Binary && form == nil {
		return Result{}, v.binary(path.Name, info.Size(), r.kind)
	}
	if most := v.MaxFileBytes; !q.Digest && info.Size() > most && !isPart && !r.printed {
		return Result{}, fault.Errorf(fault.TooLarge, "%s is %s, over the limit of %s for a whole file. Search it with "+
			"grep, read a part of it with offset and limit (offset=-100 for its last 100 lines), or see what stands out "+
			"with show=digest",
			quote.Value(path.Name), size.File(info.Size()), size.File(most))
	}
	return r.show(ctx)
}

// takeLines takes lines behind the path for offset and limit, if only so there is
// such a file. What the call gives wins: an offset moves the beginning and leaves the
// end, unless it goes on behind that or counts from the end of the file. There is no
// line 0: it stands for the beginning.
func (q *Request) takeLines(c spelling.Spelling) {
	if c.First == 0 {
		return
	}
	taken := q.Offset == 0
	if taken {
		q.Offset = c.First
	}
	if q.Limit == 0 && 0 < q.Offset && q.Offset <= c.Last {
		q.Limit = c.Last - q.Offset + 1
	}
	if taken && c.Last == 0 { // both ends leave no doubt
		q.taken = notice.LineOfPath(q.Offset)
	}
}

// corrected says what was corrected in a path. Of lines behind it, taken says so.
func corrected(path workspace.Path, taken notice.Notice) notice.Notice {
	if path.Correction != nil && path.Correction.OnlyLines {
		return taken
	}
	return notice.Join(hint.Corrected(path), taken)
}
