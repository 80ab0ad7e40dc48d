package footprint

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/gitdir"
)

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
	colons, top := !slices.Contains(withColons, words[0].Text), ""
	for _, w := range words[1:] {
		if excludes(w.Text) {
			continue
		}
		if moved && j.names(w, dir) {
			return named(w)
		}
		_, rest, colon := strings.Cut(known(w), ":")
		for n := 0; n < maxColons && colon && colons; n++ {
			if top == "" {
				top = j.top(dir)
			}
			if name := inTree(rest); j.isHidden(top, name) || j.isHidden(dir, name) {
				return named(w)
			}
			_, rest, colon = strings.Cut(rest, ":")
		}
	}
	return nil
}

// inTree returns the path behind a colon, relative to the top of the repository or to the directory.
func inTree(text string) string {
	if magic, rest, ok := strings.Cut(text, ")"); ok && strings.HasPrefix(magic, "(") {
		text = rest
	}
	return strings.TrimLeft(text, "/")
}

// top returns the root of the work tree that a directory is in; the directory itself if there is none.
func (f Finder) top(dir string) string {
	abs := f.Find(dir, "")
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
