// Package record writes every call of a suite of tools to a file, and reads such a file. A
// [Recorder] observes the suite; package tools does not depend on it.
package record

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
)

// The bounds on a record. The limits of the tools are far below that of the text.
const (
	maxFile    = 64 << 20 // bytes at which the file is put aside
	maxText    = 1 << 20  // bytes of a text
	maxArgs    = 64 << 10 // bytes of arguments
	argsPrefix = 4 << 10  // characters that are kept of longer ones
)

// Recorder writes the record of a suite and its views. It is safe for concurrent use.
type Recorder struct {
	journal   *journal
	session   string
	workspace string
}

// Open begins a session in the record at path, for a suite that is built with cfg and has [Recorder.Observe] as its
// observer:
//
//	rec, err := record.Open(path, cfg)
//	if err != nil {
//		return err
//	}
//	defer rec.Close()
//	cfg.Observe = rec.Observe
//	suite, err := tools.New(cfg)
//
// With Config.Redact, parts has that of package tools/redaction, which hides secrets in the options that the record names;
// other parts do not matter. A host with its own observer calls Observe from it. The path is absolute or relative to the workspace. It must be
// outside the workspace or in Spill.Dir, and lead through no link; no other user may read the file or own its
// directory. Open creates them if they are missing. At 64 MiB the file is renamed to its name with ".1" appended,
// replacing the one before, and a new one is begun. Several suites and processes may write to one record.
//
// The error is a [*config.OptionError] for the option Record if the path is refused, and that of tools.New if cfg is.
func Open(path string, cfg config.Config, parts ...part.Part) (*Recorder, error) {
	cfg, err := cfg.Resolved()
	if err != nil {
		return nil, err
	}
	set, err := part.Join(parts)
	if err != nil {
		return nil, err
	}
	if err := set.Missing(cfg, "record.Open", "Redact"); err != nil {
		return nil, err
	}
	dir, err := place(path, &cfg)
	if err != nil {
		return nil, err
	}
	r := &Recorder{session: spill.NewID(), workspace: dir}
	head, err := encode(Line{
		Kind: kindSession, Session: r.session, Time: time.Now().UTC(), Version: version,
		Workspace: r.workspace, Options: cfg.Values(),
	})
	if err == nil {
		withheld := environ.NewCache(cfg.Bash.Env).Withheld()
		head = set.Masker(cfg, func() []string { return withheld }).JSON(head)
		r.journal, err = openJournal(filepath.Clean(absolute(dir, path)), maxFile, head)
	}
	if err != nil {
		return nil, refuse(path, "a file of yours that can be written to: "+quote.Inline(err.Error()))
	}
	return r, nil
}

// place returns the workspace. It refuses a record where searches would find it, and git.
func place(path string, cfg *config.Config) (dir string, err error) {
	ws, err := workspace.New(cfg.Workspace, workspace.Options{Writable: cfg.WritableRoots})
	if err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	defer ws.Close()
	spills := spill.NewDirBelow(ws.AllowOwn(cfg.Spill.Dir))
	defer spills.Close()
	dir = ws.Dir()
	in := withoutLinks(filepath.Dir(absolute(dir, path)))
	switch {
	case !workspace.Within(dir, in):
		return dir, nil
	case in == spills.Path():
		_, err = spills.Open() // which hides it
		return dir, err
	}
	shown := spills.Path()
	if rel, err := filepath.Rel(dir, shown); err == nil && filepath.IsLocal(rel) {
		shown = rel
	}
	return "", refuse(path, "outside of the workspace, where searches would find it, or in "+
		quote.Value(filepath.ToSlash(shown)))
}

func refuse(path, want string) error {
	return &config.OptionError{Option: "Record", Value: quote.Value(path), Want: want}
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

// Observe writes a line for a call or a job that has ended. It is for [config.Config.Observe]. It
// returns when the line is written, or after a quarter of a second if the disk does not answer. A
// failed write does not fail the call; Close reports it.
func (r *Recorder) Observe(_ context.Context, e config.Event) {
	switch {
	case e.Job == 0:
		r.call(e)
	case e.JobState != "started" && e.JobState != "matched":
		r.job(e)
	}
}

func (r *Recorder) call(e config.Event) {
	r.write(&Line{
		Kind: kindCall, Time: e.Began, ID: e.ID, CalledBy: e.CalledBy, Conversation: e.Conversation,
		Ms: milliseconds(e.Duration), AtOnce: e.AtOnce, Tool: e.Tool, Args: shortened(e.Args),
		Text: beginning(e.Text, maxText), Said: e.Said, Code: e.Code,
		ShownBytes: e.BytesShown, ShownLines: e.LinesShown,
		ProducedBytes: e.BytesProduced, ProducedLines: e.LinesProduced,
		Truncated: e.Truncated, TruncatedBy: e.TruncatedBy, LimitReached: e.LimitReached, LinesCut: e.LinesCut,
		Strategy: e.Strategy, CharsRemoved: e.CharsRemoved,
		Standout: e.StandoutLines, StandoutMore: e.Standout - len(e.StandoutLines),
		Full: r.full(e.SpillPath), Facts: FactsOf(e), Images: e.Images, Network: e.Network,
	})
}

func (r *Recorder) job(e config.Event) {
	r.write(&Line{
		Kind: kindJob, Time: e.Began.Add(e.Duration), ID: e.ID, Job: e.Job, State: e.JobState,
		Ms: milliseconds(e.Duration), ProducedBytes: e.BytesProduced, Full: r.full(e.SpillPath),
		Facts: FactsOf(e), Network: e.Network,
	})
}

func (r *Recorder) write(l *Line) {
	l.Session, l.Time = r.session, l.Time.UTC()
	line, err := encode(l)
	if err != nil {
		r.journal.Lose(err)
		return
	}
	r.journal.Append(line)
}

// Close closes the file. Close the suite first, which reports the ends of its jobs to the observer.
// The error says how many lines the record lacks, and why the first of them is missing. A call that
// ends later is still recorded.
func (r *Recorder) Close() error {
	if err := r.journal.Close(); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// encode is json.Marshal that leaves & < > as they are: people read the record.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// shortened returns arguments, or the beginning of long ones as a JSON string.
func shortened(args json.RawMessage) json.RawMessage {
	if len(args) <= maxArgs {
		return args
	}
	text, _ := quote.Cut([]byte(args), argsPrefix, "...")
	short, _ := encode(text) // no error: it is a string
	return short
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

// full returns the absolute path of a file as a text names it.
func (r *Recorder) full(name string) string {
	if name == "" {
		return ""
	}
	return absolute(r.workspace, filepath.FromSlash(quote.UnquotePath(name)))
}

func absolute(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return path
}
