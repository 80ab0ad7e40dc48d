package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// TailLines says that r, a result of Tail, is the end of a longer output, and where that is saved. It is empty if r is
// not truncated.
func TailLines(r truncation.Result, full Saved) Notice {
	if !r.Truncated {
		return ""
	}
	limit, by := tailLimit(r), byLimit(r.TruncatedBy, r.MaxBytes)
	if r.TruncatedBy == truncation.ByChars {
		by = " (" + limit + " limit)"
	}
	if r.LastLinePartial {
		return Notice(fmt.Sprintf("Showing last %s of line %d (line is %s). %s",
			limit, r.TotalLines, size.Format(int64(r.LongLineBytes)), FullOutput(full)))
	}
	return Notice(fmt.Sprintf("Showing lines %d-%d of %d%s. %s",
		r.TotalLines-r.OutputLines+1, r.TotalLines, r.TotalLines, by, FullOutput(full)))
}

// TailOfLine is TailLines for new output within a line whose beginning was shown before.
func TailOfLine(r truncation.Result, full Saved) Notice {
	return Notice(fmt.Sprintf("Showing last %s of the %s that are new in line %d. %s",
		tailLimit(r), size.Format(int64(r.LongLineBytes)), r.TotalLines, FullOutput(full)))
}

func tailLimit(r truncation.Result) string {
	if r.TruncatedBy == truncation.ByChars {
		return fmt.Sprintf("%d characters", r.MaxChars)
	}
	return size.Format(int64(r.MaxBytes))
}

// Redrawn says how many more lines the file of an output has than were shown, because lines were drawn again. It is
// empty if over is 0.
func Redrawn(over int) Notice {
	switch {
	case over > 0:
		return Notice(fmt.Sprintf("Lines are counted as shown: the file has %d more, as lines were drawn again. "+
			"Find a line there by its text, with grep", over))
	case over < 0:
		return Notice(fmt.Sprintf("Lines are counted as shown: the file has %d fewer, as the cursor was moved. "+
			"Find a line there by its text, with grep", -over))
	}
	return ""
}

// Saved says where a full output was saved, or why it was not. The zero value means that saving was not tried.
type Saved struct {
	Path string // in the form for the reader of the text; "" if Err is set
	Err  error  // why there is no file
}

// In reports whether a text already says so, as one with a marker may.
func (s Saved) In(text string) bool {
	where := s.Path
	if s.Err != nil {
		where = s.Err.Error()
	}
	return strings.Contains(text, where)
}

func FullOutput(s Saved) Notice {
	if s.Err != nil {
		return Notice("Full output not saved: " + s.Err.Error())
	}
	return Notice("Full output: " + s.Path)
}

type Running struct {
	Pid     int
	Command string // its command line; "" if unknown
}

// MaxRunning is the number of processes that Background names.
const MaxRunning = 5

func Background(first []Running, all int) Notice {
	if all == 0 {
		return ""
	}
	var list []string
	for _, p := range first {
		if p.Command != "" {
			p.Command = " (" + p.Command + ")"
		}
		list = append(list, fmt.Sprintf("%d%s", p.Pid, p.Command))
	}
	return Notice("Still running in the background: pid " + andMore(list, all))
}

// ProcessLimit is empty if limit is 0.
func ProcessLimit(limit int) Notice {
	if limit == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("The command reached its limit of %d processes and threads, and could start no more. "+
		"Start fewer at a time; the limit is Bash.MaxProcesses, or a lower limit of the host", limit))
}

const HoldLess = "Hold less at a time: run fewer processes at once, or work on the data in parts. " +
	"The limit is Bash.MaxMemory, which the user can raise"

// MemoryLimit is empty if limit is 0 bytes.
func MemoryLimit(limit int64) Notice {
	if limit == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("The job held more than %s of memory and was ended. %s", size.Format(limit), HoldLess))
}

