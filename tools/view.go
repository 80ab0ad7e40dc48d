package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
)

// View says how a view differs from its suite. Zero fields change nothing.
type View struct {
	// Tools lists the tools of the view by name, added ones too. Empty means all that the suite has now.
	Tools []string
	// ReadOnly leaves out the tools that may change files or run programs.
	ReadOnly bool
	// Rules replace the suite's, except its Deny, which still holds. Answers for the session then hold for the view
	// alone.
	Rules config.Rules
	// Guard is called after the suite's own guard, if that allows a call.
	Guard func(ctx context.Context, call config.Call) error

	// MaxLines and MaxBytes replace the limits of every tool; MaxResults is how many matches, results or entries grep,
	// find and ls show if a call gives no limit. A tool that was added with its own policy keeps it.
	MaxLines, MaxBytes, MaxResults int
	// Apart says that no model of the suite reads the results: they go to a program. What the view shows does not
	// count as shown to a model, it may edit files that were not read, and a text may be empty. Nothing is shortened
	// for a model: lines have no numbers and are whole up to MaxBytes (grep: up to 16,384 characters), and only the
	// beginning of a long bash output is cut.
	Apart bool
}

// With returns a view of the suite: the same suite with fewer tools or other rules, for example for a sub-agent or to
// plan before anything is changed. It can be used wherever a suite can. The two share their jobs, locks, spill
// directory, observer and statistics and, unless the view is Apart, what was shown to readers. With Bash.KeepState,
// commands of the view start where the suite's last one ended; afterwards each has its own state.
//
// Closing a view ends no job and no process, and closing the suite closes its views. A tool added later to one of them
// is not in the other. The error names a tool that the suite does not have, joins a [*config.OptionError] for each
// rule that is refused, or says that no tool is left.
func (s *Suite) With(v View) (*Suite, error) {
	cfg, err := s.viewed(v)
	if err != nil {
		return nil, err
	}
	judge, memory := s.judge, s.memory
	if !empty(v.Rules) {
		judge = s.parts.Judge(cfg)
	}
	if v.Apart {
		memory = newMemory(cfg)
		memory.apart = s.memory
	}
	view := assemble(cfg, s.shared, memory, judge, s.shell.state.Load(), s.isClosed)
	for _, t := range s.tools.list() {
		if t.wraps != nil && v.keeps(t) {
			view.tools.all = append(view.tools.all, view.added(t.wraps.(*policyTool).Tool))
		}
	}
	if len(view.tools.all) == 0 {
		return nil, fmt.Errorf("tools: a view with these tools has none, as ReadOnly leaves them out: %s",
			strings.Join(v.Tools, ", "))
	}
	return view, nil
}

func (s *Suite) viewed(v View) (config.Config, error) {
	for _, name := range v.Tools {
		if !s.tools.has(name) {
			return config.Config{}, fmt.Errorf("tools: a view cannot have the tool %s, because the suite has only %s",
				show(name), s.tools.names())
		}
	}
	cfg := s.cfg
	cfg.Tools = nil
	for _, t := range s.tools.list() {
		if t.wraps == nil && v.keeps(t) {
			cfg.Tools = append(cfg.Tools, t.name)
		}
	}
	if len(cfg.Tools) == 0 {
		cfg.Tools = []string{config.NoTools}
	}
	if !empty(v.Rules) {
		cfg.Rules = v.Rules
		cfg.Rules.Deny = slices.Concat(s.cfg.Rules.Deny, v.Rules.Deny)
	}
	v.limit(&cfg)
	if outer, own := cfg.Guard, v.Guard; outer != nil && own != nil {
		cfg.Guard = func(ctx context.Context, call config.Call) error {
			if err := outer(ctx, call); err != nil {
				return err
			}
			return own(ctx, call)
		}
	} else if own != nil {
		cfg.Guard = own
	}
	return resolved(cfg, s.parts)
}

// apartLineChars is the part of a line that grep gives a program, in characters: no search keeps more, in any
// encoding.
const apartLineChars = 16 << 10

func (v View) limit(cfg *config.Config) {
	set := func(n int, limits ...*int) {
		for _, limit := range limits {
			if n != 0 {
				*limit = n
			}
		}
	}
	set(v.MaxLines, &cfg.MaxLines, &cfg.Read.MaxLines, &cfg.Bash.MaxLines, &cfg.Grep.MaxLines, &cfg.Find.MaxLines,
		&cfg.Ls.MaxLines, &cfg.Edit.MaxLines)
	set(v.MaxBytes, &cfg.MaxBytes, &cfg.Read.MaxBytes, &cfg.Bash.MaxBytes, &cfg.Grep.MaxBytes, &cfg.Find.MaxBytes,
		&cfg.Ls.MaxBytes, &cfg.Edit.MaxBytes)
	set(v.MaxResults, &cfg.Grep.Limit, &cfg.Find.Limit, &cfg.Ls.Limit)
	if v.Apart {
		cfg.Edit.RequireRead, cfg.Read.Repeat = false, config.RepeatFull
		cfg.Read.LineNumbers, cfg.Read.MaxLineChars, cfg.Read.PieceBytes = false, 0, cfg.Read.MaxBytes
		cfg.Grep.MaxLineChars = max(cfg.Grep.MaxLineChars, apartLineChars)
		cfg.Bash.Strategy, cfg.Bash.Policy = truncation.Tail, truncation.Policy{}
	}
}

func (v View) keeps(t *suiteTool) bool {
	if may := t.Effects(); v.ReadOnly && (may.Writes || may.Executes) {
		return false
	}
	return len(v.Tools) == 0 || slices.Contains(v.Tools, t.name)
}

func empty(r config.Rules) bool { return len(r.Allow)+len(r.Ask)+len(r.Deny) == 0 }
