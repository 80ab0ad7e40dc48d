package record

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
)

// Facts are what the text of a call says in words, for programs. Those that do not apply are zero.
type Facts struct {
	Output     []Lines `json:"output,omitempty"`     // the lines of the text that are output; the others are the tool's own
	ErrorLines int     `json:"errorLines,omitempty"` // the lines of the error and the blank one behind it, with which the text begins if there is more
	NextOffset int     `json:"nextOffset,omitempty"` // the argument offset that continues the result; 0 if there is no more
	Limit      int     `json:"limit,omitempty"`      // that ended it: of results or lines with LimitReached, else in the unit of TruncatedBy
	LimitBy    string  `json:"limitBy,omitempty"`    // whose that limit is: "argument" of the call, or "option"
	Skipped    Skipped `json:"skipped,omitzero"`     // what a search left out
	Exit       *Exit   `json:"exit,omitempty"`       // how a command ended; nil of another tool

	Changed int                `json:"changed,omitempty"` // how many files the call has changed; of a command, with the part tools/checkpoint
	Changes []tools.FileChange `json:"changes,omitempty"` // the first of them, at most 100, without their Spans
}

// Lines are lines in a row of the text of a call.
type Lines struct {
	At    int    `json:"at"`             // the first of them in the text, from 1
	Count int    `json:"count"`          // how many they are
	Line  int    `json:"line,omitempty"` // the number of the first in its file, from 1; 0 if it is not known, or if they are not in a row there
	Path  string `json:"path,omitempty"` // the file, as in arguments
}

// Skipped counts what a search left out, by reason. A directory counts once.
type Skipped struct {
	Ignored    int `json:"ignored,omitempty"`    // git ignores it
	Hidden     int `json:"hidden,omitempty"`     // Config.Hidden or HiddenFile hides it
	Refused    int `json:"refused,omitempty"`    // rules do not let the call read it
	Large      int `json:"large,omitempty"`      // it is over Config.MaxFileBytes
	Binary     int `json:"binary,omitempty"`     // it is not text
	NotUTF8    int `json:"notUTF8,omitempty"`    // a non-ASCII pattern may miss it
	Unreadable int `json:"unreadable,omitempty"` // it could not be read
}

// Exit says how a command ended.
type Exit struct {
	How    string `json:"how"`              // one of those below
	Code   int    `json:"code"`             // the exit code; -1 if there is none, or it is not known
	Signal string `json:"signal,omitempty"` // the one that ended it, such as "SIGSEGV"
}

// How a command ends: by itself, by a signal, as a limit of the configuration or the call's context ended it, or not
// yet, as it goes on as a job. A limit or the end of the suite that ends a job does it by a signal.
const (
	EndedExit        = "exit"
	EndedSignal      = "signal"
	EndedTimeout     = "timeout"
	EndedOutputLimit = "output_limit"
	EndedMemoryLimit = "memory_limit"
	EndedCancelled   = "cancelled"
	EndedJob         = "job"
)

// Failed reports whether the command ended by itself with an exit code other than 0.
func (e *Exit) Failed() bool { return e != nil && e.How == EndedExit && e.Code > 0 }

// FactsOf returns the facts of a result, of which an event has the text and the details. They are nil if they are not
// known, as for a text that the host has changed.
func FactsOf(e config.Event) *Facts {
	if e.Details == nil {
		return nil
	}
	var args asked
	_ = json.Unmarshal(e.Args, &args) // without them nothing is known of the lines, and a limit is the option's
	f := &finder{rest: e.Text}
	details := e.Details
	if failed, ok := details.(*tools.Error); ok {
		details = failed.Details()
		if before := notice.Paragraph(failed.Error(), ""); len(before) < len(e.Text) {
			f.skip(len(before))
			f.ErrorLines = f.line
		}
	}
	limit, cut := 0, (*truncation.Result)(nil)
	switch d := details.(type) {
	case nil: // what it and the next three show is their own
	case tools.WriteResult:
		f.changed(d.FileChange)
	case tools.EditResult:
		f.changed(d.FileChange)
	case tools.ChangeResult:
		f.changed(d.Files...)
	case tools.ReadResult:
		f.NextOffset, cut = d.NextOffset, d.Truncation
		limit = f.read(d, args)
	case tools.GrepResult:
		f.NextOffset, limit, cut = d.NextOffset, d.LimitReached, d.Truncation
		f.Skipped = Skipped{d.Ignored, d.Hidden, d.Refused, d.SkippedLarge, d.SkippedBinary, d.NotUTF8, d.Unreadable}
		f.lines(e.LinesProduced, cut)
	case tools.FindResult:
		f.NextOffset, limit, cut = d.NextOffset, d.LimitReached, d.Truncation
		f.Skipped = Skipped{Ignored: d.Ignored, Hidden: d.Hidden, Unreadable: d.Unreadable}
		f.lines(e.LinesProduced, cut)
	case tools.LsResult:
		f.NextOffset, limit, cut = d.NextOffset, d.LimitReached, d.Truncation
		f.Skipped = Skipped{Hidden: d.Hidden, Unreadable: d.Unreadable}
		f.lines(e.LinesProduced, cut)
	case tools.BashResult:
		f.Exit, cut = exitOf(e.Code, d.Job > 0, d.ExitCode, d.Signal), cmp.Or(d.Truncation, d.StderrTruncation)
		f.output(d.Output, d.Truncation)
		f.output(d.Stderr, d.StderrTruncation)
		f.changed(d.Changes...)
		f.Changed = d.ChangedFiles
	case tools.JobResult:
		if cut = d.Truncation; d.Job > 0 {
			f.Exit = exitOf("", d.Running, d.ExitCode, d.Signal)
			f.output(d.Output, cut)
			f.output(d.Stderr, nil)
			f.changed(d.Changes...)
			f.Changed = d.ChangedFiles
		} else {
			f.lines(e.LinesProduced, nil)
		}
	case tools.JobState:
		f.Exit = exitOf("", d.Running, d.ExitCode, d.Signal)
	case tools.TruncatedDetails:
		cut = d.Truncation
		f.lines(e.LinesProduced, cut)
	default:
		return nil // of a tool whose text nothing bounds
	}
	f.limit(limit, cut, args)
	return &f.Facts
}

