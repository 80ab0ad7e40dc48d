package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/record"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// recordVersion is the version of the format that suites write. Keys may be added without another one.
const recordVersion = 1

// The kinds of lines of a record.
const (
	recordedSession = "session"
	recordedCall    = "call"
	recordedJob     = "job"
)

// RecordedCall is a line of a record: a call, or, as Kind says, the beginning of a session or the end of a job.
// [config.Config.Record] makes a suite write one, and [ReadRecord] reads it. Fields that a line does not have are zero.
type RecordedCall struct {
	Kind    string    `json:"kind"`    // "session", "call" or "job"
	Session string    `json:"session"` // of a suite, from New to Close; views share it
	Time    time.Time `json:"time"`    // when it began; of a job, when it ended

	// Of a session.
	Version   int               `json:"version,omitempty"`
	Workspace string            `json:"workspace,omitempty"` // absolute
	Options   map[string]string `json:"options,omitempty"`   // by name, with values as Config.Describe writes them

	// Of a call.
	ID   string  `json:"id,omitempty"`   // as in Event; of a job, that of the call that started it
	Ms   float64 `json:"ms,omitempty"`   // milliseconds from the beginning to the end
	Tool string  `json:"tool,omitempty"` // "" if the suite has none of the name that was called
	// Args are the arguments, as in Event. What is longer than 64 KiB is a JSON string of the first 4096 characters.
	Args json.RawMessage `json:"args,omitempty"`
	// Text is what the model read. Of more than 1 MiB it is the beginning: then it is shorter than ShownBytes.
	Text          string              `json:"text,omitempty"`
	Said          string              `json:"said,omitempty"` // as in Event: part of the text of a command
	Code          config.Code         `json:"code,omitempty"`
	ShownBytes    int                 `json:"shownBytes,omitempty"`    // of Text
	ShownLines    int                 `json:"shownLines,omitempty"`    // of Text
	ProducedBytes int                 `json:"producedBytes,omitempty"` // as Event.BytesProduced; of a job, all it printed
	ProducedLines int                 `json:"producedLines,omitempty"` // as Event.LinesProduced
	Truncated     bool                `json:"truncated,omitempty"`
	TruncatedBy   truncation.Reason   `json:"truncatedBy,omitempty"`
	LimitReached  bool                `json:"limitReached,omitempty"`
	LinesCut      bool                `json:"linesCut,omitempty"`
	Strategy      truncation.Strategy `json:"strategy,omitempty"`
	CharsRemoved  int                 `json:"charsRemoved,omitempty"` // -1 if they were not counted
	Standout      []truncation.Line   `json:"standout,omitempty"`     // the most telling ones first
	StandoutMore  int                 `json:"standoutMore,omitempty"` // how many more stand out
	Full          string              `json:"full,omitempty"`         // the absolute path of the file with the full output
	Images        int                 `json:"images,omitempty"`       // pictures that the model was shown beside the text
	AtOnce        int                 `json:"atOnce,omitempty"`       // calls that ran when it ended, itself included
	Conversation  string              `json:"conversation,omitempty"` // the reader of the call: see WithReader
	CalledBy      string              `json:"calledBy,omitempty"`     // the id of the call whose tool made this one

	// Of a job.
	Job   int    `json:"job,omitempty"`   // its number
	State string `json:"state,omitempty"` // how it ended
}

// ReadRecord reads a record line by line. A line that cannot be read is an error that names it, and the lines behind it
// follow; a last line without an end, which a crash may leave, is left out. An error of the file is the last, and so is
// that of a version that this one of Spillway does not know. It holds one line at a time in memory, and a line of more
// than 16 MiB is an error. The file must be a regular one. Begin with the older one, which is named as path with ".1"
// behind it, to read what was recorded before the last rotation.
func ReadRecord(path string) iter.Seq2[RecordedCall, error] {
	return func(yield func(RecordedCall, error) bool) {
		f, _, err := workspace.OpenRegular(os.OpenFile, path)
		if err != nil {
			yield(RecordedCall{}, fmt.Errorf("tools: the record cannot be read: %w", err))
			return
		}
		defer f.Close()
		for line, err := range record.Lines(f) {
			var call RecordedCall
			if err == nil {
				err = json.Unmarshal(line.Text, &call)
			}
			if err != nil {
				err = fmt.Errorf("tools: line %d of the record %s: %w", line.Number, show(path), err)
				call = RecordedCall{}
			}
			newer := call.Version > recordVersion
			if newer {
				err = fmt.Errorf("tools: line %d of the record %s begins a record of version %d, but this program reads "+
					"version %d at most. Take a newer one", line.Number, show(path), call.Version, recordVersion)
			}
			if !yield(call, err) || newer {
				return
			}
		}
	}
}

// The bounds on what a line holds of a call. The limits of the tools are far below that of the text.
const (
	maxRecordedArgs = 64 << 10
	maxRecordedText = 1 << 20
)

