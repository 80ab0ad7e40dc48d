package footprint

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/shellpath"
	"github.com/spillway-go/spillway/internal/workspace"
)

// HiddenNamed returns the error for the commands of a line, of which text is the whole, that name a file which the
// workspace hides, or have the shell make its name from a pattern. It is no protection where the name cannot be known
// from the text: that is the sandbox. covered says that a sandbox keeps commands from opening hidden files: then only the
// names that are written out count.
func HiddenNamed(
	ctx context.Context, ws *workspace.Workspace, f shellpath.Finder, text string, commands []commandline.Command,
	covered func() bool,
) error {
	j := judge{Finder: f, ctx: ctx, hidden: ws.Hidden(), through: map[*commandline.Word]bool{}}
	j.patterns = sync.OnceValue(func() *patterns {
		if covered() {
			return nil
		}
		return newPatterns(ws, text)
	})
	before := []string{""}
	for _, c := range commands {
		dirs := c.Dirs
		if dirs == nil && len(c.Words) > 0 && slices.Contains([]string{"cd", "pushd", "popd", ".", "source"}, c.Words[0].Text) {
			dirs = before // it is not known where the shell is from here on
		}
		if before = c.Dirs; dirs == nil {
			dirs = []string{"/"} // of what runs anywhere only absolute paths are known
		}
		if err := j.command(c, dirs); err != nil || ctx.Err() != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
	return nil
}

// judge looks for hidden files in the words of a line.
type judge struct {
	shellpath.Finder
	ctx      context.Context // of HiddenNamed: a judge does not outlive that call
	hidden   func(abs string) bool
	patterns func() *patterns           // returns nil if those of the shell do not matter
	through  map[*commandline.Word]bool // the names of the wrappers that were judged
}

// command returns the error for the first word of a command that names a hidden file in one of these directories, or nil.
func (j judge) command(c commandline.Command, dirs []string) error {
	words := slices.Clone(c.Front)
	for i, w := range c.Words {
		if i > 0 || strings.Contains(w.Text, "/") {
			words = append(words, w)
		}
	}
	for _, r := range c.Redirects {
		words = append(words, r.Path)
	}
	for _, wrapper := range c.Through {
		if len(wrapper) > 0 && !j.through[&wrapper[0]] {
			j.through[&wrapper[0]] = true
			words = append(words, wrapper[1:]...)
		}
	}
	for _, dir := range dirs {
		if err := cmp.Or(j.words(words, dir), j.inGit(c, dir)); err != nil {
			return err
		}
	}
	return nil
}

func (j judge) words(words []commandline.Word, dir string) error {
	for i, w := range words {
		if hidden.Excludes(w.Text) || i > 0 && words[i-1].Text == "--exclude" {
			continue
		}
		if j.names(w, dir) {
			return hidden.Named(w.Text)
		}
		if w.Glob && j.expands(w.Text, dir) {
			return fault.Errorf(fault.Denied, "the pattern %s of the command also stands for what is hidden from the tools (Hidden "+
				"or HiddenFile). Write out the names that you need, or ask the user", quote.Value(w.Text))
		}
	}
	return nil
}

// names reports whether a word, or what is behind its first "=" or "@", is the path of a hidden file, or one through a
// hidden directory.
func (j judge) names(w commandline.Word, dir string) bool {
	text := known(w)
	_, value, _ := strings.Cut(text, "=")
	for _, name := range []string{text, value} {
		if j.isHidden(dir, name) || strings.HasPrefix(name, "@") && j.isHidden(dir, name[1:]) {
			return true
		}
	}
	return false
}

// known returns what a word is, or the directory that all words lead through which it becomes; "" if neither is known.
func known(w commandline.Word) string {
	if w.Known {
		return w.Text
	}
	return w.Prefix[:max(0, strings.LastIndexByte(w.Prefix, '/'))]
}

func (j judge) isHidden(dir, name string) bool {
	if name == "" || j.ctx.Err() != nil {
		return false
	}
	abs := j.Find(dir, name)
	return abs != "" && j.hidden(abs)
}
