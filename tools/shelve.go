package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/late"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/internal/shelf"
)

// Shelve keeps the text of a result in the spill directory, under its limits and sweeps, and returns one line to put
// in its place where a conversation grows too long:
//
//	[bash: 412 lines, 28KB, exit code 1. Full result: .clarvis/result-8d2kq7xw.txt]
//
// read and grep open that file. The result may come from any tool of the suite or from an added one. If a file already
// has its full output, the line names that file, and nothing is written. A text shorter than the line is returned
// unchanged. The same text always has the same file, and shelving it again renews its age for Spill.MaxAge. Images are
// not kept; the line has their types and sizes.
//
// The error is an [*Error]: the directory cannot be written to, the disk is full, ctx has ended, or the suite lacks
// the built-in read, grep and bash to open the file. Then the conversation should keep the result.
func (s *Suite) Shelve(ctx context.Context, res Result) (string, error) {
	err := ctx.Err()
	if s.isClosed() {
		err = errorf(CodeDenied, "the suite is closed, and nothing was shelved. Keep the result as it is")
	}
	line := ""
	if err == nil {
		sh := shelf.Shelf{Spill: s.spill, Name: s.ws.Shown, Opens: s.opensSpills()}
		res.Text, _ = s.redact.String(res.Text) // results of the host's own tools may hold secrets
		line, err = late.Leave(ctx, late.Patience, func(context.Context) (string, error) { return sh.Put(shelved(res)) })
		line, _ = s.redact.String(line) // the line quotes notices too
	}
	if err != nil {
		return "", failureOf(advice.Shelving, err, s.ws.Shown(s.spill.Path()))
	}
	return line, nil
}

func shelved(res Result) shelf.Result {
	b := res.Shown()
	out := shelf.Result{Text: res.Text}
	out.Shelved = notice.Shelved{State: stateOf(res.details()), Said: b.said, Error: res.IsError}
	if res.Tool != "" {
		out.Tool = show(res.Tool)
	}
	if res.Code != "" {
		out.Code = show(string(res.Code))
	}
	for _, i := range res.Images {
		out.Images = append(out.Images, notice.PutAside{
			Type: cmp.Or(page.ImageNames[i.MIMEType], show(i.MIMEType)), Bytes: int64(len(i.Data)),
		})
	}
	if !b.partly {
		out.Full, out.FullStderr, out.FullLines = b.spilled, b.stderr, b.whole.TotalLines
		if out.FullLines >= 0 {
			out.FullLines += b.before
		}
	}
	return out
}

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

// opensSpills reports whether a built-in tool can open files of the spill directory. An added tool of that name may
// work on another machine.
func (s *Suite) opensSpills() bool {
	return slices.ContainsFunc(s.tools.list(), func(t *suiteTool) bool {
		return t.wraps == nil && (t.name == "read" || t.name == "grep" || t.name == "bash")
	})
}
