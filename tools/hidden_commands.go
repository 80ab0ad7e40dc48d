package tools

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/footprint"
	"github.com/spillway-go/spillway/internal/late"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/session"
)

// namesHidden refuses a command that names a hidden file. It is no protection where the shell computes the name: that is
// the sandbox.
func (s *shell) namesHidden(ctx context.Context, command, dir string, state *session.State) error {
	if !s.paths.ws.Hides() {
		return nil
	}
	line := commandline.ParseFor(proc.ShellName(s.cfg.Bash.Shell), command)
	return s.hiddenIn(ctx, line.Commands, footprint.NewFinder(dir, state.Env))
}

// hiddenIn returns the error for commands that name a hidden file.
func (s *shell) hiddenIn(ctx context.Context, commands []commandline.Command, f footprint.Finder) error {
	if !s.paths.ws.Hides() {
		return nil
	}
	look := func(ctx context.Context, _ struct{}) (string, error) {
		for _, c := range commands {
			for _, dir := range c.Dirs {
				if name := s.hiddenOf(ctx, c, dir, f); name != "" {
					return name, nil
				}
			}
		}
		return "", ctx.Err()
	}
	name, err := late.Leave(patience, look)(ctx, struct{}{})
	if err != nil {
		return failure(err, "")
	}
	if name != "" {
		return errorf(CodeDenied, "the command names %s, which is hidden from the tools, whether it exists or not (Hidden "+
			"or HiddenFile). Do it without that file, or ask the user", show(name))
	}
	return nil
}

// hiddenOf returns the first word of a command that names a hidden file, or "".
func (s *shell) hiddenOf(ctx context.Context, c commandline.Command, dir string, f footprint.Finder) string {
	hidden := func(w commandline.Word) bool {
		if !w.Known || ctx.Err() != nil {
			return false
		}
		names := []string{w.Text}
		if _, value, ok := strings.Cut(w.Text, "="); ok { // --file=.env
			names = append(names, value)
		}
		for _, name := range names {
			if abs := f.Find(dir, name); abs != "" && s.paths.ws.Hidden(filepath.Clean(abs)) {
				return true
			}
		}
		return false
	}
	for _, r := range c.Redirects {
		if hidden(r.Path) {
			return r.Path.Text
		}
	}
	for i, w := range c.Words {
		if (i > 0 || strings.Contains(w.Text, "/")) && hidden(w) {
			return w.Text
		}
	}
	return ""
}
