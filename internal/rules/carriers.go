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
		setting, is := strings.CutPrefix(known(w), "--config-env=")
		if before := words[i].Text; before == "-c" || before == "--config-env" {
			setting, is = known(w), true
		}
		if is && (!w.Known && setting == "" || strings.HasPrefix(strings.ToLower(setting), "alias.")) {
			return true
		}
	}
	return false
}

// known returns what a word begins with, or all of it.
func known(w commandline.Word) string {
	if w.Known {
		return w.Text
	}
	return w.Prefix
}