// recorder writes the record of a suite and its views. A nil one writes nothing.
type recorder struct {
	file      *record.File
	session   string
	workspace string
}

// openRecord begins the record, if one is asked for.
func openRecord(cfg config.Config, sh *shared) (*recorder, error) {
	path := cfg.Record
	if path == "" {
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(sh.paths.ws.Dir(), path)
	}
	path = filepath.Clean(path)
	if err := besideRecord(cfg, sh, path); err != nil {
		return nil, err
	}
	r := &recorder{session: spill.NewID(), workspace: sh.paths.ws.Dir()}
	head, err := encode(RecordedCall{
		Kind: recordedSession, Session: r.session, Time: time.Now().UTC(), Version: recordVersion,
		Workspace: r.workspace, Options: cfg.Values(),
	})
	if err == nil {
		r.file, err = record.Open(path, cfg.RecordMaxBytes, hideArgs(sh.redact, head))
	}
	if err != nil {
		want := "a file of yours that can be written to: " + quote.Inline(err.Error())
		return nil, refuse(&cfg, "Record", show(cfg.Record), want)
	}
	return r, nil
}

// with returns what records a call and tells an observer of it; nil if there is neither.
func (r *recorder) with(observer func(context.Context, config.Event)) func(context.Context, config.Event) {
	if r == nil || observer == nil && r == nil {
		return observer
	}
	return func(ctx context.Context, e config.Event) {
		r.call(e)
		if observer != nil {
			observer(ctx, e)
		}
	}
}

// withJobs returns what records the end of a job and tells an observer of the job.
func (r *recorder) withJobs(observer func(context.Context, config.Event)) func(context.Context, config.Event) {
	return func(ctx context.Context, e config.Event) {
		if e.JobState != job.Started && e.JobState != job.Matched {
			r.job(e)
		}
		if observer != nil {
			observer(ctx, e)
		}
	}
}

// besideRecord refuses a record where searches would find it, and git.
func besideRecord(cfg config.Config, sh *shared, path string) error {
	dir := withoutLinks(filepath.Dir(path))
	if !workspace.Within(sh.paths.ws.Dir(), dir) {
		return nil
	}
	spills := sh.spill.Path()
	if dir != spills {
		return refuse(&cfg, "Record", show(cfg.Record), "outside of the workspace, where searches would find it, or in "+
			show(sh.paths.shown(spills)))
	}
	_, err := sh.spill.Open() // which hides it
	return err
}

// withoutLinks returns an absolute path without links, as far as it leads anywhere.
func withoutLinks(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if found, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(found, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// call records a call that has ended.
func (r *recorder) call(e config.Event) {
	if r == nil {
		return
	}
	r.write(&RecordedCall{
		Kind: recordedCall, Time: e.Began, ID: e.ID, CalledBy: e.CalledBy, Conversation: e.Conversation,
		Ms: milliseconds(e.Duration), AtOnce: e.AtOnce, Tool: e.Tool, Args: encodable(e.Args, maxRecordedArgs),
		Text: beginning(e.Text, maxRecordedText), Said: e.Said, Code: e.Code,
		ShownBytes: e.BytesShown, ShownLines: e.LinesShown,
		ProducedBytes: e.BytesProduced, ProducedLines: e.LinesProduced,
		Truncated: e.Truncated, TruncatedBy: e.TruncatedBy, LimitReached: e.LimitReached, LinesCut: e.LinesCut,
		Strategy: e.Strategy, CharsRemoved: e.CharsRemoved,
		Standout: e.StandoutLines, StandoutMore: e.Standout - len(e.StandoutLines),
		Full: r.absolute(e.SpillPath), Images: e.Images,
	})
}

// job records a job that has ended.
func (r *recorder) job(e config.Event) {
	if r == nil {
		return
	}
	r.write(&RecordedCall{
		Kind: recordedJob, Time: e.Began.Add(e.Duration), ID: e.ID, Job: e.Job, State: e.JobState,
		Ms: milliseconds(e.Duration), ProducedBytes: e.BytesProduced, Full: r.absolute(e.SpillPath),
	})
}

func (r *recorder) write(c *RecordedCall) {
	c.Session, c.Time = r.session, c.Time.UTC()
	line, err := encode(c)
	if err != nil {
		r.file.Lose(err)
		return
	}
	r.file.Append(line)
}

// beginning returns the characters at the beginning of a text that fit into so many bytes.
func beginning(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	for maxBytes > 0 && !utf8.RuneStart(text[maxBytes]) {
		maxBytes--
	}
	return text[:maxBytes]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// absolute returns the absolute path of a file as a text names it.
func (r *recorder) absolute(name string) string {
	if name == "" {
		return ""
	}
	if name = filepath.FromSlash(quote.UnquotePath(name)); !filepath.IsAbs(name) {
		name = filepath.Join(r.workspace, name)
	}
	return name
}

// close returns the error for lines that could not be written.
func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("tools: %w", err)
	}
	return nil
}
