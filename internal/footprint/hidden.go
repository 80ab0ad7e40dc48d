package footprint

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Hidden says what commands must not name.
type Hidden struct {
	Workspace *workspace.Workspace
	Shell     string // the name of the shell

	// Covered reports whether a sandbox keeps commands from opening hidden files: then only the names that are written out
	// count. Nil is never.
	Covered func() bool
}

// None returns the error for a command line that names a file which the workspace hides, or has the shell make its name
// from a pattern. It is no protection where the name cannot be known from the text: that is the sandbox.
func (h Hidden) None(ctx context.Context, f Finder, command string) error {
	if !h.Workspace.Hides() {
		return nil
	}
	j := judge{Finder: f, ctx: ctx, hidden: h.Workspace.Hidden(), through: map[*commandline.Word]bool{}}
	j.patterns = sync.OnceValue(func() *patterns {
		if h.Covered != nil && h.Covered() {
			return nil
		}
		return newPatterns(h.Workspace, command)
	})
	before := []string{""}
	for _, c := range commandline.ParseFor(h.Shell, command).Commands {
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
	Finder
	ctx      context.Context // of None: a judge does not outlive that call
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
		if excludes(w.Text) || i > 0 && words[i-1].Text == "--exclude" {
			continue
		}
		if j.names(w, dir) {
			return named(w)
		}
		if w.Glob && j.expands(w.Text, dir) {
			return fault.Errorf(fault.Denied, "the pattern %s of the command also stands for what is hidden from the tools (Hidden "+
				"or HiddenFile). Write out the names that you need, or ask the user", quote.Value(w.Text))
		}
	}
	return nil
}

// excludes reports whether a word of grep, tar, rsync or git keeps the command from what it names.
func excludes(word string) bool {
	return slices.ContainsFunc([]string{"--exclude=", "--exclude-dir=", ":!", ":^", ":(exclude"}, func(begin string) bool {
		return strings.HasPrefix(word, begin)
	})
}

// named is the error for a word that names a hidden file.
func named(w commandline.Word) error {
	return fault.Errorf(fault.Denied, "the command names %s, which is hidden from the tools, whether it exists or not "+
		"(Hidden or HiddenFile). Do it without that file, or ask the user", quote.Value(w.Text))
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
