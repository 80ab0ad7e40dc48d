// Package replay says what a record would have cost under other options. It cuts outputs again that commands printed
// then, and repeats calls that only read. It runs no command and changes no file.
package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/tools/record"
)

// The bounds of what a record can ask for, besides those of a report.
const (
	maxSessions = 100              // that are repeated
	maxFull     = 256 << 20        // bytes of a full output that is cut again
	maxReread   = 4 << 30          // bytes of all of them, for each setting
	maxResult   = 16 << 20         // bytes that a limit may allow
	maxCall     = 30 * time.Second // for a call that is repeated
)

// Change sets an option, as [config.Config.Set] does.
type Change struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"-"` // such as "-set"
}

// Options say what a replay may read.
type Options struct {
	// Files opens full outputs outside of the workspace's directory for them, and has calls read where the record says
	// that they were allowed to.
	Files bool
}

// Run reads a record, and returns for each list of changes what its calls cost and what they would. The error is that of
// the record or of ctx.
func Run(ctx context.Context, path string, settings [][]Change, o Options) ([]*Comparison, error) {
	then, err := report.Read(path, record.Read(path))
	if err != nil {
		return nil, err
	}
	r := &replayer{path: path, files: o.Files, calls: len(then.Calls)}
	if err := r.verify(ctx); err != nil {
		return nil, err
	}
	var all []*Comparison
	for _, changes := range settings {
		now, err := report.Read(path, r.changed(ctx, changes))
		if err = errors.Join(ctx.Err(), r.failed, err); err != nil {
			return nil, err
		}
		all = append(all, compare(changes, then, now, r.verdicts))
	}
	return all, nil
}

// verdict says whether a call can be repeated.
type verdict struct {
	session string
	began   time.Time
	why     string // it cannot; "" if it can
}

// replayer repeats the calls of a record, once as they were and then with changes.
type replayer struct {
	path     string
	files    bool
	calls    int // that are repeated, at most
	verdicts []verdict
	failed   error // of what changed reads
}

// pass is once through the record.
type pass struct {
	ctx      context.Context
	changes  []Change
	files    bool
	sessions map[string]*session
	reread   int64 // bytes of full outputs
}

func (r *replayer) pass(ctx context.Context, changes []Change) *pass {
	return &pass{ctx: ctx, changes: changes, files: r.files, sessions: map[string]*session{}}
}

func (p *pass) close() {
	for _, s := range p.sessions {
		s.close()
	}
}

// verify finds out which calls give the recorded text again.
func (r *replayer) verify(ctx context.Context) error {
	p := r.pass(ctx, nil)
	defer p.close()
	for line, err := range record.Read(r.path) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // the report has it
		case line.Kind == "session":
			p.begin(&line)
		case line.Kind == "call" && len(r.verdicts) < r.calls:
			r.verdicts = append(r.verdicts, verdict{line.Session, line.Time, p.verify(&line)})
		}
	}
	return ctx.Err()
}

// verify repeats a call as it was, and says why it cannot be.
func (p *pass) verify(line *record.Line) (why string) {
	if why := mayRepeat(line); why != "" {
		return why
	}
	again, why := p.repeat(line)
	switch {
	case why != "" || again.Text == line.Text && again.Code == line.Code:
		return why
	case !isCommand(line):
		return whyOther
	case line.Full == "":
		return whyText
	case line.Facts.Exit.How == record.EndedJob || line.Tool == "job":
		return whyPart
	}
	return whyFull
}

// changed yields the record with the texts that its calls would have under the changed options, as far as they can be
// repeated.
func (r *replayer) changed(ctx context.Context, changes []Change) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		p := r.pass(ctx, changes)
		defer p.close()
		n := 0
		for line, err := range record.Read(r.path) {
			if ctx.Err() != nil {
				return
			}
			switch {
			case err != nil:
			case line.Kind == "session":
				p.begin(&line)
			case line.Kind == "call":
				if n == len(r.verdicts) {
					return
				}
				v := r.verdicts[n]
				n++
				if v.session != line.Session || !v.began.Equal(line.Time) {
					r.failed = fmt.Errorf("the record %s changed while it was read. Copy it, and replay the copy", quote.Name(r.path))
					return
				}
				p.apply(&line, v)
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// apply makes of a recorded call what it would be. One that cannot be repeated is repeated too if it reads, as what was
// shown before can decide what a later one shows.
func (p *pass) apply(line *record.Line, v verdict) {
	if v.why != "" && (isCommand(line) || mayRepeat(line) != "") {
		return
	}
	if again, why := p.repeat(line); v.why == "" && why == "" {
		*line = *again
	}
}

// Why calls are not repeated.
const (
	whyChanges   = "change files"
	whyTool      = "tools that a program added, or that there are not"
	whyWhole     = "recorded in part, as the text or the arguments are long"
	whyOther     = "another text today: the workspace has changed, or what is not repeated decided about it"
	whyFull      = "the file with the full output does not give the recorded text"
	whyText      = "the output in the text does not give that text"
	whyFacts     = "recorded by an older version, without what a replay needs to know"
	whyPart      = "a part of a job's output"
	whySplit     = "stdout and stderr shown apart"
	whyGone      = "no file with the full output"
	whyElsewhere = "the full output is not a file of the workspace's directory for them (-files opens it)"
	whyLarge     = "the full output is larger than 256MB"
	whyReread    = "the full outputs before it had 4GB together"
	whySession   = "the options that were in force are not in the record"
	whySessions  = "sessions behind the first 100"
	whyAborted   = "not done after 30s"
)

// looking are the tools of the library that only look. A replay makes their calls again.
var looking = []string{"read", "grep", "find", "ls"}

// mayRepeat says why a call cannot be repeated by what it is.
func mayRepeat(line *record.Line) string {
	switch {
	case slices.Contains(looking, line.Tool), isCommand(line):
	case slices.Contains(config.ToolNames(), line.Tool):
		return whyChanges
	default:
		return whyTool
	}
	if len(line.Text) != line.ShownBytes {
		return whyWhole
	}
	return ""
}

func isCommand(line *record.Line) bool { return line.Tool == "bash" || line.Tool == "job" }

// repeat returns the line of a call with what it would be in the pass, or why it cannot be repeated.
func (p *pass) repeat(line *record.Line) (again *record.Line, why string) {
	s := p.sessions[line.Session]
	switch {
	case s == nil && len(p.sessions) == maxSessions:
		return nil, whySessions
	case s == nil:
		return nil, whySession
	case s.why != "":
		return nil, s.why
	}
	if isCommand(line) {
		return p.command(s, line)
	}
	return s.look(p.ctx, line)
}
