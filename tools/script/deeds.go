package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools"
)

// How many deeds of a script are listed, and how many failed commands among them.
const (
	maxDeeds  = 20
	maxFailed = 5
)

// deeds is what the calls of a script changed, started and gave to jobs, and which commands failed, a line each.
// Commands that succeeded stand in the script.
type deeds struct {
	lines      []string
	more       int // lines that are not in the list, besides those of commands
	failed     int // commands
	moreFailed int // of these, those that are not in the list
}

func (d *deeds) note(format string, args ...any) {
	if len(d.lines) == maxDeeds {
		d.more++
		return
	}
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// command notes a command that failed, and how.
func (d *deeds) command(q request, how string) {
	if d.failed++; d.failed > maxFailed {
		d.moreFailed++
		return
	}
	d.note("ran %s (%s)", commandOf(q), how)
}

// add notes what a call has done.
func (d *deeds) add(q request, res tools.Result) {
	switch done := res.Details.(type) {
	case tools.WriteResult:
		d.note("changed %s", done.FileChange)
	case tools.EditResult:
		d.note("changed %s", done.FileChange)
	case tools.ChangeResult:
		for _, file := range done.Files {
			d.note("changed %s", file)
		}
	case tools.BashResult:
		switch {
		case done.Job > 0:
			d.note("started job %d: %s", done.Job, commandOf(q))
		case done.Signal != "":
			d.command(q, "ended by "+done.Signal)
		case done.ExitCode != 0:
			d.command(q, fmt.Sprintf("exit code %d", done.ExitCode))
		}
	case tools.JobResult:
		d.gave(q, "")
	case *tools.Error:
		switch {
		case !mayHaveRun(done.Code):
		case q.tool == "bash":
			d.command(q, string(done.Code))
		case q.tool == "job":
			d.gave(q, ", perhaps: "+string(done.Code))
		}
	}
}

// gave notes the input and the signal that a call of job gave to it. doubt is what speaks against that, or "".
func (d *deeds) gave(q request, doubt string) {
	p := decoded[tools.JobParams](q.tool, q.args)
	if p.Input != "" {
		d.note("gave job %d the input %s%s", p.ID, quote.Short(strconv.Quote(p.Input), maxLine), doubt)
	}
	if p.Signal != "" {
		d.note("sent job %d the signal %s%s", p.ID, p.Signal, doubt)
	}
}

// mayHaveRun reports whether a call that failed so had begun to do something.
func mayHaveRun(code tools.Code) bool {
	switch code {
	case tools.CodeInvalidInput, tools.CodeDenied, tools.CodeNotFound, tools.CodePathEscape, tools.CodeStale:
		return false
	}
	return true
}

// commandOf returns the command of a call of bash, on one line.
func commandOf(q request) string { return shortly(decoded[tools.BashParams](q.tool, q.args).Command) }

// shortly returns a text as a part of a line.
func shortly(text string) string { return quote.Short(quote.Inline(text), maxLine) }

// failedCall is a call that failed: the line of the script that makes it, and why.
type failedCall struct {
	line      int
	tool, why string
}

// lost notes a call that failed and whose promise nobody waited for.
func (d *deeds) lost(c failedCall) {
	d.note("line %d: %s failed, and nothing awaits it: %s", c.line, c.tool, c.why)
}

// list returns the deeds, and how many more there are.
func (d *deeds) list() []string {
	list := slices.Clone(d.lines)
	if d.moreFailed > 0 {
		list = append(list, "ran "+notice.Count(d.moreFailed, "more command")+" that failed")
	}
	if d.more > 0 {
		list = append(list, notice.Count(d.more, "more change")+" like these")
	}
	return list
}

// String lists the deeds. It is "" if there are none.
func (d *deeds) String() string {
	if len(d.lines) == 0 {
		return ""
	}
	return "The script did this:\n- " + strings.Join(d.list(), "\n- ")
}
