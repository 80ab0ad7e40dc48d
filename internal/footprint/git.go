package footprint

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
	"mvdan.cc/sh/v3/pattern"
)

// globs are the characters that make a path a pattern, to git and to the shell.
const globs = "*?["

// withColons are the commands of git in whose words a colon stands in front of something else than a path in the
// repository: a host's path, a name that something is pushed to, a message.
var withColons = []string{"push", "fetch", "pull", "clone", "remote", "ls-remote", "submodule", "config", "commit", "tag", "notes"}

// maxColons is how many colons of a word are looked at: a revision seldom has one, such as HEAD^{/fix: x}.
const maxColons = 10

// inGit returns the error for the first word of a git command by which it names a hidden file in the repository, or
// nil: REV:path, a pathspec with magic in front, such as :(top)path, or a path in the directory of -C. What is hidden in
// the workspace is so in all that git has of it.
func (j judge) inGit(c commandline.Command, dir string) error {
	if len(c.Words) == 0 || !c.Words[0].Known || path.Base(c.Words[0].Text) != "git" {
		return nil
	}
	words, dir, moved := gitWords(c.Words[1:], dir)
	if len(words) == 0 {
		return nil
	}
	if words[0].Text == "rm" {
		if err := j.removes(words[1:], dir); err != nil {
			return err
		}
	}
	colons, top := !slices.Contains(withColons, words[0].Text), ""
	for _, w := range words[1:] {
		if hidden.Excludes(w.Text) {
			continue
		}
		if moved && j.names(w, dir) {
			return hidden.Named(w.Text)
		}
		_, rest, colon := strings.Cut(known(w), ":")
		for n := 0; n < maxColons && colon && colons; n++ {
			if top == "" {
				top = j.top(dir)
			}
			if name := inTree(rest); j.isHidden(top, name) || j.isHidden(dir, name) {
				return hidden.Named(w.Text)
			}
			_, rest, colon = strings.Cut(rest, ":")
		}
	}
	return nil
}

// removes returns the error for words of git rm that stand for hidden files which git tracks, by a directory or a pattern:
// the next commit would lose them.
func (j judge) removes(words []commandline.Word, dir string) error {
	repo := gitdir.Open(j.top(dir))
	if repo == nil {
		return nil
	}
	entries, err := gitindex.Of(repo)
	if err != nil {
		return nil // neither can git read it, or the sandbox keeps git from it
	}
	entries = slices.DeleteFunc(entries, func(e gitindex.Entry) bool {
		return j.ctx.Err() != nil || !j.hidden(filepath.Join(repo.Root, filepath.FromSlash(e.Path)))
	})
	for _, w := range words {
		if len(entries) == 0 || w.Known && strings.HasPrefix(w.Text, "-") || hidden.Excludes(w.Text) {
			continue
		}
		in, spec := dir, w.Text
		if _, rest, ok := strings.Cut(spec, ":"); ok {
			in, spec = repo.Root, inTree(rest)
		}
		matches := pathspec(j.Find(in, "."), spec)
		if slices.ContainsFunc(entries, func(e gitindex.Entry) bool { return matches(filepath.Join(repo.Root, filepath.FromSlash(e.Path))) }) {
			return fault.Errorf(fault.Denied, "%s of git rm also stands for files that are hidden from the tools (Hidden or "+
				"HiddenFile), which the repository would lose. Name the files to remove, or ask the user", quote.Value(w.Text))
		}
	}
	return nil
}

// pathspec returns what reports whether a pathspec of git, relative to a directory, stands for an absolute path: as that
// path, a directory above it, or a pattern, whose * matches slashes too. Of a pattern that is too long only the part in
// front of its first star counts.
func pathspec(dir, spec string) func(abs string) bool {
	literal, _, _ := strings.Cut(spec, "*")
	if i := strings.IndexAny(spec, globs); i < 0 {
		target := filepath.Join(dir, filepath.FromSlash(spec))
		if filepath.IsAbs(spec) {
			target = filepath.Clean(spec)
		}
		return func(abs string) bool { return workspace.Within(target, abs) }
	}
	expr, err := pattern.Regexp(spec, pattern.EntireString)
	re, bad := regexp.Compile(expr)
	return func(abs string) bool {
		rel, below := workspace.Under(dir, abs)
		if err != nil || bad != nil || len(spec) > maxPattern {
			return below && strings.HasPrefix(filepath.ToSlash(rel), literal)
		}
		return below && re.MatchString(filepath.ToSlash(rel))
	}
}

// inTree returns the path behind a colon, relative to the top of the repository or to the directory.
func inTree(text string) string {
	if magic, rest, ok := strings.Cut(text, ")"); ok && strings.HasPrefix(magic, "(") {
		text = rest
	}
	return strings.TrimLeft(text, "/")
}

// top returns the root of the work tree that a directory is in; the directory itself if there is none.
func (j judge) top(dir string) string {
	abs := j.Find(dir, "")
	if abs == "" {
		return dir
	}
	return gitdir.Find(abs).Root
}

// gitWords returns the command of git and its words, and the directory in which git runs it.
func gitWords(words []commandline.Word, dir string) (rest []commandline.Word, in string, moved bool) {
	for len(words) > 0 && words[0].Known && strings.HasPrefix(words[0].Text, "-") {
		option := words[0].Text
		words = words[1:]
		if len(words) == 0 || !slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"}, option) {
			continue
		}
		if to := words[0]; option == "-C" && to.Known {
			if moved = true; path.IsAbs(to.Text) || strings.HasPrefix(to.Text, "~") {
				dir = to.Text
			} else {
				dir = path.Join(dir, to.Text)
			}
		}
		words = words[1:]
	}
	return words, dir, moved
}
