// Package page shows a text file as read shows it to a model: whole lines that fit, from any line on, with notices for
// the rest. It also shows images, files in formats, several files in one text, and what stands out in a log.
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
	MaxFileBytes int64 // limit for a file that is shown without a range
	Redact       *mask.Masker
	Counts       *textfile.Cache              // line counts of large files
	Seen         *seen.Store                  // what was last shown or written of files
	Receipts     func(reader string) Receipts // begins a call; nil if lines are always shown again
	Told         *told.Store                  // what each reader was told of files
	Pictures     *Pictures
	Formats      []Format // the first one that fits shows a file

	HasBash func() bool // a model can run commands, which notices may then name
	HasEdit func() bool // a model can edit files
	Resolve func(ctx context.Context, name string) (workspace.Path, error)
	Find    func(name string) (workspace.Path, error) // Resolve without its advice
	Say     func(err error) string                    // returns an error in the words for a model
	IsSpill func(workspace.Path) bool                 // a file is a spilled output, which has no size limit
}

// Request says what to show.
type Request struct {
	Path     string   // of the file
	Paths    []string // several files instead
	Offset   int      // first line; below zero from the end; 0 is the first
	Limit    int      // number of lines; 0 is as many as fit
	Column   int      // first character of the first line; 0 is the first
	Encoding string   // canonical name, or ""
	Digest   bool     // show what stands out in the whole file
	Again    bool     // show unchanged lines that were shown before, too
	Raw      bool     // show the file itself, in no format

	taken  notice.Notice // says how lines behind Path were understood
	reader string        // the conversation
	gets   bool          // the reader is known to get the result
}

type Result struct {
	Text         string
	Page         string         // the lines without notices
	Output       []config.Lines // where Text has lines of files
	Images       []Image
	Whole        *truncation.Result // the numbers behind Page; nil if it was never in question
	TotalLines   int                // -1 if unknown
	NextOffset   int
	NextColumn   int
	LinesCut     int
	Encoding     string
	LineEndings  string
	FinalNewline bool
	Limited      bool           // there is more than Limit allowed
	Secrets      []mask.Finding // secrets that are not shown
	Image        *Info          // for an image
	Files        []File         // for several files
	Receipt      *Receipt       // set if Text names lines that were shown before
	Notes        []Note         // to keep if the model gets the result
}

type Image struct {
	MIMEType string
	Data     []byte
}

// room is the part of a result that a file may fill.
type room struct {
	Lines, Bytes int
	ofSeveral    bool // there are other files, so notices name this one
}

// Read shows what a request of a reader asks for. Unless the reader is known to get the result, nothing is remembered
// as shown. An error may come with what was gathered.
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
	if res.Receipt != nil && given.Forgot() { // forgotten meanwhile
		q.Again = true
		res, err = show(v.Receipts(reader))
	}
	return res, err
}

// one shows one file. receipts is nil if it may give none.
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

// open shows a file according to its kind.
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

// takeLines takes line numbers behind the path as offset and limit, if the file exists only without them. The
// arguments of the call win: an offset moves the beginning and leaves the end, unless it is behind the end or counts
// from the end of the file. Line 0 stands for the beginning.
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

// corrected says what was corrected in a path. taken is about line numbers behind it.
func corrected(path workspace.Path, taken notice.Notice) notice.Notice {
	if path.Correction != nil && path.Correction.OnlyLines {
		return taken
	}
	return notice.Join(hint.Corrected(path), taken)
}
