package tools

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/part"
)

func (sh *shared) track(cfg config.Config) error {
	reads := sh.parts.Judge(cfg).Reads()
	tracker, err := sh.parts.Tracker(part.Tracking{
		Config: cfg, Workspace: sh.ws, Tree: sh.paths.Walked, Files: sh.changing(cfg, new(memory)), Spill: sh.spill, Redact: sh.redact,
		Reads: func(name string) bool {
			if reads == nil {
				return true
			}
			may, _ := reads(name)
			return may
		},
	})
	if err == nil {
		sh.tracker = tracker
	}
	return err
}

func (sh *shared) making(ctx context.Context, paths []string, change func() error) error {
	return sh.tracker.Change(ctx, callID(ctx), paths, change)
}

// trackAdded is the hook that tracks what an added tool changes, if it may change anything.
func trackAdded(tracker part.Tracker) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		if may := c.tool.Effects(); c.tool.wraps != nil && (may.Writes || may.Executes) {
			defer tracker.Begin(ctx, part.Doing{Call: c.id, About: c.tool.name, Outer: true}).Ended()
		}
		return next(ctx, c)
	}
}

// track begins to track the changes of a command, unless the command is known to change nothing.
func (s *shell) track(ctx context.Context, run *bashRun) part.Tracked {
	if s.tracker == (part.Untracked{}) {
		return part.Untracked{}
	}
	line := s.reader.Read(part.Command{
		Text: run.Command, Dir: run.dir.name, Env: run.state.Env, Terminal: run.TTY, Earlier: run.state.Names(),
	})
	if line.ReadsOnly(ctx) {
		return part.Untracked{}
	}
	return s.tracker.Begin(ctx, part.Doing{Call: callID(ctx), About: run.Command})
}

func (res *BashResult) altered(a part.Altered) {
	res.ChangedFiles = a.Count
	for _, f := range a.Files {
		res.Changes = append(res.Changes, alteration(f))
	}
}

func alteration(a part.Alteration) FileChange {
	f := FileChange{
		Path: a.Path, MovedFrom: a.From, Created: a.Created, Removed: a.Removed, Mode: a.Mode, Target: a.Target,
		Before: a.Before, By: a.By,
	}
	if a.Diff != nil {
		f.LinesAdded, f.LinesRemoved, f.Spans = a.Diff.Added, a.Diff.Removed, spansOf(a.Diff)
	}
	return f
}
