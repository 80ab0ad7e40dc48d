package replay

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// command cuts the output of a command again: the file with all of it, or the text, if nothing was cut.
func (p *pass) command(s *session, line *record.Line) (again *record.Line, why string) {
	switch {
	case line.ProducedBytes == 0:
		return line, "" // there is nothing to cut
	case s.cfg.Bash.SplitStreams:
		return nil, whySplit
	case line.Facts == nil:
		return nil, whyFacts
	}
	if line.Facts.Exit == nil {
		return line, "" // of a list of jobs
	}
	var args struct {
		Show string `json:"show"`
	}
	json.Unmarshal(line.Args, &args) // those that are none were refused, or are too long to be here
	before, output := report.Output(line)
	c := cutter{session: s, line: line, show: args.Show, failed: line.Facts.Exit.Failed()}
	switch {
	case line.Full != "":
		why = p.cutFile(&c)
	case line.Truncated:
		why = whyGone
	default:
		missing := line.ProducedBytes - len(output) // the newlines with which it ended
		if missing < 0 || missing > mostNewlines {
			return nil, whyText
		}
		output += strings.Repeat("\n", missing)
		c.path = filepath.Join(s.spillDir(), "bash-xxxxxxxx.log") // as long as the name that the file would have
		why = c.cut(p.ctx, strings.NewReader(output))
	}
	if why != "" {
		return nil, why
	}
	if after := lastLine(line); after != "" {
		c.text = notice.Paragraph(c.text, after)
	}
	return c.result(before), ""
}

// mostNewlines is how many newlines at the end of an output its text may not show.
const mostNewlines = 2

// lastLine says how a command of bash ended. Of a job, a notice says so.
func lastLine(line *record.Line) string {
	end := proc.Outcome{ExitCode: line.Facts.Exit.Code, Signal: line.Facts.Exit.Signal}
	switch line.Facts.Exit.How {
	case record.EndedExit, record.EndedSignal:
		if line.Tool == "bash" {
			return exit.LastLine(end)
		}
	}
	return ""
}

// cutter cuts an output as a suite does.
type cutter struct {
	*session
	line   *record.Line
	show   string // the part that the call asked for, or ""
	failed bool   // the command did
	path   string // the file with the full output

	text   string         // with notices
	output []config.Lines // where the text has it
	shown  capture.Text
}

// cut reads an output and bounds it.
func (c *cutter) cut(ctx context.Context, output io.Reader) (why string) {
	out := capture.New(capture.Options{
		Kept: c.path, Name: c.shownName, Policy: capture.Policy(c.cfg.Bash, c.show),
		Recent: truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 1, Bytes: 1024}},
	})
	defer out.Close()
	if _, err := io.Copy(out.Stdout(), stopped{ctx, output}); err != nil {
		return "its full output cannot be read: " + quote.Value(err.Error())
	}
	if c.failed {
		out.Fail()
	}
	texts := out.Finish(c.line.Code == tools.CodeOutputLimit)
	c.shown = texts[0]
	all := capture.Compose(texts, "", []notice.Notice{notice.Notice(c.line.Said)})
	c.text, c.output = all.Text, all.Output
	return ""
}

// stopped is a reader that ends with ctx.
type stopped struct {
	ctx context.Context
	io.Reader
}

func (s stopped) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// shownName is the path as a text has it.
func (c *cutter) shownName(path string) string {
	if rel, ok := workspace.Under(c.workspace, path); ok {
		path = rel
	}
	return quote.Name(filepath.ToSlash(path))
}

// result returns the call with another text, which begins with the error before.
func (c *cutter) result(before string) *record.Line {
	again, r, text := *c.line, c.shown.Result, before+c.text
	facts := *c.line.Facts
	facts.Output = notice.Below(strings.Count(before, "\n"), c.output)
	again.Facts = &facts
	again.Text, again.ShownBytes, again.ShownLines = text, len(text), notice.Lines(text)
	again.Truncated, again.TruncatedBy = r.Truncated, r.TruncatedBy
	again.Strategy, again.CharsRemoved = r.Strategy, r.CharsRemoved()
	again.Standout, again.StandoutMore, again.Full = r.Standout, r.StandoutMore, ""
	if r.Truncated {
		again.Full = c.path
	}
	return &again
}

// cutFile cuts the file with the full output.
func (p *pass) cutFile(c *cutter) (why string) {
	c.path = filepath.Clean(c.line.Full)
	f, info, err := p.open(c)
	switch {
	case errors.Is(err, fs.ErrInvalid):
		return whyElsewhere
	case errors.Is(err, fs.ErrNotExist):
		return whyGone
	case err != nil:
		return "its full output cannot be opened: " + quote.Value(err.Error())
	}
	defer f.Close()
	if info.Size() > maxFull {
		return whyLarge
	}
	if p.reread += info.Size(); p.reread > maxReread {
		return whyReread
	}
	return c.cut(p.ctx, io.LimitReader(f, maxFull))
}

// open opens the file with a full output: one of the spill directory of the workspace, unless Files is set. The error
// is fs.ErrInvalid for any other.
func (p *pass) open(c *cutter) (*os.File, fs.FileInfo, error) {
	if c.spills != nil && filepath.Dir(c.path) == c.spills.Path() {
		return c.spills.OpenKept(filepath.Base(c.path))
	}
	if !p.files {
		return nil, nil, fs.ErrInvalid
	}
	f, info, err := workspace.OpenRegular(os.OpenFile, c.path)
	if err == nil && !workspace.Owned(info) {
		f.Close()
		return nil, nil, fs.ErrPermission
	}
	return f, info, err
}
