// Package readonly knows commands that change nothing, and the options that make them change something.
//
// table.txt lists what is harmless: a program, a subcommand or an option that is not listed is not known to change nothing,
// nor is an abbreviation of an option. What cannot be told from the words counts as the worst that they can become:
// $x may be -o, and so may *.txt, if a file is called -o.txt. Behind -- they are operands.
//
// "Changes nothing" is about what the command itself is told to do. It leaves out, because no word of the command
// shows it:
//
//   - what configuration outside of a repository's content makes a program do. Git's .git/config and ~/.gitconfig can
//     name programs (core.fsmonitor, diff.external, filters, pagers, gpg); a clone does not copy them, but a directory
//     that holds a bare repository brings them along. So a git command is only read-only where the line starts,
//     which is for the caller to see to, and never with -C or --git-dir;
//   - variables such as RIPGREP_CONFIG_PATH, TAR_OPTIONS or GIT_EXTERNAL_DIFF, and names that the shell or PATH gives
//     another meaning. Only bare names are known: ./git is another program than git;
//   - a terminal: on one, git, systemctl and journalctl start a pager, which waits for input and can run programs;
//   - caches and counters: git refreshes what its index knows of files' times, file systems keep access times, gofmt
//     counts its runs in the user's configuration;
//   - what a special file does when it is read, and what a reader sees.
//
// Programs that read the directory that they start in to choose which program runs are not listed: go (the toolchain
// line of go.mod, but see [CheckLocal]), cargo (rust-toolchain.toml), yarn (yarnPath).
package readonly

import "github.com/spillway-go/spillway/internal/commandline"

// Check returns "" if a command is known to change nothing: no file, no process, nothing elsewhere, and to run no
// programs other than its own parts (zcat runs gzip). Otherwise it returns why that is not known: "sort -o writes a
// file".
func Check(words []commandline.Word) (why string) {
	return checkIn(programs(), words, "change nothing")
}

// CheckLocal is [Check] for a command in whose environment is GOTOOLCHAIN=local.
func CheckLocal(words []commandline.Word) (why string) {
	if len(words) > 0 && words[0].Known && words[0].Text == "go" {
		return checkIn(localGo(), words, "change nothing")
	}
	return Check(words)
}

// checkIn checks a command by a table.
func checkIn(table map[string]*program, words []commandline.Word, does string) (why string) {
	if len(words) == 0 {
		return "it has no command"
	}
	if !words[0].Known {
		return words[0].Text + " can be any program"
	}
	name := words[0].Text
	p, ok := table[name]
	if !ok {
		return name + " is not known to " + does
	}
	return p.check(name, words[1:])
}