// Sandboxed says what the sandbox allows, for a command that may have failed because of it. roots is the number of
// paths outside the workspace that it may write to; hosts are the hosts that it may reach by name.
func Sandboxed(engine string, network bool, hosts []string, roots int, reads bool) Notice {
	what := "writing only in the workspace"
	if reads {
		what = "reading and " + what
	}
	if roots > 0 {
		what += fmt.Sprintf(" and %d other %s", roots, plural(roots, "place"))
	}
	switch {
	case len(hosts) > 0:
		what = "network only to " + listed(hosts, maxHostBytes) + ", through a proxy, " + what
	case !network:
		what = "no network, " + what
	}
	const otherwise = "Use $TMPDIR for temporary files; ask the user for anything else"
	return Notice(fmt.Sprintf("Sandboxed (%s): %s. %s", engine, what, otherwise))
}

func GitDirReadOnly(dir string) Notice {
	return Notice("The git directory of this workspace, " + dir + ", is outside of it and read-only: " +
		"to let commands commit, the user can set Bash.WriteGitDir")
}

// SigningGPG says what gpg needs to sign in a sandbox: its agent, unless Bash.Services has that already, and no lock
// files under landlock.
func SigningGPG(named, landlock bool) Notice {
	if named {
		return "Under landlock gpg cannot lock its files: to let commands sign, the user can add the line lock-never to " +
			"gpg.conf. Otherwise commit without a signature, with git commit --no-gpg-sign"
	}
	also := ""
	if landlock {
		also = ", and add the line lock-never to gpg.conf"
	}
	return Notice("Sandboxed commands cannot reach gpg-agent: to let them sign, with every key that it holds, the user can " +
		"add to Bash.Services the socket that gpgconf --list-dirs agent-socket prints" + also + ". Otherwise commit " +
		"without a signature, with git commit --no-gpg-sign")
}

const SigningSSH = Notice("Sandboxed commands cannot reach ssh-agent: to let them sign, and log in, with every key that it " +
	"holds, the user can add the socket $SSH_AUTH_SOCK to Bash.Services, and SSH_AUTH_SOCK to Bash.Env. Otherwise commit " +
	"without a signature, with git commit --no-gpg-sign")

func RefsKept(dir string) Notice {
	return Notice("In this worktree commands can commit, and create and move branches and tags, but not delete or rename " +
		"them: git would create lock files in " + dir + ", which is read-only because it holds git's configuration. " +
		"Ask the user to do it")
}

func SharedKept(dir string) Notice {
	return Notice("In " + dir + ", which worktrees share, commands can change objects, branches, tags and what belongs to " +
		"this worktree, but not configuration, hooks and what belongs to other worktrees. If git branch -m fails there, " +
		"the branch is renamed all the same: rename it back if another worktree is on it. If git gc fails, use " +
		"git repack -adn and git pack-refs --all")
}

// ReadOnlyRoots names what commands cannot change within the places where they may write. It is empty without names.
func ReadOnlyRoots(names []string) Notice {
	if len(names) == 0 {
		return ""
	}
	return Notice("The option ReadOnlyRoots keeps commands from changing " + enumerate(names))
}

func Undone(paths []string) Notice {
	if len(paths) == 0 {
		return ""
	}
	return Notice("Removed " + strings.Join(paths, " and ") + ", which would make git use other hooks and configuration")
}

// Unfollowed says which files were removed that a command made in the git directory shared by worktrees.
func Unfollowed(paths []string) Notice {
	if len(paths) == 0 {
		return ""
	}
	return Notice("Removed " + strings.Join(paths, " and ") + ", as git outside of the sandbox would write through a link, " +
		"or go on with a rebase that runs commands")
}

