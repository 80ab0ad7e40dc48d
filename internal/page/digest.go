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
func (r *reader) digest(ctx context.Context, v view) (out outcome, err error) {
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
	file, secrets := r.masked(v)
	stats, _, err := file.ReadPage(ctx, textfile.Span{Line: 1, Column: 1}, endlessSink{sink})
	if err != nil {
		return out, err
	}
	if shows != nil {
		nuls.Met = shows.close(&stats)
	}
	shown := w.Result()
	res := &out.Result
	res.Encoding, res.LineEndings = v.encoding, r.kind.LineEndings
	res.TotalLines, res.FinalNewline = stats.Lines, stats.FinalNewline
	res.Page, res.Text = shown.Text, shown.Text
	var said notice.Notice
	if res.Whole = &shown; shown.Document != nil {
		said = notice.Document{Document: *shown.Document}.Notice()
	}
	res.Secrets = secrets.Between(stats.FirstRead, 1, stats.Lines)
	out.notUTF8 = v.rendered == nil && strings.ContainsRune(shown.Text, utf8.RuneError)
	var format notice.Notice
	if r.guessed { // what an edit keeps does not matter here
		format, res.Notes = r.format(len(shown.Text))
	}
	on := notice.CutLine(shown.CutLine, shown.CutChars, r.argument)
	res.Text = notice.Append(shown.Text, said, on, notice.NULsIn(shown.Text, nuls.Met),
		notice.Redacted(mask.Summary(res.Secrets)), format, r.corrected)
	if stats.Empty {
		res.Text = notice.Append("(empty file)", r.corrected)
	}
	return out, nil
}

// endlessSink accepts a whole file.
type endlessSink struct{ io.Writer }

func (endlessSink) Full() bool { return false }
