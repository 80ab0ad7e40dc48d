package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// elsewhere returns why a command may be another one in the directory that it runs in: a program with a relative path,
// and git, which reads the configuration of where it is, which can name programs to run. It also returns the
// options that make git read another configuration.
func (j *judging) elsewhere(c *commandline.Command) (why string, options []string) {
	name := c.Words[0].Text
	moved := !slices.Equal(c.Dirs, []string{""}) || j.start != "."
	if path.Base(name) == "git" {
		options, _ = gitOptions(c.Words)
	}
	switch {
	case len(options) > 0:
		return "git " + shown(options[0]) + " may read a configuration that runs programs", options
	case moved && path.Base(name) == "git":
		return "in another directory, git may read a configuration that runs programs", nil
	case moved && strings.Contains(name, "/") && !absolute(name):
		return "in another directory, " + shown(name) + " is another program", nil
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
