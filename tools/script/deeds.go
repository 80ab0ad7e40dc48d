package script

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools"
)

// How many deeds of a script are listed, and how many commands among them.
const (
	maxDeeds    = 20
	maxCommands = 5
)

// deeds is what the calls of a script changed, ran and started, a line each.
type deeds struct {
	lines        []string
	more         int // lines that are not in the list, besides those of commands
	commands     int // that ran
	moreCommands int // of these, those that are not in the list
}

func (d *deeds) note(format string, args ...any) {
	if len(d.lines) == maxDeeds {
		d.more++
		return
	}
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// ran notes a command. how says what became of it, or is "".
func (d *deeds) ran(q request, how string) {
	if d.commands++; d.commands > maxCommands {
		d.moreCommands++
		return
	}
	d.note("ran %s%s", commandOf(q), how)
}

// add notes what a call has done.
func (d *deeds) add(q request, res tools.Result) {
	switch done := res.Details.(type) {
	case tools.WriteResult:
		d.note("changed %s", done.FileChange)
	case tools.EditResult:
		d.note("changed %s", done.FileChange)
	case tools.ApplyPatchResult:
		for _, file := range done.Files {
			d.note("changed %s", file)
		}
	case tools.BashResult:
		switch {
		case done.Job > 0:
			d.note("started job %d: %s", done.Job, commandOf(q))
		case done.Signal != "":
			d.ran(q, " (ended by "+done.Signal+")")
		case done.ExitCode != 0:
			d.ran(q, fmt.Sprintf(" (exit code %d)", done.ExitCode))
		default:
			d.ran(q, "")
		}
	case *tools.Error:
		if q.tool == "bash" && mayHaveRun(done.Code) {
			d.ran(q, " ("+string(done.Code)+")")
		}
	}
}

// mayHaveRun reports whether a command that failed so had begun.
func mayHaveRun(code tools.Code) bool {
	switch code {
	case tools.CodeInvalidInput, tools.CodeDenied, tools.CodeNotFound, tools.CodePathEscape, tools.CodeStale:
		return false
	}
	return true
}

// commandOf returns the command of a call of bash, on one line.
func commandOf(q request) string {
	var p struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal([]byte(q.args), &p) // if it fails, there is no command to show
	return quote.Short(quote.Inline(p.Command), maxLine)
}

// lost notes a call that failed and whose promise nobody waited for.
func (d *deeds) lost(q request, why string) {
	d.note("line %d: %s failed, and nothing awaits it: %s", lineOf(q.at), q.tool, quote.Short(quote.Inline(why), maxLine))
}

// list returns the deeds, and how many more there are.
func (d *deeds) list() []string {
	list := slices.Clone(d.lines)
	if d.moreCommands > 0 {
		list = append(list, "ran "+notice.Count(d.moreCommands, "more command"))
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
