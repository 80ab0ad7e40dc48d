package notice

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/notices.golden; read it before you commit it")

// The wording of every notice, in one file: a change of it is a change of what
// models have learnt to read.
func TestNotices(t *testing.T) {
	const kb = 1 << 10
	long := LongLine{Line: 1, Bytes: 50 * kb, MaxBytes: 30 * kb, Path: "path/to/file"}
	deep := LongLine{Line: 1000, Bytes: 50 * kb, MaxBytes: 30 * kb, Path: "file"}
	saved, job := Saved{Path: ".clarvis/bash-x.log"}, Saved{Path: ".clarvis/job-x.log"}
	lines := truncation.Result{Truncated: true, TruncatedBy: truncation.ByLines, TotalLines: 50000, OutputLines: 2000, MaxLines: 2000, MaxBytes: 30 * kb}
	bytes := truncation.Result{Truncated: true, TruncatedBy: truncation.ByBytes, TotalLines: 50000, OutputLines: 500, MaxLines: 2000, MaxBytes: 30 * kb}
	partial := truncation.Result{Truncated: true, TruncatedBy: truncation.ByBytes, TotalLines: 50000, OutputLines: 1, LastLinePartial: true, LongLineBytes: 100 * kb, MaxBytes: 30 * kb}
	chars := truncation.Result{Truncated: true, TruncatedBy: truncation.ByChars, TotalLines: 50000, OutputLines: 500, MaxLines: 2000, MaxBytes: 128 * kb, MaxChars: 30000}
	partialChars := truncation.Result{Truncated: true, TruncatedBy: truncation.ByChars, TotalLines: 1, OutputLines: 1, LastLinePartial: true, LongLineBytes: 30001, MaxBytes: 128 * kb, MaxChars: 30000}
	failures := []truncation.Line{{Number: 46221, Text: "--- FAIL: TestRollback (0.02s)"}, {Number: 46230, Text: "--- FAIL: TestAudit (0.01s)"}}
	with := func(path string) LongLine { l := long; l.Path = path; return l }
	var got strings.Builder
	for _, n := range []struct {
		when   string
		notice Notice
	}{
		{"read: line limit", Page{First: 1, Last: 2000, Total: 5000, By: truncation.ByLines, MaxBytes: 30 * kb}.Lines()},
		{"read: byte limit", Page{First: 1, Last: 500, Total: 5000, By: truncation.ByBytes, MaxBytes: 30 * kb}.Lines()},
		{"read: the end of a file over 8MB", Page{First: 1, Last: 403, Total: 1000, By: truncation.ByBytes, MaxBytes: 30 * kb, FromEnd: true}.Lines()},
		{"read: the call's own `limit`", Page{First: 1, Last: 10, Total: 100}.More()},
		{"read: the call's own `limit`, one line left", Page{First: 1, Last: 10, Total: 11}.More()},
		{"read: the call's own `limit`, counted from the end", Page{First: 91, Last: 95, Total: 100, FromEnd: true}.More()},
		{"read: a page that is counted from the end, up to there", Page{First: 99, Last: 100, Total: 100}.End()},
		{"read: the same, one line", Page{First: 100, Last: 100, Total: 100}.End()},
		{"read: the call's own `limit`, in one of several files", Page{First: 1, Last: 10, Total: 100, Path: "a.go"}.More()},
		{"read: a line behind the path", LineOfPath(400)},
		{"read: several files, one not shown", NotShown([]string{"b.go"})},
		{"read: several files, more not shown", NotShown([]string{"b.go", "c.go"})},
		{"read: several files, all shown", NotShown(nil)},
		{"read: first line too long", long.UseBash()},
		{"read: the same at an offset", deep.UseBash()},
		{"read: the same without bash", long.UseColumn()},
		{"read: a path with spaces", with("my file's name.txt").UseBash()},
		{"read: a path like an option", with("-n").UseBash()},
		{"read: a path that is not printable", with("a\nb\xff").UseBash()},
		{"read: a path too long for a notice", with(strings.Repeat("x", 600)).UseBash()},
		{"read: a piece of a line", LongLine{Line: 7, Bytes: 1258291, MaxBytes: 30 * kb}.Piece(1, 30000)},
		{"read: lines cut to `Read.MaxLineChars`", CutLines(2, 2000, 7, 2001, "")},
		{"read: a digest with the beginning of a line", CutLine(7, 320, "")},
		{"read: a digest with the end of a line, in one of several files", CutLine(7, 0, "a.js")},
		{"read: a digest of whole lines", CutLine(0, 0, "")},
		{"read: another encoding, once", Format{Encoding: "utf-16le", LineEndings: "crlf", Edit: true}.Notice()},
		{"read: a byte order mark", Format{Encoding: "utf-8-bom", LineEndings: "lf", Edit: true}.Notice()},
		{"read: one line in another encoding", Format{Encoding: "utf-16be", Edit: true}.Notice()},
		{"read: other line endings, once", Format{Encoding: "utf-8", LineEndings: "crlf", Edit: true}.Notice()},
		{"read: line endings of both kinds, and no edit", Format{Encoding: "utf-8", LineEndings: "mixed"}.Notice()},
		{"read: nothing else than usual", Format{Encoding: "utf-8", LineEndings: "lf", Edit: true}.Notice()},
		{"read: an encoding that a file looks like, once", Format{Encoding: "windows-1252", LineEndings: "lf", Guessed: true, Edit: true}.Notice()},
		{"read: the same, of several files, and no edit", Format{Encoding: "windows-1252", LineEndings: "crlf", Guessed: true, Path: "a.txt"}.Notice()},
		{"bash: lines were drawn again, and some left out", Redrawn(297)},
		{"bash: lines were left blank by the cursor, and some left out", Redrawn(-2)},
		{"bash: neither", Redrawn(0)},
		{"bash: a JSON document of many lines", Document{Document: truncation.Document{Left: "$.items[2..479]", Line: 61}}.Notice()},
		{"bash: a JSON document of long lines", Document{Document: truncation.Document{Left: "$.items[2..479]", Line: 2, Column: 12001}}.Notice()},
		{"bash: a JSON document on one line", Document{
			Document: truncation.Document{Left: "$[7]", Line: 61, OneLine: true}, Pretty: ".clarvis/json-x.log",
		}.Notice()},
		{"bash: what it changed", FilesChanged{Count: 9, Named: []ChangedFile{
			{Name: "a.go", Added: 4, Lost: 1, Content: true}, {Name: "b.go", Created: true, Content: true}, {Name: "c.go", Removed: true},
			{Name: "d.go", Was: "old.go"}, {Name: "gen/", Created: true, Within: 2}, {Name: "logo.png", Content: true},
			{Name: "link", Link: "b.go"}, {Name: "run.sh", Lost: 2, Content: true, Mode: "755"},
		}}.Notice()},
		{"bash: a file in place of a directory", FilesChanged{Count: 1, Named: []ChangedFile{
			{Name: "a", BecameFromKind: "a directory"},
		}}.Notice()},
		{"job: what it or others changed, listed in a file", FilesChanged{Count: 40, Shared: true, Named: []ChangedFile{
			{Name: "a.go", Added: 4, Content: true},
		}, All: Saved{Path: ".clarvis/result-x.txt"}}.Notice()},
		{"job: the same, not listed", FilesChanged{Count: 40, Named: []ChangedFile{
			{Name: "a.go", Added: 4, Content: true},
		}, All: Saved{Err: errors.New("no space left on device")}}.Notice()},
		{"bash: it changed nothing", FilesChanged{}.Notice()},
		{"bash: what it changed is not known", ChangesUnknown("open src: permission denied")},
		{"job: a JSON document on one line", Document{Document: truncation.Document{Left: "$.a[7]", Line: 61, OneLine: true}}.Notice()},
		{"bash: a part whose path jq writes in another way", Document{Document: truncation.Document{Left: "$['a b'][7]", Line: 61}}.Notice()},
		{"bash: a JSON document without a long array", Document{}.Notice()},
		{"job: such a document on one line", Document{Document: truncation.Document{OneLine: true}}.Notice()},
		{"read: not UTF-8", NotValid{Encoding: "utf-8", Likely: "windows-1252"}.Notice()},
		{"read: not UTF-8, of several files", NotValid{Encoding: "utf-8", Likely: "windows-1252", Path: "a.txt"}.Notice()},
		{"read: not UTF-8 and like no other", NotValid{Encoding: "utf-8"}.Notice()},
		{"read: not in the encoding that was asked for", NotValid{Encoding: "shift_jis"}.Notice()},
		{"all: a NUL byte", NULs},
		{"all: lines of nothing", unseen("\n\n\n")},
		{"all: spaces", unseen("  \t\n")},
		{"all: characters that nobody sees", unseen("\ufeff")},
		{"bash: not UTF-8", NotValidOutput{Likely: "windows-1252", Path: saved.Path}.Notice()},
		{"bash: not UTF-8, and nothing to read it with", NotValidOutput{Likely: "x-mac-cyrillic"}.Notice()},
		{"bash: not UTF-8 and like no other", NotValidOutput{}.Notice()},
		{"bash: UTF-16", Decoded("utf-16le")},
		{"bash: a picture", Join(Binary{Name: "a PNG image", Bytes: 28 * kb, Shown: 256}.Notice(), FullOutput(saved))},
		{"bash: few bytes that are not text", Binary{Bytes: 43, Shown: 43}.Notice()},
		{"bash: not text, so far", Binary{Name: "a PNG image", Bytes: 28 * kb}.Notice()},
		{"read: a page that was shown before", Repeat{Path: "x.go", Same: []SameLines{{1, 200, 1}}, Total: 200, Was: 200}.Notice()},
		{"read: a line that was shown before", Repeat{Path: "x.go", Same: []SameLines{{7, 7, 5}}, Total: 9, Was: 7}.Notice()},
		{"read: most of a page, under another name, in one of several files", Repeat{Path: "link.go", Same: []SameLines{{1, 4, 1}, {7, 90, 5}, {92, 202, 90}},
			Name: "x.go", Total: 202, Was: 200, Argument: "link.go"}.Notice()},
		{"read: all but one line of a page, in a file that has lost others", Repeat{Path: "x.go", Same: []SameLines{{1, 4, 1}, {6, 90, 6}}, Total: 100, Was: 200}.Notice()},
		{"read: a broken notebook", Rendered{Failed: "it cannot be read as a notebook: it has no cells"}.Notice()},
		{"read: a large notebook", Rendered{Note: MoreCells, Images: 2, Line: 90, Undecoded: 1}.Notice()},
		{"read: a notebook of several files", Rendered{Images: 1, Line: 90, Path: "a.ipynb"}.Notice()},
		{"read: a whole notebook", Rendered{}.Notice()},
		{"added: images left out", Images{Left: 3, Bytes: 13_000_000, Max: 64, MaxBytes: 5 << 20, NoImages: 1, Type: "text/html"}.Notice()},
		{"added: all images are shown", Images{Max: 64, MaxBytes: 5 << 20}.Notice()},
		{"job: it runs", Job{ID: 1, State: JobState{Running: true}.String(), Shell: true, Any: true, Output: job}.Notice()},
		{"job: it runs, and has no input", Job{ID: 1, State: JobState{Running: true}.String(), Shell: true, Any: true, Output: job}.Notice()},
		{"job: it runs, as was said before", Job{ID: 1, State: JobState{Running: true}.String(), Shell: true, Any: true, Known: true, Output: job}.Notice()},
		{"job: it has ended", Job{ID: 1, State: JobState{Code: 2}.String(), None: true, Output: job}.Notice()},
		{"job: it has ended, where processes cannot be found", Job{ID: 1, State: JobState{Code: 2}.String(), Output: job}.Notice()},
		{"job: a signal", Job{ID: 1, State: JobState{Code: -1, Signal: "SIGTERM", Sender: ThisCall}.String(), None: true, Output: job}.Notice()},
		{"job: a signal of another call", Job{ID: 1, State: JobState{Code: -1, Signal: "SIGTERM", Sender: ACall}.String(), None: true, Output: job}.Notice()},
		{"job: a signal of somebody else", Job{ID: 1, State: JobState{Code: -1, Signal: "SIGSEGV"}.String(), None: true, Output: job}.Notice()},
		{"job: the program that runs the tools waits for all of its children", Job{ID: 1, State: JobState{Code: -1}.String(), Output: job}.Notice()},
		{"job: a process is left", Job{ID: 1, State: JobState{Any: true, Left: 1}.String(), Any: true, Output: job}.Notice()},
		{"job: processes are left", Job{ID: 1, State: JobState{Any: true, Left: 2}.String(), Any: true, Output: job}.Notice()},
		{"job: processes may be left, without /proc", Job{ID: 1, State: JobState{Any: true}.String(), Any: true, Output: job}.Notice()},
		{"job: its output could not be saved", Job{ID: 1, State: JobState{Code: 2}.String(), Output: Saved{Err: errors.New("no space left on device")}}.Notice()},
		{"job: the list", JobsRunning(2, 5)},
		{"job: none of the list runs", JobsRunning(0, 1)},
		{"all: secrets, with `Redact`", Redacted(2, []string{"AWS access key", "GitHub token"})},
		{"all: one secret", Redacted(1, []string{"private key"})},
		{"all: secrets of many kinds", Redacted(9, []string{"a", "b", "c", "d", "e", "f"})},
		{"all: no secret", Redacted(0, nil)},
		{"grep: nothing matches, with `Redact`", NotSearched},
		{"grep: nothing matches, and all files were skipped", NoneSearched},
		{"job: a line matched", Matched(12, "")},
		{"job: a line matched that the output does not end with", Matched(12, "listening on :8080")},
		{"job: lines before it", LinesBefore(truncation.Result{Truncated: true, TruncatedBy: truncation.ByLines,
			TotalLines: 302, OutputLines: 20}, 100, "the output")},
		{"job: a line before it", LinesBefore(truncation.Result{Truncated: true, TruncatedBy: truncation.ByBytes,
			TotalLines: 3, OutputLines: 2, MaxBytes: 30720}, 0, ".clarvis/stderr-x.log")},
		{"job: more after it", After(312)},
		{"job: no line matched in time", NotMatched("until", 30*time.Second)},
		{"job: a question", WaitsForInput(0)},
		{"job: a question, and nothing else says how to answer", WaitsForInput(1)},
		{"job: no line matched to the end", NeverMatched("until")},
		{"job: a prompt", Unfinished{ID: 1}.Notice()},
		{"job: a prompt, and something else says how to answer", Unfinished{}.Notice()},
		{"job: a prompt that the output does not end with", Unfinished{Text: "Password:"}.Notice()},
		{"job: `timeout_ms` without `ready_when`", NoJobTimeout},
		{"job: `show` with `ready_when`", NoShow},
		{"job: a command of bash that ran too long", Overran(2 * time.Minute)},
		{"job: a command that the user did not want to wait for", MovedToBackground},
		{"job: a command of bash that printed nothing, with `Bash.IdleTimeout`", WentIdle(30 * time.Second)},
		{"all: a job has ended", JobsEnded([]Ended{{2, JobState{Code: 1}.String(), 14 * time.Second}})},
		{"all: a job was ended", JobsEnded([]Ended{{2, JobState{Code: -1, Signal: "SIGTERM", Sender: "the program"}.String(), 125 * time.Second}})},
		{"all: two jobs have ended", JobsEnded([]Ended{{2, JobState{Code: 1}.String(), 14 * time.Second}, {3, JobState{}.String(), 0}})},
		{"all: many jobs have ended", JobsEnded(slices.Repeat([]Ended{{7, JobState{}.String(), time.Second}}, 9))},
		{"all: no job has ended", JobsEnded(nil)},
		{"job, bash, grep: an argument over its maximum", Lowered("timeout_ms", 600_001, 600_000)},
		{"job, bash, grep: at its maximum", Lowered("timeout_ms", 600_000, 600_000)},
		{"bash: line limit", TailLines(lines, saved)},
		{"bash: byte limit", TailLines(bytes, saved)},
		{"bash: character limit, `chars` of `Bash.Policy`", TailLines(chars, saved)},
		{"bash: last line too long", TailLines(partial, saved)},
		{"job: more of a line, too long", TailOfLine(partial, saved)},
		{"bash: last line too long, by characters", TailLines(partialChars, saved)},
		{"bash: the full output could not be saved", TailLines(lines, Saved{Err: errors.New("no space left on device")})},
		{"bash: failures and more among the lines left out", Join(TailLines(lines, saved), Standout{Lines: failures, More: 12, Before: true, Room: 600}.Notice())},
		{"bash: the same beside a marker", Standout{Lines: failures[:1], Room: 600}.Notice()},
		{"bash: a command failed, and nothing in what is left out says why", Join(TailLines(lines, saved), Unexplained)},
		{"bash: a marker that does not name the file", FullOutput(saved)},
		{"bash: nothing left out", TailLines(truncation.Result{}, saved)},
		{"bash: processes left in the background", Background([]Running{{12, "sleep 300"}, {Pid: 13}}, 2)},
		{"bash: many processes left in the background", Background([]Running{{12, "sleep 300"}}, 8)},
		{"bash: `cd`, with `Bash.KeepState`", WorkingDirectory("cmd/")},
		{"bash: the directory of the call before is gone", DirectoryGone("build/tmp")},
		{"bash: nothing of the shell's state could be kept", StateLost(256 * kb)},
		{"bash: variables and functions that break a shell", NotKept([]string{"BASH_ENV", "the function read"})},
		{"bash: a branch or tag that cannot be deleted, with `Bash.WriteGitDir`", RefsKept("/main/.git")},
		{"bash: a function that was not kept", NotDefined([]string{"the function read"}, 256<<10)},
		{"bash: a shell that is not bash", NotHandedOn([]string{"the function f", "the alias ll", "the alias la", "the alias l"})},
		{"bash: functions where no part keeps them", NoDefinitions([]string{"the function f", "the alias ll"})},
		{"bash: many functions that were not kept", NotDefined([]string{"the function f", "the alias if", "the alias a", "the alias b", "the alias c"}, 256<<10)},
		{"bash: much that breaks a shell", NotKept([]string{"BASH_ENV", "PS4", "A", "B", "C"})},
		{"bash: `Bash.Setup` failed", SetupFailed("exited with code 1", "direnv: error .envrc is blocked", []string{".envrc", ".env"})},
		{"bash: the same, without `Bash.SetupFiles`", SetupFailed("ran longer than 2m0s (Bash.Timeout) and was ended", "", nil)},
		{"bash: what `Bash.Setup` leaves is not kept", OfSetup(NotKept([]string{"BASH_ENV"}))},
		{"bash: all of it is kept", OfSetup("")},
		{"bash: `Bash.Setup` ran again, with `Bash.KeepState`", SetupAgain},
		{"bash: gpg failed to sign, in a sandbox", SigningGPG(false, false)},
		{"bash: the same, under landlock", SigningGPG(false, true)},
		{"bash: the same, with the agent in `Bash.Services`", SigningGPG(true, true)},
		{"bash: ssh failed to sign, in a sandbox", SigningSSH},
		{"bash: limit of processes", ProcessLimit(4096)},
		{"job: limit of memory", MemoryLimit(2 << 30)},
		{"bash: what the sandbox may have refused", Sandboxed("landlock", false, nil, 0, false)},
		{"bash: the same, with network, `Bash.ReadableRoots` and one of `WritableRoots`", Sandboxed("bwrap", true, nil, 1, true)},
		{"bash: the same, with `Bash.Hosts`", Sandboxed("landlock", false, []string{"proxy.golang.org", "*.example.org"}, 0, false)},
		{"bash, job: a host that `Bash.Hosts` does not name", HostsRefused([]string{"example.org"}, "Bash.Hosts", "")},
		{"bash, job: several of them", HostsRefused([]string{"example.org", "cdn.example.net:8443"}, "Bash.Hosts", "")},
		{"bash, job: many of them", HostsRefused([]string{"example.org", strings.Repeat("x", 290), "a", "b"}, "Bash.Hosts", "")},
		{"bash, job: a host that `Bash.PrivateHosts` does not name", HostsRefused([]string{"db.internal:5432"}, "Bash.PrivateHosts", "a private address")},
		{"bash, job: a host that gives out credentials", HostsRefused([]string{"169.254.169.254"}, "", "an address that no command may reach")},
		{"bash: no host was refused", HostsRefused(nil, "Bash.Hosts", "")},
		{"bash: a sandboxed command failed, with `ReadOnlyRoots`", ReadOnlyRoots([]string{".git", "vendor", "2 more"})},
		{"bash: git failed in a linked worktree or a submodule", GitDirReadOnly("/home/user/project/.git")},
		{"bash: git, or another program, failed at a hidden file, under bwrap", HiddenKept([]string{"keys/a.pem"})},
		{"bash: the same at several", HiddenKept([]string{"keys/a.pem", ".env", "3 more"})},
		{"bash: git is refused in a repository with hidden files, under bwrap", HiddenWithoutGit("lib", "its index cannot be read: it is malformed")},
		{"bash: a command led git elsewhere, under bwrap", Undone([]string{".git/commondir", "HEAD"})},
		{"bash: nothing led git elsewhere, under bwrap", Undone(nil)},
		{"bash: a command made a link, or a rebase, in what worktrees share, under bwrap", Unfollowed([]string{"/main/.git/packed-refs"})},
		{"bash: nothing of that kind was made, under bwrap", Unfollowed(nil)},
		{"bash: git failed at what belongs to others in a linked worktree, under bwrap", SharedKept("/main/.git")},
		{"grep: match limit", LimitReached{Limit: 100, Found: 100, One: "match", Many: "matches", Refine: true}.Notice()},
		{"grep: limit of one match", LimitReached{Limit: 1, Found: 1, One: "match", Many: "matches", Refine: true}.Notice()},
		{"grep: match limit, at an offset", LimitReached{Limit: 100, Found: 100, One: "match", Many: "matches", Refine: true, Continued: true}.Notice()},
		{"grep: file limit", LimitReached{Limit: 100, Found: 100, One: "file", Many: "files", Refine: true}.Notice()},
		{"grep: match limit, with more on the last line", LimitReached{Limit: 100, Found: 103, One: "match", Many: "matches", Refine: true}.Notice()},
		{"grep: byte limit", Matches{Shown: 50, Found: 100, More: true, What: "matches"}.ListLimit(bytes)},
		{"grep: byte limit, no more matches", Matches{Shown: 50, Found: 80, What: "matches"}.ListLimit(bytes)},
		{"grep: line limit", Matches{Shown: 50, Found: 80, What: "matches"}.ListLimit(lines)},
		{"rewind: what is not covered", Notice(NotCovered{Large: 1, Special: 2, Unreadable: 2, First: "big.bin", MaxFileBytes: 16 << 20, MaxBytes: 256 << 20, Ignored: true}.Line())},
		{"rewind: other numbers", Notice(NotCovered{Special: 1, Unreadable: 1, First: "pipe"}.Line())},
		{"rewind: everything is covered", Notice(NotCovered{}.Line())},
		{"preview: all of it", Join(Preview{Shown: 9, Total: 9, Diff: true}.Notices()...)},
		{"preview: a diff that is cut", Join(Preview{Shown: 100, Total: 4000, Cut: true, LongLines: true, Max: 500, Diff: true}.Notices()...)},
		{"preview: a command that is cut", Join(Preview{Shown: 100, Total: 4000, Cut: true}.Notices()...)},
		{"preview: characters that are quoted", Join(Preview{Shown: 9, Total: 9, Quoted: true, Diff: true}.Notices()...)},
		{"grep: long lines", LongLines{Max: 500, Path: "bundle.js", Line: 1, Column: 2999751}.Notice()},
		{"grep: long lines, the first of megabytes", LongLines{Max: 500, Path: "bundle.js", Line: 1, Column: 2999751, Huge: true}.Notice()},
		{"grep: long lines, in another encoding", LongLines{Max: 500, Path: "bundle.js", Line: 1, Column: 1, Encoding: "latin1"}.Notice()},
		{"grep: long lines of a file whose path is too long for a notice", LongLines{Max: 500, Path: strings.Repeat("x", 300), Line: 7, Column: 1}.Notice()},
		{"grep: long match", LongMatch(80, 120, 91)},
		{"grep: context left out", ContextDropped},
		{"grep: all matches, where the limit is reached", InAll{All: 1240, What: "matches", Dirs: []CountIn{{"internal/", 900}, {"./", 340}}}.Notice()},
		{"grep: a pattern with an empty alternative", EmptyAlternative("a|b")},
		{"grep: a long pattern with an empty alternative", EmptyAlternative(strings.Repeat("x", 300))},
		{"grep: binary files", Skipped{Binary: 146, BinaryFirst: []string{"a.png", "b.png", "c.png"}, Bash: true}.Notice()},
		{"grep: files that were skipped", Skipped{Binary: 2, Large: 1, LargeFirst: []string{"big.log"}, MaxBytes: 20_000_000, Unreadable: 3}.Notice()},
		{"grep, find: results that git ignores, with `ignored`", IgnoredHits([]string{"build/", "run.log"}, 5)},
		{"grep, find: the same, with names too long for a notice", IgnoredHits([]string{strings.Repeat("x", 300)}, 1)},
		{"grep, find: no such results", IgnoredHits(nil, 0)},
		{"grep: several large files, in a multiline search", Skipped{Large: 4, LargeFirst: []string{"a.log", "b.log", "c.log"}, Whole: true, MaxBytes: 20_000_000}.Notice()},
		{"grep: a large file whose path is too long for a notice", Skipped{Large: 1, LargeFirst: []string{strings.Repeat("x", 300)}, MaxBytes: 20_000_000}.Notice()},
		{"grep, find: ignored entries, once, and where nothing was found", Skipped{Ignored: 1, IgnoredFirst: []string{"build/"}}.Notice()},
		{"bash: the first command where files are hidden", HiddenNotEnforced},
		{"grep, find, ls: a hidden entry", Skipped{Hidden: 1}.Notice()},
		{"grep, find, ls: hidden entries", Skipped{Hidden: 3}.Notice()},
		{"grep, find, ls: an ignore file that cannot be read", Skipped{Hidden: 3, Unread: UnreadRules{1,
			"sub/.agentignore cannot be read (permission denied)"}}.Notice()},
		{"grep, find: two ignore files that cannot be read", Skipped{Unread: UnreadRules{2,
			"sub/.agentignore cannot be read (permission denied)"}}.Notice()},
		{"grep, find: ignore files that cannot be read", Skipped{Hidden: 9, Unread: UnreadRules{3,
			"sub/.agentignore cannot be read (permission denied)"}}.Notice()},
		{"grep: files that rules refuse", Skipped{Refused: 1, RefusedFirst: []string{".env"}}.Notice()},
		{"grep: files that rules refuse, and one that they ask about", Skipped{Refused: 4, RefusedFirst: []string{".env", "a/.env", "b.pem"}, Asked: 1, AskedFirst: "b.pem"}.Notice()},
		{"grep, find: more ignored entries", Skipped{Ignored: 12, IgnoredFirst: []string{"a.log", "build/", "node_modules/"}, Binary: 1}.Notice()},
		{"grep, find: an ignore file that is too long", Skipped{Rules: 1, RulesFile: ".gitignore", RulesLines: 100_000}.Notice()},
		{"grep, find: rules of git that are not read", Skipped{Outside: 1, OutsideFirst: []string{"/home/u/rules"}}.Notice()},
		{"grep, find: several of these", Skipped{Unreadable: 1, Rules: 3, RulesFile: "a/.gitignore", RulesLines: 99_000}.Notice()},
		{"grep: a line that is not UTF-8", NotValid{Encoding: "utf-8", Likely: "windows-1252", Path: "a.txt"}.Found()},
		{"grep: the same in a file whose path is too long for a notice", NotValid{Encoding: "utf-8", Path: strings.Repeat("x", roomForNames+1)}.Found()},
		{"grep: a file that is not UTF-8, and a pattern with other characters", Skipped{NotUTF8: 1, NotFirst: []string{"a.txt"}, Likely: "windows-1252"}.Notice()},
		{"grep: a file that was decoded, once", Skipped{Decoded: 1, DecodedFirst: []string{"a.txt"}, DecodedFrom: []string{"windows-1252"}}.Notice()},
		{"grep: several that were", Skipped{Decoded: 4, DecodedFirst: []string{"a.txt", "b.txt", "c.txt"}, DecodedFrom: []string{"windows-1252"}}.Notice()},
		{"grep: several from several encodings", Skipped{Decoded: 2, DecodedFirst: []string{"a.txt", "b.txt"}, DecodedFrom: []string{"windows-1252", "shift_jis"}}.Notice()},
		{"grep: several from many encodings", Skipped{Decoded: 9, DecodedFirst: []string{"a.txt"}, DecodedFrom: []string{"windows-1252", "shift_jis", "big5", "windows-1251"}}.Notice()},
		{"grep: several that are not UTF-8", Skipped{NotUTF8: 5, NotFirst: []string{"a.txt", "b.txt", "c.txt"}}.Notice()},
		{"grep: a glob that matches nothing relative to path", Skipped{Elsewhere: true}.Notice()},
		{"grep: a glob that excludes nothing, once, and where nothing was found", Skipped{Idle: 1, IdleFirst: []string{"!vendr/**"}}.Notice()},
		{"grep: globs that exclude nothing", Skipped{Idle: 3, IdleFirst: []string{"!vendr/**", "!*.x"}}.Notice()},
		{"grep: a long glob that excludes nothing", Skipped{Idle: 1, IdleFirst: []string{"!" + strings.Repeat("x", 300)}}.Notice()},
		{"grep, find: a glob that is a name", GlobLiterally("app/[id]/*.tsx")},
		{"grep, find: a long glob that is a name", GlobLiterally("[" + strings.Repeat("x", 300) + "]")},
		{"grep: a glob that excludes a name", GlobExcludes("!app/[id]/**")},
		{"grep, find: a glob written otherwise", GlobRespelled("@src/*.go", "src/*.go")},
		{"grep, find: a glob of names that look alike", GlobAlike("it’s*.txt")},
		{"all: a path that was corrected", Corrected("it’s.txt", "it's.txt")},
		{"all: a long path that was corrected", Corrected(strings.Repeat("x", 130), "it's.txt")},
		{"all: a path that was corrected to a long one", Corrected("it’s.txt", strings.Repeat("x", 300))},
		{"script: what its searches skipped", SkippedBy(3, Skipped{Large: 2, Binary: 1, NotUTF8: 2, Refused: 2, Unreadable: 1, Hidden: 3, Ignored: 36})},
		{"script: what a search skipped", SkippedBy(1, Skipped{Ignored: 1})},
		{"grep: very long lines", Skipped{LongLines: 22 << 20}.Notice()},
		{"find: result limit", LimitReached{Limit: 1000, One: "result", Many: "results", Refine: true}.Notice()},
		{"find: the last page, sorted by time", Newest(10_000)},
		{"find, ls: byte limit", ListLimit(bytes)},
		{"find, ls: line limit", ListLimit(lines)},
		{"ls: entry limit", LimitReached{Limit: 500, One: "entry", Many: "entries"}.Notice()},
		{"grep, find, ls: the offset to continue with", Continue(100, false)},
		{"grep, find, ls: the same behind a larger limit", Continue(100, true)},
		{"grep, find, ls: the end", Continue(0, false)},
		{"ls, and find by time: how many there are", Total(500, 1234, "entries")},
		{"ls, and find by time: the end", Total(0, 1234, "entries")},
		{"write: changes left out", Changes{Shown: 57, Total: 350, Offset: 412}.Notice(true)},
		{"apply_patch: changes left out, of several files", Changes{Shown: 57, Total: 350, Path: "a.go", Offset: 412}.Notice(true)},
		{"write: changes left out, no line to read from", Changes{Shown: 60, Total: 350}.Notice(true)},
		{"write: too many lines to compare", ChangesNotShown(200_000, true)},
		{"write: too many lines to compare, no read", ChangesNotShown(200_000, false)},
		{"write: lines are gone that were not read", Unread(4990, ".clarvis/before-k3x9q2mf.log", true)},
		{"write: lines are gone that were not read, with `Undo.Off`", Unread(3, "", true)},
		{"write: a line is gone that was not read, no read", Unread(1, ".clarvis/before-k3x9q2mf.log", false)},
		{"write: changes left out, no read", Changes{Shown: 57, Total: 350, Offset: 412}.Notice(false)},
		{"shelved: images in a text that stays", ImagesNotKept([]PutAside{{"PNG", 34 * kb}})},
		{"shelved: more images than are named", ImagesNotKept(slices.Repeat([]PutAside{{"JPEG", 1300 * kb}}, 7))},
	} {
		got.WriteString(n.when + "\n\t" + strings.TrimSpace(Append("", n.notice)) + "\n")
	}
	file := ".clarvis/result-8d2kq7xw.txt"
	for _, s := range []struct {
		when string
		line Shelved
	}{
		{"shelved: a result", Shelved{Tool: "bash", Lines: 412, Bytes: 28 * kb, State: "exit code 1", File: file}},
		{"shelved: of a tool that is not known", Shelved{Lines: 1, Bytes: 30 * kb, File: file}},
		{"shelved: an error, with an image", Shelved{Tool: "look", Lines: 9, Bytes: kb, Error: true, Code: "io_error", Images: []PutAside{{"PNG", 34 * kb}}, File: file}},
		{"shelved: an error without a code", Shelved{Tool: "look", Lines: -1, Bytes: kb, Error: true, File: file}},
		{"shelved: what is in files already", Shelved{Tool: "bash", Lines: 50000, Bytes: 1200 * kb, Said: WorkingDirectory("cmd/"), File: saved.Path, Stderr: ".clarvis/stderr-x.log"}},
	} {
		got.WriteString(s.when + "\n\t" + s.line.Line() + "\n")
	}
	for _, l := range done {
		got.WriteString(l.when + "\n\t" + l.line + "\n")
	}
	const golden = "testdata/notices.golden"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

func TestAppend(t *testing.T) {
	require.Equal(t, "text", Append("text", ""))
	require.Equal(t, "text\n", Append("text\n"))
	require.Equal(t, "text\n\n[a]", Append("text", "a"))
	require.Equal(t, "text\n\n[a]", Append("text\n", "a"))
	require.Equal(t, "text\n\n[a. b]", Append("text", "a", "", "b"))
	require.Equal(t, "[a]", Append("", "a"))
}

// What fits is in the order of its importance, and leaves room for what is shorter.
func TestFit(t *testing.T) {
	long := Notice(strings.Repeat("x", Allowance/2))
	require.Equal(t, []Notice{"a", long, "b"}, Fit("a", "", long, long, "b"))
	all := Fit("a", long)
	all = append(all, Notice(strings.Repeat("x", Room(all...))))
	require.Len(t, Append("text", all...), len("text")+Allowance)
	require.Equal(t, all, Fit(all...))
	all[2] += "x"
	require.Equal(t, all[:2], Fit(all...))
	require.Negative(t, Room(long, long))
	path := strings.Repeat("x", roomForNames)
	require.Contains(t, string(NotValid{Encoding: "utf-8", Path: path}.Found()), path)
}

// A notice holds as much as its allowance has room for, and no more.
func TestNoticesKeepWithinTheAllowance(t *testing.T) {
	line := LongLine{Line: 1, Bytes: 2000, MaxBytes: 1024, Path: strings.Repeat("x", Allowance/2)}
	require.Contains(t, string(line.UseBash()), line.Path)
	line.Path += "x"
	require.Equal(t, line.UseColumn(), line.UseBash())
	changes := Changes{Shown: 1, Total: 2, Path: strings.Repeat("x", Allowance/2), Offset: 3}
	require.Contains(t, string(changes.Notice(true)), "path="+changes.Path+" offset=3 ")
	changes.Path += "x"
	require.Equal(t, Changes{Shown: 1, Total: 2}.Notice(true), changes.Notice(true), "the path does not fit")
	for length := range 200 {
		paths := slices.Repeat([]string{strings.Repeat("x", length+1)}, 1000)
		text := string(NotShown(paths))
		const kept = Allowance - 64
		require.LessOrEqual(t, len(text), kept)
		require.Greater(t, len(text), kept-len(paths[0])-len(", "), "there is room for another path")
		shown := strings.Count(text, ", ") + 1
		require.True(t, strings.HasSuffix(text, fmt.Sprintf(" and %d more", len(paths)-shown)), text)
	}
}

func TestFileCommand(t *testing.T) {
	require.Equal(t, "xxd 'a b FILE' | head", FileCommand("xxd FILE | head", "a b FILE"))
}
