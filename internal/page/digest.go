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

// digest reads the whole file and shows what stands out in it. That does not count as shown, because it may lack the
// lines that an edit changes.
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
	var said, format notice.Notice
	var notes []Note
	if shown.Document != nil {
		said = notice.Document{Document: *shown.Document}.Notice()
	}
	if r.guessed { // nothing is edited here
		format, notes = r.format(len(shown.Text))
	}
	hidden := secrets.Between(stats.FirstRead, 1, stats.Lines)
	text := notice.Append(shown.Text, said, notice.CutLine(shown.CutLine, shown.CutChars, r.argument),
		notice.NULsIn(shown.Text, nuls.Met), notice.Redacted(mask.Summary(hidden)), format, r.corrected)
	if stats.Empty {
		text = notice.Append("(empty file)", r.corrected)
	}
	return outcome{Result: Result{
		Text: text, Page: shown.Text, Output: notice.OutputIn(text, 0, shown.Text, &shown), Whole: &shown, Secrets: hidden, Notes: notes,
		Encoding: v.encoding, LineEndings: r.kind.LineEndings, TotalLines: stats.Lines, FinalNewline: stats.FinalNewline,
	}, notUTF8: v.rendered == nil && strings.ContainsRune(shown.Text, utf8.RuneError)}, nil
}

// endlessSink accepts a whole file.
type endlessSink struct{ io.Writer }

func (endlessSink) Full() bool { return false }
