package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
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
// and git, which reads the configuration of the repository where it is, which can name programs to run. It also returns
// the options that make git read another configuration.
func (j *judging) elsewhere(c *commandline.Command) (why string, options []string) {
	name := c.Words[0].Text
	moved := !slices.Equal(c.Dirs, []string{""}) || j.start != "."
	if path.Base(name) == "git" {
		options, _ = gitOptions(c.Words)
	}
	switch {
	case len(options) > 0:
		return "git " + shown(options[0]) + " may read a configuration that runs programs", options
	case moved && path.Base(name) == "git" && !j.sameRepository(c.Dirs):
		return "in another directory, git may read a configuration that runs programs", nil
	case moved && strings.Contains(name, "/") && !absolute(name):
		return "in another directory, " + shown(name) + " is another program", nil
	}
	return "", nil
}

// sameRepository reports whether git finds the workspace's repository in all of these directories, and no other one:
// they are in the workspace, and neither they nor what is between has what makes a repository. The line must not be
// able to make one before git runs.
func (j *judging) sameRepository(dirs []string) bool {
	if len(dirs) == 0 || j.place == nil || j.call.Holds == nil || !j.still() {
		return false
	}
	for _, dir := range dirs {
		name, ok := j.place(dir, ".")
		if !ok || isAbs(name) || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "..") {
			return false
		}
		for ; name != "."; name = path.Dir(name) {
			if j.placed++; j.placed > maxPlaced || j.call.Holds(name, ".git") || j.call.Holds(name, "HEAD") {
				return false
			}
		}
	}
	return true
}

// still reports whether all commands of the line are known to change nothing.
func (j *judging) still() bool {
	return !slices.ContainsFunc(j.call.Line.Commands, func(c commandline.Command) bool {
		return c.Unknown != "" || slices.ContainsFunc(c.Redirects, func(r commandline.Redirect) bool { return r.Writes }) ||
			len(c.Words) > 0 && !c.ShellOnly && readonly.Check(inPlace(&c).Words) != ""
	})
}

// inPlace returns git -C DIR log as what it is: git log in DIR. A path with .. is left, as links change what it means.
func inPlace(c *commandline.Command) *commandline.Command {
	words, dirs := c.Words, c.Dirs
	for len(words) > 2 && words[0].Text == "git" && words[1].Text == "-C" && words[1].Known && words[2].Known {
		to := words[2].Text
		if strings.HasPrefix(to, "~") || slices.Contains(strings.Split(to, "/"), "..") {
			break
		}
		words = slices.Concat(words[:1], words[3:])
		from := dirs
		dirs = nil
		for _, dir := range from {
			if dir = path.Join(dir, to); isAbs(to) {
				dir = path.Clean(to)
			} else if dir == "." {
				dir = ""
			}
			dirs = append(dirs, dir)
		}
	}
	placed := *c
	placed.Words, placed.Dirs = words, dirs
	return &placed
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
