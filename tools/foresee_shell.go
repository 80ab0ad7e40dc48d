package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/preview"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/workspace"
)

// maxRedirected is how many files of a command a Call names.
const maxRedirected = 100

func (s *shell) foresee(ctx context.Context, p BashParams) *foresight {
	f := &foresight{}
	env := s.environ.Get(s.cfg.Bash.Env)
	dir, kept := "", false
	state := s.state.Load()
	f.state = state
	if state != nil {
		env = state.Env
		if open, err := workspace.HoldDir(state.Dir); p.Cwd == "" && err == nil {
			open.Close()
			dir, kept = state.Dir, true
		}
	}
	if kept {
		f.add(s.paths.shown(dir), workspace.Path{Name: s.paths.shown(dir), Abs: dir}, config.UseList)
	} else if s.paths.place(f, p.Cwd, config.UseList); len(f.places) > 0 {
		dir = f.places[0]
	}
	f.paths = nil // to run there is neither to read nor to list
	line := parsed(p.Command, proc.ShellName(s.cfg.Bash.Shell))
	state.hide(&line)
	f.line = &line
	at := placer{home: home(env)}
	if dir != "" {
		at.dir, _ = workspace.Place(dir, "")
	}
	f.foreseen.place = func(from, path string) (string, bool) {
		if ctx.Err() != nil {
			return "", false
		}
		abs, err := abandoned(patience, at.find)(ctx, [2]string{from, path})
		return s.paths.shown(abs), err == nil && abs != ""
	}
	f.terminal = p.TTY
	f.readOnly, f.foreseen.protected = s.paths.readOnly()
	for _, c := range line.Commands {
		f.commands = append(f.commands, described(c))
		f.touches(ctx, s.paths, at, c)
	}
	f.preview = func(ctx context.Context) (string, error) {
		headline, err := s.headline(ctx, p, dir, kept)
		if err != nil {
			return "", err
		}
		limits := preview.Limits{Lines: s.cfg.MaxLines, Bytes: s.cfg.MaxBytes}
		return preview.Command(headline, p.Command, line, limits), nil
	}
	return f
}

// parsed returns what a command line runs in a shell of that name.
func parsed(command, shell string) commandline.Line {
	switch shell {
	case "bash":
		return commandline.Parse(command)
	case "sh", "dash", "ksh":
		return commandline.ParsePOSIX(command)
	}
	return commandline.Line{Unknown: shell + " may run anything"}
}

// headline says where and how a command would run, or returns the error of its arguments.
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
	where := show(s.paths.shown(dir))
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

// described returns a command as a host sees it.
func described(c commandline.Command) config.Command {
	d := config.Command{Text: c.Text, Unknown: c.Unknown}
	for _, w := range c.Words {
		d.Words = append(d.Words, w.Text)
	}
	for _, r := range c.Redirects {
		d.Redirects = append(d.Redirects, r.Text)
	}
	return d
}

// touches notes the files that a command is redirected to and from, and those that its program is known to write to,
// where they are known.
func (f *foresight) touches(ctx context.Context, paths *paths, at placer, c commandline.Command) {
	for _, r := range c.Redirects {
		f.touch(ctx, paths, at, c.Dirs, r.Path, r.Writes, nil)
	}
	for _, w := range readonly.Writes(c.Words) {
		f.touch(ctx, paths, at, c.Dirs, w.Path, true, func(abs string) bool {
			if w.If {
				return isDir(filepath.Dir(abs))
			}
			return w.Below || !isDir(abs)
		})
	}
}

func isDir(abs string) bool {
	info, err := os.Lstat(abs)
	return err == nil && info.IsDir()
}

// touch notes a file that a command uses, if that is so.
func (f *foresight) touch(ctx context.Context, paths *paths, at placer, dirs []string, file commandline.Word, writes bool,
	is func(abs string) bool) {
	for _, dir := range dirs {
		if !file.Known || len(f.uses) > maxRedirected || ctx.Err() != nil {
			return
		}
		abs, _ := at.find(ctx, [2]string{dir, file.Text})
		if abs == "" || abs == os.DevNull || is != nil && !is(abs) {
			continue
		}
		use := config.UseRead
		if writes {
			use = config.UseChange
			if _, err := os.Lstat(abs); err != nil {
				use = config.UseCreate
			}
		}
		path := config.PathUse{Name: paths.shown(abs), Path: abs, Use: use}
		if !slices.Contains(f.uses, path) {
			f.uses = append(f.uses, path)
		}
	}
}

// readOnly returns what nothing is changed in, as it is named and where that leads, and which of these a path is in.
func (p *paths) readOnly() (roots []string, protected func(name string) string) {
	for dir := range p.ws.Protected() {
		roots = append(roots, p.ws.ProtectedBy(dir), p.shown(dir), filepath.ToSlash(dir))
	}
	return roots, func(name string) string {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(p.ws.Dir(), name)
		}
		return p.ws.ProtectedBy(name)
	}
}

// placer finds the places that a command line means.
type placer struct {
	dir  string // where it starts, without links; "" if that leads nowhere
	home string // of the commands; "" if there is none
}

// find returns where a path leads in a directory, both as the command line has them; "" if that is not known.
func (p placer) find(_ context.Context, path [2]string) (string, error) {
	abs := p.dir
	for _, name := range path {
		rest, tilde := strings.CutPrefix(name, "~")
		switch {
		case tilde && (rest != "" && rest[0] != '/' || p.home == ""): // of another user, or not known
			return "", nil
		case tilde:
			name = p.home + rest
		}
		if abs == "" && !filepath.IsAbs(name) {
			return "", nil
		}
		place := workspace.Place
		if abs == p.dir && abs != "" {
			place = workspace.PlaceIn
		}
		var ok bool
		if abs, ok = place(abs, name); !ok {
			return "", nil
		}
	}
	return abs, nil
}

// home returns the home directory in an environment.
func home(env []string) (dir string) {
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "HOME="); ok {
			dir = value
		}
	}
	return dir
}

func (s *shell) foreseeJob(_ context.Context, p JobParams) *foresight {
	f := &foresight{foreseen: foreseen{readsOnly: p.Input == "" && p.Signal == ""}}
	f.preview = func(context.Context) (string, error) {
		if s.jobs == nil || p.ID == 0 {
			if p != (JobParams{}) || s.jobs == nil {
				_, err := s.job(context.Background(), p) // fails before it does anything
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

// maxShownInput is how many characters of a job's input a preview shows.
const maxShownInput = 1000
