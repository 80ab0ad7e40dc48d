package tools

import (
	"context"
	"io"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// showDigest is the value of show that asks for a digest.
const showDigest = "digest"

// digest reads the whole file and shows what stands out in it. That does not count as shown: what an edit changes may
// not be in it.
func (r *reader) digest(ctx context.Context) (res ReadResult, err error) {
	limits := truncation.Limits{
		Lines: truncation.AtMost(r.room.Lines), Bytes: truncation.AtMost(min(r.room.Bytes, truncation.DigestBytes)),
	}
	policy := truncation.Policy{Strategy: truncation.Digest, Limits: limits, Number: textfile.LinePrefix}
	w := policy.NewWriter()
	nuls := &quote.NULWriter{W: w}
	var text io.ReaderAt = r.file
	if r.info.Size() == 0 {
		text = &unsized{ReaderAt: text, name: r.path.Name, most: r.cfg.MaxFileBytes}
	}
	file := textfile.NewFile(text, r.info.Size(), r.kind)
	if r.redact != nil {
		r.secrets = newMasked(r.redact, file, r.kind)
		file = file.Through(r.secrets)
	}
	stats, _, err := file.ReadPage(ctx, textfile.Span{Line: 1, Column: 1}, endlessSink{nuls})
	if err != nil {
		return res, err
	}
	shown := w.Result()
	res.Encoding, res.LineEndings = r.kind.Encoding, r.kind.LineEndings
	res.TotalLines, res.FinalNewline = stats.Lines, stats.FinalNewline
	res.Page, res.Text = shown.Text, shown.Text
	var said notice.Notice
	if res.Truncation = res.set(shown); res.Truncation != nil {
		said = notice.Digest(stats.Lines, r.info.Size())
	}
	res.redacted("", r.secrets.between(stats.FirstRead, 1, stats.Lines))
	res.Text = notice.Append(shown.Text, said, notice.NULsIn(shown.Text, nuls.Met), res.redactedNotice(), readAs(r.path))
	if stats.Empty {
		res.Text = notice.Append("(empty file)", readAs(r.path))
	}
	return res, nil
}

// endlessSink takes all of a file.
type endlessSink struct{ io.Writer }

func (endlessSink) Full() bool { return false }
