package tools

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
)

// maxShelvedLine bounds what may be the line for a result: that of a tool with a long name, notices and two files.
const maxShelvedLine = 3 << 10

// Shelve keeps the text of a result in the spill directory, under its limits and sweeps, and returns
// one line to put in its place where a conversation grows too long:
//
//	[bash: 412 lines, 28KB, exit code 1. Full result: .clarvis/result-8d2kq7xw.txt]
//
// read and grep open that file. The result may be that of any tool, of the suite or added. What
// has a file with its full output already is named by that, and not written again. A text that is
// shorter than the line is returned as it is. The same text has the same file, however often it is
// shelved, and that of a file which is named anew counts as new for Spill.MaxAge. Images are not
// kept; the line has their types and sizes.
//
// The error is an [*Error]: the directory cannot be written to, the disk is full, ctx has ended, or
// the suite has none of its own read, grep and bash to open the file. Then the conversation should
// keep the result.
func (s *Suite) Shelve(ctx context.Context, res Result) (string, error) {
	err := ctx.Err()
	if s.calls.isClosed() {
		err = errorf(CodeDenied, "the suite is closed, and nothing was shelved. Keep the result as it is")
	}
	line := ""
	if err == nil {
		sh := shelf{&s.paths, s.spill, s.opensSpills()}
		res.Text, _ = s.calls.redact.String(res.Text) // of a tool of the host's, for example
		line, err = abandoned(patience, sh.shelve)(ctx, res)
		line, _ = s.calls.redact.String(line) // which also has what was said beside the text
	}
	if err != nil {
		return "", failureOf(advice.Shelving, err, s.paths.shown(s.spill.Path()))
	}
	return line, nil
}

// shelf puts results into the spill directory.
type shelf struct {
	paths  *paths
	spill  *spill.Dir
	opened bool // a tool of the suite opens files of that directory
}

// shelve is Shelve, for as long as it takes.
func (s *shelf) shelve(_ context.Context, res Result) (string, error) {
	line, kept := s.shelved(res)
	text := readable(res.Text)
	if !kept {
		line.Lines, line.Bytes = notice.Lines(text), int64(len(text))
		line.File = s.shown("result-xxxxxxxx.txt") // as long as it will be
	}
	short := notice.Append(res.Text, notice.ImagesNotKept(line.Images))
	if len(short) <= len(line.Line()) || s.isShelved(short) {
		return short, nil
	}
	if !s.opened {
		return "", errorf(CodeDenied, "the suite has none of its own tools read, grep and bash, which would open a shelved "+
			"result. Keep the result as it is, or add read to Tools")
	}
	if !kept {
		file, err := s.spill.Shelve(text)
		if err != nil {
			return "", err
		}
		line.File = s.shown(filepath.Base(file))
	}
	return line.Line(), nil
}

// shelved returns what there is to say of a result, and whether files hold all of it already.
func (s *shelf) shelved(res Result) (line notice.Shelved, kept bool) {
	b := res.Bounds()
	line = notice.Shelved{State: stateOf(res.details()), Said: b.said, Error: res.IsError}
	if res.Tool != "" {
		line.Tool = show(res.Tool)
	}
	if res.Code != "" {
		line.Code = show(string(res.Code))
	}
	for _, i := range res.Images {
		line.Images = append(line.Images, notice.PutAside{
			Type: cmp.Or(imageNames[i.MIMEType], show(i.MIMEType)), Bytes: int64(len(i.Data)),
		})
	}
	if b.spilled == "" || b.partly {
		return line, false
	}
	bytes, kept := s.renew(b.spilled)
	if kept && b.stderr != "" {
		var more int64
		more, kept = s.renew(b.stderr)
		bytes += more
	}
	if kept {
		line.File, line.Stderr, line.Bytes = b.spilled, b.stderr, bytes
		if line.Lines = b.whole.TotalLines; line.Lines >= 0 {
			line.Lines += b.before
		}
	}
	return line, kept
}

// isShelved reports whether a text is a line that stands for a result already. It makes the files that it names young.
func (s *shelf) isShelved(text string) bool {
	if len(text) > maxShelvedLine || text[0] != '[' || strings.Contains(text, "\n") {
		return false
	}
	files, ok := notice.FilesOf(text)
	for _, file := range files {
		_, there := s.renew(file)
		ok = ok && there
	}
	return ok
}

// stateOf says how the command of a result ended, or how its job stands.
func stateOf(details any) string {
	switch d := details.(type) {
	case BashResult:
		switch {
		case d.Job > 0:
			return fmt.Sprintf("job %d %s", d.Job, d.State)
		case d.Signal != "":
			return "signal " + d.Signal
		case d.ExitCode > 0:
			return fmt.Sprintf("exit code %d", d.ExitCode)
		}
	case JobResult:
		if d.Job > 0 {
			return fmt.Sprintf("job %d %s", d.Job, d.State)
		}
	}
	return ""
}

// opensSpills reports whether a tool of the suite's own opens files of the spill directory. One that was added may work
// on another machine.
func (s *Suite) opensSpills() bool {
	tools := &s.calls.tools
	return tools.tool("read") == Tool(s.read) || tools.tool("grep") == Tool(s.grep) || tools.tool("bash") == Tool(s.bash)
}

// shown returns a file of the spill directory as read takes it.
func (s *shelf) shown(base string) string {
	return quote.Name(s.paths.shown(filepath.Join(s.spill.Path(), base)))
}

// renew makes a file with a full output as young as a new one, and returns its size. It returns false if the
// file is not there any more, or is not in the directory of this suite.
func (s *shelf) renew(name string) (bytes int64, ok bool) {
	base := strings.TrimSuffix(path.Base(name), `"`)
	if s.shown(base) != name {
		return 0, false
	}
	bytes, err := s.spill.Renew(base)
	return bytes, err == nil
}

// readable returns a text in the form in which read and grep take its file for text, whatever it begins with.
func readable(text string) string {
	text = strings.ReplaceAll(text, "\x00", "\u2400")
	head := text[:min(len(text), textfile.SniffLen)]
	if kind := textfile.Sniff([]byte(head)); kind.Binary || kind.Encoding != textfile.UTF8 {
		text = "\ufeff" + text
	}
	return text
}