// changed notes files that the call has changed.
func (f *Facts) changed(files ...tools.FileChange) {
	for _, c := range files {
		if c.LinesAdded+c.LinesRemoved == 0 && !c.Created && !c.Removed && c.MovedFrom+c.Mode+c.Target+c.Before == "" {
			continue // it stays as it was
		}
		c.Spans, c.Maps = nil, nil
		f.Changes = append(f.Changes, c)
	}
	f.Changed = len(f.Changes)
}

// asked is what the arguments of a call ask for.
type asked struct {
	Path                  string
	Offset, Limit, Column int
	Show                  string
}

// finder finds what a result shows in its text.
type finder struct {
	Facts
	rest string // the text that was not looked at yet
	line int    // the lines before that
}

func (f *finder) skip(bytes int) {
	f.line += strings.Count(f.rest[:bytes], "\n")
	f.rest = f.rest[bytes:]
}

// add notes lines of output that are shown next, with what the truncation said among them, and returns where they are.
func (f *finder) add(runs [][2]int) []Lines {
	from := len(f.Output)
	for _, run := range runs {
		if run[0] < run[1] {
			f.Output = append(f.Output, Lines{At: f.line + run[0] + 1, Count: run[1] - run[0]})
		}
	}
	return f.Output[from:]
}

// output notes an output, or what is shown of it, wherever the text has these lines first.
func (f *finder) output(shown string, cut *truncation.Result) []Lines {
	for at := 0; shown != ""; at++ {
		i := strings.Index(f.rest[at:], shown)
		if i < 0 {
			break
		}
		at += i
		end := at + len(shown)
		if at > 0 && f.rest[at-1] != '\n' || end < len(f.rest) && f.rest[end] != '\n' && f.rest[end-1] != '\n' {
			continue // it is a part of other lines
		}
		f.skip(at)
		var r truncation.Result
		if cut != nil {
			r = *cut
		}
		r.Text = shown
		lines := f.add(r.Runs())
		f.skip(len(shown))
		return lines
	}
	return nil
}

// lines notes a list, which the text begins with: so many lines, or what is shown of them.
func (f *finder) lines(n int, cut *truncation.Result) {
	if cut != nil {
		f.add(cut.Runs())
	} else {
		f.add([][2]int{{0, n}})
	}
}

// limit notes the limit that ended a result: one of results or lines, or else the one that cut the text.
func (f *Facts) limit(limit int, cut *truncation.Result, args asked) {
	switch {
	case limit > 0 && args.Limit > 0:
		f.Limit, f.LimitBy = limit, "argument"
	case limit > 0:
		f.Limit, f.LimitBy = limit, "option"
	case cut != nil:
		f.Limit = map[truncation.Reason]int{
			truncation.ByLines: cut.MaxLines, truncation.ByBytes: cut.MaxBytes, truncation.ByChars: cut.MaxChars,
		}[cut.TruncatedBy]
		f.LimitBy = "option"
	}
}

// read notes the files whose lines a result of read shows, and returns the limit of the call that ended it, or 0.
func (f *finder) read(d tools.ReadResult, args asked) (limit int) {
	first := max(args.Offset, 1)
	if args.Offset < 0 {
		first = max(d.TotalLines+args.Offset+1, 1)
	}
	page := func(path string, d tools.ReadResult) {
		lines := f.output(d.Page, d.Truncation)
		for i := range lines {
			lines[i].Path = path
			if d.TotalLines > 0 && args.Show != "digest" {
				lines[i].Line = first
			}
		}
	}
	switch {
	case d.Receipt != nil && len(d.Files) == 0:
		f.lines(d.Receipt.LinesShown, nil) // the others are only named
	case len(d.Files) == 0:
		page(args.Path, d)
	}
	for _, file := range d.Files {
		if file.Result != nil && file.Result.Receipt == nil { // with one, it is not known where its lines are
			page(file.Path, *file.Result)
		}
	}
	if !d.Truncated && d.NextOffset != 0 {
		limit = args.Limit
	}
	return limit
}

func exitOf(code config.Code, goesOn bool, exit int, signal string) *Exit {
	how := map[config.Code]string{
		tools.CodeTimeout: EndedTimeout, tools.CodeOutputLimit: EndedOutputLimit, tools.CodeMemoryLimit: EndedMemoryLimit,
		tools.CodeAborted: EndedCancelled,
	}[code]
	switch {
	case goesOn:
		how = EndedJob
	case how == "" && signal != "":
		how = EndedSignal
	}
	return &Exit{cmp.Or(how, EndedExit), exit, signal}
}
