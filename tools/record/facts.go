package record

import (
	"cmp"
	"encoding/json"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
)

// Facts are what the text of a call says in words, for programs. Those that do not apply are zero.
type Facts struct {
	Output     []config.Lines `json:"output,omitempty"`     // the lines of the text that are output; the others are the tool's own
	ErrorLines int            `json:"errorLines,omitempty"` // the lines of the error and the blank one behind it, with which the text begins if there is more
	NextOffset int            `json:"nextOffset,omitempty"` // the argument offset that continues the result; 0 if there is no more
	Limit      int            `json:"limit,omitempty"`      // that ended it: of results or lines with LimitReached, else in the unit of TruncatedBy
	LimitBy    string         `json:"limitBy,omitempty"`    // whose that limit is: "argument" of the call, or "option"
	Skipped    Skipped        `json:"skipped,omitzero"`     // what a search left out
	Exit       *Exit          `json:"exit,omitempty"`       // how a command ended; nil of another tool

	Changed int                `json:"changed,omitempty"` // how many files the call has changed; of a command, with the part tools/checkpoint
	Changes []tools.FileChange `json:"changes,omitempty"` // the first of them, at most 100, without their Spans
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
	_ = json.Unmarshal(e.Args, &args) // without them a limit is the option's
	f := &Facts{Output: e.Output, ErrorLines: e.ErrorLines}
	details := e.Details
	if failed, ok := details.(*tools.Error); ok {
		details = failed.Details()
	}
	limit, cut := 0, (*truncation.Result)(nil)
	switch d := details.(type) {
	case nil:
	case tools.WriteResult:
		f.changed(d.FileChange)
	case tools.EditResult:
		f.changed(d.FileChange)
	case tools.ChangeResult:
		f.changed(d.Files...)
	case tools.ReadResult:
		f.NextOffset, cut = d.NextOffset, d.Truncation
		if !d.Truncated && d.NextOffset != 0 {
			limit = args.Limit
		}
	case tools.GrepResult:
		f.NextOffset, limit, cut = d.NextOffset, d.LimitReached, d.Truncation
		f.Skipped = Skipped{d.Ignored, d.Hidden, d.Refused, d.SkippedLarge, d.SkippedBinary, d.NotUTF8, d.Unreadable}
	case tools.FindResult:
		f.NextOffset, limit, cut = d.NextOffset, d.LimitReached, d.Truncation
		f.Skipped = Skipped{Ignored: d.Ignored, Hidden: d.Hidden, Unreadable: d.Unreadable}
	case tools.LsResult:
		f.NextOffset, limit, cut = d.NextOffset, d.LimitReached, d.Truncation
		f.Skipped = Skipped{Hidden: d.Hidden, Unreadable: d.Unreadable}
	case tools.BashResult:
		f.Exit, cut = exitOf(e.Code, d.Job > 0, d.ExitCode, d.Signal), cmp.Or(d.Truncation, d.StderrTruncation)
		f.changed(d.Changes...)
		f.Changed = d.ChangedFiles
	case tools.JobResult:
		if cut = d.Truncation; d.Job > 0 {
			f.Exit = exitOf("", d.Running, d.ExitCode, d.Signal)
			f.changed(d.Changes...)
			f.Changed = d.ChangedFiles
		}
	case tools.JobState:
		f.Exit = exitOf("", d.Running, d.ExitCode, d.Signal)
	case tools.TruncatedDetails:
		cut = d.Truncation
	default:
		return nil // of a tool whose text nothing bounds
	}
	f.limit(limit, cut, args)
	return f
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
type asked struct{ Limit int }

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