// HiddenKept says that a command failed at hidden files, and what that means for git. It is empty without names.
func HiddenKept(names []string) Notice {
	if len(names) == 0 {
		return ""
	}
	are, they, them := "is", "it stays as it was", "it"
	if len(names) > 1 {
		are, they, them = "are", "they stay as they were", "them"
	}
	return Notice(enumerate(names) + " " + are + " hidden: " + they + ", because commands cannot change, move, remove or " +
		"add " + them + ". If git stopped there, the rest may have been done: see git status, then run the command once " +
		"more. If it fails again, the user must run it outside of the sandbox")
}

// HiddenWithoutGit says why git is refused in a repository with hidden files.
func HiddenWithoutGit(root, why string) Notice {
	return Notice("Commands cannot use git in " + root + ", because it could lose hidden files: " + why +
		". The user must run git outside of the sandbox")
}

func WorkingDirectory(dir string) Notice {
	return Notice("The working directory is now " + dir)
}

func DirectoryGone(dir string) Notice {
	return Notice("The working directory " + dir + " can no longer be entered, so this command ran in the workspace")
}

func StateLost(maxBytes int) Notice {
	return Notice(fmt.Sprintf("The working directory, variables, functions and aliases stay as they were before this command: "+
		"it replaced the shell (exec), set a trap for EXIT, removed its directory, or exported more than %s",
		size.Format(int64(maxBytes))))
}

// SetupFailed says that commands run without the environment of Bash.Setup: how it failed, the end of its output, and
// the files whose change makes it run again.
func SetupFailed(how, printed string, files []string) Notice {
	text := "Bash.Setup, which prepares the environment of commands, " + how + ". Commands run without what it sets"
	if printed != "" {
		text += ". It printed last: " + quote.Quoted(printed)
	}
	if len(files) == 0 {
		return Notice(text + ". Tell the user: it is not run again in this session")
	}
	return Notice(text + ". Correct what it reports, or tell the user; it runs again when " + strings.Join(files, " or ") +
		" changes (touch is enough)")
}

// OfSetup makes a notice about the state say that Bash.Setup left it.
func OfSetup(n Notice) Notice {
	if n == "" {
		return ""
	}
	return "Bash.Setup, which prepares the environment of commands, is done. " + n
}

const SetupAgain = Notice("Bash.Setup ran again, because a file that it depends on has changed: variables, functions and " +
	"aliases of earlier commands are gone")

func NotKept(names []string) Notice {
	if len(names) == 0 {
		return ""
	}
	return Notice("Not kept for the next command, because " + pluralOf(len(names), "it", "they") +
		" would keep a shell from starting: " + firstOf(names))
}

const (
	maxNotKept = 3  // names in a notice
	maxName    = 60 // characters of a name
)

func firstOf(names []string) string {
	var first []string
	for _, name := range names[:min(len(names), maxNotKept)] {
		first = append(first, quote.Short(quote.Inline(name), maxName))
	}
	return andMore(first, len(names))
}

// NotHandedOn names the first functions and aliases that are lost because the shell is not bash.
func NotHandedOn(names []string) Notice {
	if len(names) == 0 {
		return ""
	}
	return Notice("Not kept for the next command: " + firstOf(names) + ". This shell is not bash, and only bash " +
		"keeps functions and aliases. Define them again where they are needed")
}

// NoDefinitions names the first functions and aliases that are lost because nothing keeps them.
func NoDefinitions(names []string) Notice {
	if len(names) == 0 {
		return ""
	}
	return Notice("Not kept for the next command: " + firstOf(names) + ". Functions and aliases are not kept here. " +
		"Define them again where they are needed")
}

// NotDefined names the first functions and aliases that the next command does not get.
func NotDefined(names []string, maxBytes int) Notice {
	if len(names) == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("Not kept for the next command: %s. A definition is not kept if its name is used to "+
		"start a shell, if it cannot be parsed, or if all are over %s. Define it again where it is needed",
		firstOf(names), size.Format(int64(maxBytes))))
}

const HiddenNotEnforced Notice = "Hidden files (Hidden or HiddenFile) are kept only from commands that name them: " +
	"do not read them by searches, archives or git"
