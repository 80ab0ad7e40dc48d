package replay

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// ending is the last line of a text, which says how a command ended.
var ending = regexp.MustCompile(
	`(?:^|\n\n)((?:Command exited with code |Command was ended by signal |The exit code is not known: )[^\n]*)$`)

// failing is how a text says that a command failed, or the job that it became.
var failing = regexp.MustCompile(`^Command exited with code [1-9]|\b[Jj]ob \d+ (?:(?:has )?ended: )?exited with code [1-9]`)

// command cuts the output of a command again: the file with all of it, or the text, if nothing was cut.
func (p *pass) command(s *session, line *record.Line, ends bool) (again *record.Line, why string) {
	if s.cfg.Bash.SplitStreams {
		return nil, whySplit
	}
	var args struct {
		ID   int    `json:"id"`
		Show string `json:"show"`
	}
	json.Unmarshal(line.Args, &args) // those that are none were refused, or are too long to be here
	before, body, after := parts(line)
	if body == "" || line.Tool == "job" && args.ID == 0 {
		return line, ""
	}
	c := cutter{session: s, line: line, show: args.Show, failed: failing.MatchString(after) || failing.MatchString(line.Said)}
	switch output, nothing, ok := outputOf(body, line.Said); {
	case line.Full != "":
		why = p.cutFile(&c)
	case line.Truncated:
		why = whyGone
	case !ok:
		why = whyText
	default:
		if c.nothing = nothing; ends && output != "" {
			output += "\n"
		}
		c.path = filepath.Join(s.spillDir(), "bash-xxxxxxxx.log") // as long as the name that the file would have
		why = c.cut(p.ctx, strings.NewReader(output))
	}
	if why != "" {
		return nil, why
	}
	if after != "" {
		c.text = notice.Paragraph(c.text, after)
	}
	return c.result(before + c.text), ""
}

// parts divides the text of a command into the error, what is shown of the output with its notices, and the last line
// that says how it ended.
func parts(line *record.Line) (before, body, after string) {
	body = line.Text
	if line.Code != "" {
		n := strings.Index(body, "\n\n")
		if n < 0 {
			return body, "", ""
		}
		before, body = body[:n+2], body[n+2:]
	}
	if m := ending.FindStringSubmatchIndex(body); m != nil {
		body, after = body[:m[0]], body[m[2]:]
	}
	return before, body, after
}

// outputOf returns the output in the text of a command that was shown whole, and what stands for one without output.
func outputOf(body, said string) (output, nothing string, ok bool) {
	if said != "" {
		if body, ok = strings.CutSuffix(body, "["+said+"]"); !ok {
			return "", "", false
		}
		body = strings.TrimSuffix(strings.TrimSuffix(body, "\n"), "\n")
	}
	if body == "(no output)" || body == "(no new output)" {
		return "", body, true
	}
	return body, "", true
}

// cutter cuts an output as a suite does.
type cutter struct {
	*session
	line    *record.Line
	show    string // the part that the call asked for, or ""
	nothing string // stands for no output
	failed  bool   // the command did
	path    string // the file with the full output

	text  string // with notices
	shown capture.Text
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
	c.text = capture.Compose(texts, c.nothing, []notice.Notice{notice.Notice(c.line.Said)}).Text
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

// result returns the call with another text.
func (c *cutter) result(text string) *record.Line {
	again, r := *c.line, c.shown.Result
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
