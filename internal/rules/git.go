package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// elsewhere returns why git would read another configuration than that of the workspace, which can name programs to
// run, and the options that make it do so.
func (j *judging) elsewhere(c *commandline.Command) (why string, options []string) {
	if path.Base(c.Words[0].Text) != "git" {
		return "", nil
	}
	options, _ = gitOptions(c.Words)
	switch {
	case len(options) > 0:
		return "git " + shown(options[0]) + " may read a configuration that runs programs", options
	case !slices.Equal(c.Dirs, []string{""}) || j.start != ".":
		return "in another directory, git may read a configuration that runs programs", nil
	}
	return "", nil
}

// gitOptions returns the options of git in front of its command that change what it reads, and the command.
func gitOptions(words []commandline.Word) (options []string, command []commandline.Word) {
	i := 1
	for ; i < len(words) && strings.HasPrefix(words[i].Text, "-"); i++ {
		name, _, has := strings.Cut(words[i].Text, "=")
		switch name {
		case "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path",
			"--config-env", "--super-prefix", "--attr-source":
			options = append(options, name)
			if !has && name != "--exec-path" {
				i++
			}
		case "--no-pager", "-P", "--no-replace-objects", "--no-lazy-fetch", "--no-optional-locks",
			"--literal-pathspecs", "--version", "--help":
		default:
			options = append(options, name)
		}
	}
	return options, words[min(i, len(words)):]
}
