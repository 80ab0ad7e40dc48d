package tools

import (
	"context"
	"fmt"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/preview"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

func (s *shell) foresee(ctx context.Context, p BashParams) *foresight {
	f := &foresight{}
	f.state, _, _ = s.startState(ctx) // an error here is that of ctx
	env := s.environ.Get()
	dir, kept := "", false
	if f.state != nil {
		env = f.state.Env
	}
	if f.state.Left() != nil {
		if open, err := workspace.HoldDir(f.state.Dir); err == nil {
			open.Close()
			kept = p.Cwd == ""
		}
	}
	if kept {
		dir = f.state.Dir
		f.add(s.ws.Shown(dir), workspace.Path{Name: s.ws.Shown(dir), Abs: dir}, config.UseList)
	} else if s.paths.place(f, p.Cwd, config.UseList); len(f.places) > 0 {
		dir = f.places[0]
	}
	f.Named = nil // running there neither reads nor lists
	f.Line = s.reader.Read(part.Command{Text: p.Command, Dir: dir, Env: env, Terminal: p.TTY, Earlier: f.state.Names()})
	commands, unknown := f.Line.Commands()
	f.Commands = commands
	f.Paths = append(f.Paths, f.Line.Uses(ctx)...)
	f.preview = func(ctx context.Context) (string, error) {
		headline, err := s.headline(ctx, p, dir, kept)
		if err == nil && s.ws.Hides() {
			err = f.Line.HiddenNamed(ctx)
		}
		if err != nil {
			return "", err
		}
		limits := preview.Limits{Lines: s.cfg.MaxLines, Bytes: s.cfg.MaxBytes}
		return preview.Command(headline, p.Command, commands, unknown, limits), nil
	}
	return f
}

// headline describes where and how a command would run. It returns the error of invalid arguments.
func (s *shell) headline(ctx context.Context, p BashParams, dir string, kept bool) (string, error) {
	if err := s.checkBackground(p); err != nil {
		return "", err
	}
	if _, err := lineMatcher("ready_when", p.ReadyWhen); err != nil {
		return "", err
	}
	if !kept {
		if _, err := s.paths.resolve(ctx, p.Cwd); err != nil {
			return "", err
		}
	}
	where := show(s.ws.Shown(dir))
	if where == "." {
		where = "the workspace"
	}
	switch {
	case p.TTY:
		return "Start as a job in a terminal, in " + where, nil
	case p.Background:
		return "Start as a job in " + where, nil
	}
	return fmt.Sprintf("Run in %s for at most %v", where, s.timeout(p)), nil
}

func (s *shell) foreseeJob(_ context.Context, p JobParams) *foresight {
	f := &foresight{Call: part.Call{ReadsOnly: p.Input == "" && p.Signal == ""}}
	f.preview = func(context.Context) (string, error) {
		if s.jobs == nil || p.ID == 0 {
			if p != (JobParams{}) || s.jobs == nil {
				_, err := s.job(context.Background(), p) // fails before any effect
				return "", err
			}
			return "List the jobs", nil
		}
		j, err := s.jobs.Find(p.ID)
		if err != nil {
			return "", err
		}
		job := fmt.Sprintf("job %d (%s)", p.ID, show(j.Command()))
		input := quote.Short(quote.Quoted(p.Input), maxShownInput)
		switch {
		case p.Input != "" && p.Signal != "":
			return fmt.Sprintf("Give %s the input %s, and send it the signal %s", job, input, p.Signal), nil
		case p.Input != "":
			return fmt.Sprintf("Give %s the input %s", job, input), nil
		case p.Signal != "":
			return fmt.Sprintf("Send %s the signal %s", job, p.Signal), nil
		}
		return "Wait for " + job, nil
	}
	return f
}

const maxShownInput = 1000
