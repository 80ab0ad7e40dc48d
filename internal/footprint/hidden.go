package footprint

import (
	"context"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// NoneHidden returns the error for a command, of a shell of that name, that names a file which the workspace hides. It
// is no protection where the shell computes the name: that is the sandbox.
func (f Finder) NoneHidden(ctx context.Context, ws *workspace.Workspace, shell, command string) error {
	if !ws.Hides() {
		return nil
	}
	for _, c := range commandline.ParseFor(shell, command).Commands {
		for _, dir := range c.Dirs {
			name := f.hidden(ctx, ws, c, dir)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if name != "" {
				return fault.Errorf(fault.Denied, "the command names %s, which is hidden from the tools, whether it exists or not "+
					"(Hidden or HiddenFile). Do it without that file, or ask the user", quote.Value(name))
			}
		}
	}
	return nil
}

// hidden returns the first word of a command that names a hidden file, or "".
func (f Finder) hidden(ctx context.Context, ws *workspace.Workspace, c commandline.Command, dir string) string {
	for _, r := range c.Redirects {
		if f.names(ctx, ws, r.Path, dir) {
			return r.Path.Text
		}
	}
	for i, w := range c.Words {
		if (i > 0 || strings.Contains(w.Text, "/")) && f.names(ctx, ws, w, dir) {
			return w.Text
		}
	}
	return ""
}

// names reports whether a word, or what is behind its first "=", is the path of a hidden file.
func (f Finder) names(ctx context.Context, ws *workspace.Workspace, w commandline.Word, dir string) bool {
	if !w.Known || ctx.Err() != nil {
		return false
	}
	_, value, _ := strings.Cut(w.Text, "=")
	for _, name := range []string{w.Text, value} {
		if name == "" {
			continue
		}
		if abs := f.Find(dir, name); abs != "" && ws.Hidden(abs) {
			return true
		}
	}
	return false
}
