package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// carriers are programs that run the words behind their options as a command, with other rights or in another place. No
// rule allows that because it allows the command, but one that denies the command denies it there as well.
var carriers = []string{"busybox", "chroot", "chrt", "doas", "fakeroot", "firejail", "flock", "nsenter", "numactl",
	"linux32", "linux64", "parallel", "perf", "pkexec", "proot", "runuser", "setarch", "strace", "sudo", "systemd-run",
	"taskset", "toybox", "unshare", "valgrind"}

// maxCarried is how many words of a carrier are taken for the first of its command. With more, it may run any.
const maxCarried = 256

func carries(w commandline.Word) bool {
	return w.Known && slices.Contains(carriers, path.Base(w.Text))
}

// carriesAny reports whether a carrier may run any command: a shell, or what stands behind too many words.
func carriesAny(words []commandline.Word) bool {
	if len(words) == 0 || !carries(words[0]) {
		return false
	}
	return len(words) > maxCarried || slices.ContainsFunc(words[1:], func(w commandline.Word) bool {
		return slices.Contains([]string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish"}, path.Base(w.Text))
	})
}

// setsAlias reports whether the words of git may give it an alias, which can be any command.
func setsAlias(words []commandline.Word) bool {
	if len(words) == 0 || path.Base(words[0].Text) != "git" {
		return false
	}
	for i, w := range words[1:] {
		setting, is := strings.CutPrefix(w.Begin(), "--config-env=")
		if before := words[i].Text; before == "-c" || before == "--config-env" {
			setting, is = w.Begin(), true
		}
		if is && (!w.Known && setting == "" || strings.HasPrefix(strings.ToLower(setting), "alias.")) {
			return true
		}
	}
	return false
}

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
