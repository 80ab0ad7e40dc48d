package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
)

// View says how a view of a suite differs from it. Zero fields change nothing.
type View struct {
	// Tools lists the tools of the view by name, added ones too. Empty means all that the suite has now.
	Tools []string
	// ReadOnly leaves out the tools that may change files or run programs.
	ReadOnly bool
	// Rules take the place of the suite's, but for its Deny, which holds as well. What answers for the session add
	// holds for the view alone then.
	Rules config.Rules
	// Guard is called after the suite's own, if that allows a call.
	Guard func(ctx context.Context, call config.Call) error

	// MaxLines and MaxBytes are the limits of every result, in place of those of all tools; MaxResults is how many
	// matches, results or entries grep, find and ls show if a call gives no limit. A tool that was added with a policy
	// of its own keeps that.
	MaxLines, MaxBytes, MaxResults int
	// Apart says that no model of the suite reads the results: they go to a program. What the view shows counts as
	// shown to nobody else, it may edit files that were not read, and a text may be empty. Nothing is shortened for a
	// model: lines have no numbers, and are whole up to MaxBytes (of grep up to 16,384 characters), and a long output of
	// bash is cut at its beginning alone.
	Apart bool
}

// With returns a view of the suite: the same suite with fewer tools or other rules, such as for a sub-agent or to plan
// before anything is changed. It can be used wherever a suite can. The two share their jobs, locks, spill directory,
// observer and statistics and, unless the view is Apart, what was shown to readers. With Bash.KeepState, commands of the
// view start where the suite's last one ended, and from then on each goes its own way.
//
// Closing a view ends no job and no process, and closing the suite closes its views. Tools that are added to one of them
// later are not in the other. The error names a tool that the suite does not have, joins a [*config.OptionError] for
// each rule that is refused, or says that no tool is left.
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

// viewed returns the configuration of a view.
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

// apartLineChars is how many characters of a line grep gives a program: what a search keeps of one, in any encoding.
const apartLineChars = 16 << 10

// limit puts the view's limits in the place of others.
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

// keeps reports whether a tool of the suite is in the view.
func (v View) keeps(t *suiteTool) bool {
	if may := t.Effects(); v.ReadOnly && (may.Writes || may.Executes) {
		return false
	}
	return len(v.Tools) == 0 || slices.Contains(v.Tools, t.name)
}

// empty reports whether there is no rule.
func empty(r config.Rules) bool { return len(r.Allow)+len(r.Ask)+len(r.Deny) == 0 }
