package page

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// digest reads the whole file and shows what stands out in it. That does not count as shown: what an edit changes may
// not be in it.
func (r *reader) digest(ctx context.Context) (res Result, err error) {
	limits := truncation.Limits{
		Lines: truncation.AtMost(r.room.Lines), Bytes: truncation.AtMost(min(r.room.Bytes, truncation.DigestBytes)),
	}
	policy := truncation.Policy{Strategy: truncation.Digest, Limits: limits, Number: textfile.LinePrefix}
	w := policy.NewWriter()
	nuls := &quote.NULWriter{W: w}
	var sink io.Writer = nuls
	var shows *printed
	if r.printed {
		shows = newPrinted(nuls, 1)
		sink = shows
	}
	file := r.all()
	stats, _, err := file.ReadPage(ctx, textfile.Span{Line: 1, Column: 1}, endlessSink{sink})
	if err != nil {
		return res, err
	}
	if shows != nil {
		nuls.Met = shows.close(&stats)
	}
	shown := w.Result()
	res.Encoding, res.LineEndings = r.kind.Encoding, r.kind.LineEndings
	res.TotalLines, res.FinalNewline = stats.Lines, stats.FinalNewline
	res.Page, res.Text = shown.Text, shown.Text
	var said notice.Notice
	if res.Whole = &shown; shown.Document != nil {
		said = notice.Document{Document: *shown.Document}.Notice()
	}
	res.Secrets = r.secrets.Between(stats.FirstRead, 1, stats.Lines)
	r.notUTF8 = strings.ContainsRune(shown.Text, utf8.RuneError)
	var format notice.Notice
	if r.guessed { // what an edit keeps does not matter here
		format, res.Shown = r.format(len(shown.Text))
	}
	on := notice.CutLine(shown.CutLine, shown.CutChars, r.argument())
	res.Text = notice.Append(shown.Text, said, on, notice.NULsIn(shown.Text, nuls.Met),
		notice.Redacted(mask.Summary(res.Secrets)), format, corrected(r.path, r.taken))
	if stats.Empty {
		res.Text = notice.Append("(empty file)", corrected(r.path, r.taken))
	}
	return res, nil
}

// all returns what is read of the file for a digest, without secrets.
func (r *reader) all() textfile.File {
	if r.rendered != nil {
		return r.rendered.file()
	}
	var text io.ReaderAt = r.file
	if r.info.Size() == 0 {
		text = textfile.Unsized(text, r.path.Name, r.MaxFileBytes)
	}
	file := textfile.NewFile(text, r.info.Size(), r.kind)
	if !r.Redact.Off() {
		r.secrets = r.masked(file)
		file = file.Through(r.secrets)
	}
	return file
}

// endlessSink accepts a whole file.
type endlessSink struct{ io.Writer }

func (endlessSink) Full() bool { return false }
