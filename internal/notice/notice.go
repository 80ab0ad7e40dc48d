// Package notice words the tools' notices about incomplete text: what was left out, and
// how to get it.
package notice

import (
	"fmt"
	"math"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// Allowance is the number of bytes by which a tool's notices may exceed its byte limit.
// The functions of this package do not enforce it; their notices are short so that the
// tools can.
const Allowance = 1024

// A Notice is a sentence without its full stop, or empty.
type Notice string

// Append appends the notices that are not empty to text, in one bracket after one blank
// line. Without a notice it returns text unchanged.
func Append(text string, notices ...Notice) string {
	var said []string
	for _, n := range notices {
		if n != "" {
			said = append(said, string(n))
		}
	}
	if len(said) == 0 {
		return text
	}
	return Paragraph(text, "["+strings.Join(said, ". ")+"]")
}

// Paragraph adds a paragraph to text, after one blank line.
func Paragraph(text, paragraph string) string {
	switch {
	case text == "":
		return paragraph
	case strings.HasSuffix(text, "\n"):
		return text + "\n" + paragraph
	}
	return text + "\n\n" + paragraph
}

// A Page is a run of whole lines of a file, as read shows them. Lines are counted from 1.
type Page struct {
	First, Last int               // lines shown
	Total       int               // lines of the file
	By          truncation.Reason // the limit that ended the page
	MaxBytes    int               // the byte limit, named where By is truncation.ByBytes
	FromEnd     bool              // the page is of the last Total lines of the file, and counted in these
	Path        string            // the file, where the reader of the notice may not know; else ""
}

// Lines says that the tool's MaxLines or MaxBytes ended the page.
func (p Page) Lines() Notice {
	if p.FromEnd {
		return Notice(fmt.Sprintf("Showing %d of the last %d lines%s. Use %s to continue", p.Last, p.Total, byLimit(p.By, p.MaxBytes), p.next()))
	}
	return Notice(fmt.Sprintf("Showing lines %d-%d of %d%s. Use %s to continue", p.First, p.Last, p.Total, byLimit(p.By, p.MaxBytes), p.next()))
}

// More says that the call's own number of lines ended the page.
func (p Page) More() Notice {
	left := p.Total - p.Last
	return Notice(fmt.Sprintf("%d more %s in file. Use %s to continue", left, plural(left, "line"), p.next()))
}

// Next returns the offset of what follows the page: a line counted from 1, or negative if
// the page is counted from the end.
func (p Page) Next() int {
	if p.FromEnd {
		return p.Last - p.Total
	}
	return p.Last + 1
}

func (p Page) next() string { return inFile(p.Path) + fmt.Sprintf("offset=%d", p.Next()) }

// inFile is the argument that names a file, in front of others.
func inFile(path string) string {
	if path == "" {
		return ""
	}
	return "path=" + path + " "
}

// LongLine is a line of a file that alone exceeds the byte limit.
type LongLine struct {
	Line     int    // its number, from 1
	Bytes    int    // its length, without the newline
	MaxBytes int    // the limit
	Path     string // the file, relative to where bash runs; UseBash quotes it
	Argument string // the file, where the reader of the notice may not know; else ""
}

// UseBash says how to see the line's beginning with bash. For a path too long for a
// notice it returns UseColumn.
func (l LongLine) UseBash() Notice {
	path, n := shellPath(l.Path), PieceBytes(l.MaxBytes)
	if len(path) > Allowance/2 {
		return l.UseColumn() // the command would not fit
	}
	const orColumn = "Or column=1 to read it in pieces"
	if l.Line == 1 {
		return Notice(fmt.Sprintf("%s. Use bash to read: head -c %d %s. %s", l.exceeds(), n, path, orColumn))
	}
	return Notice(fmt.Sprintf("%s. Use bash: sed -n '%dp' %s | head -c %d. %s", l.exceeds(), l.Line, path, n, orColumn))
}

// UseColumn says how to read the line with read alone.
func (l LongLine) UseColumn() Notice {
	return Notice(l.exceeds() + ". Use column=1 to read it in pieces")
}

// Piece says that the line's characters from first to last, counted from 1, are shown,
// and that it continues.
func (l LongLine) Piece(first, last int) Notice {
	return Notice(fmt.Sprintf("Showing characters %d-%d of line %d (line is %s). Use %soffset=%d column=%d to continue",
		first, last, l.Line, truncation.FormatSize(int64(l.Bytes)), inFile(l.Argument), l.Line, last+1))
}

func (l LongLine) exceeds() string {
	return fmt.Sprintf("Line %d is %s, exceeds %s limit", l.Line, truncation.FormatSize(int64(l.Bytes)), truncation.FormatSize(int64(l.MaxBytes)))
}

// PieceBytes returns the number of bytes of a long line to show at a time: the byte limit
// rounded down to a whole thousand, or the limit itself under 1000.
func PieceBytes(maxBytes int) int {
	if maxBytes < 1000 {
		return maxBytes
	}
	return maxBytes / 1000 * 1000
}

// NotValid is a page of a file that is not valid in its encoding.
type NotValid struct {
	Encoding string // that it was read in
	Likely   string // the one that it looks like; "" if it looks like none
	Path     string // the file, where the reader of the notice may not know; else ""
}

// Notice says what the page shows in place of what is not valid, and what to do.
func (v NotValid) Notice() Notice { return v.notice("this", inFile(v.Path)) }

// Found is Notice for lines that a search of several files found in the one at Path.
func (v NotValid) Found() Notice { return v.notice(v.Path, "") }

func (v NotValid) notice(what, argument string) Notice {
	said := fmt.Sprintf("Not all of %s is valid %s: \uFFFD stands for what is not", what, v.Encoding)
	switch {
	case v.Likely != "":
		said += fmt.Sprintf(". It looks like %s. Use %sencoding=%s to read it", v.Likely, argument, v.Likely)
	case v.Encoding == "utf-8":
		said += ", and it looks like no other encoding"
	}
	return Notice(said)
}

// CutLines says that n lines were cut to max characters. The first of them continues at
// line and column, in the file at path, if that is not "".
func CutLines(n, max, line, column int, path string) Notice {
	return Notice(fmt.Sprintf("%d %s truncated to %d chars. Use %soffset=%d column=%d to read on in line %d",
		n, plural(n, "line"), max, inFile(path), line, column, line))
}

// NotShown says that a call for several files left out those at paths, for want of room.
// The paths are written as in arguments.
func NotShown(paths []string) Notice {
	if len(paths) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d %s not shown for want of room. Read them in calls of their own", len(paths), plural(len(paths), "file"))
	return Notice(text + names(paths, len(paths), Allowance-64-len(text)))
}

// names lists the first of that many names, as far as there is room for them in bytes:
// ": a, b and 3 more". It is empty if there is none for the first.
func names(list []string, total, room int) string {
	text, sep := "", ": "
	for i, name := range list {
		more := fmt.Sprintf(" and %d more", total-i)
		switch {
		case len(text)+len(sep)+len(name)+len(more) <= room:
		case i == 0:
			return ""
		default:
			return text + more
		}
		text, sep = text+sep+name, ", "
	}
	if more := total - len(list); more > 0 && text != "" {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// TailLines says that r, a result of Tail, is the end of a longer output, and which file
// holds that, or why none does. It is empty if r is not truncated.
func TailLines(r truncation.Result, full truncation.Saved) Notice {
	if !r.Truncated {
		return ""
	}
	limit, by := truncation.FormatSize(int64(r.MaxBytes)), byLimit(r.TruncatedBy, r.MaxBytes)
	if r.TruncatedBy == truncation.ByChars {
		limit = fmt.Sprintf("%d characters", r.MaxChars)
		by = " (" + limit + " limit)"
	}
	if r.LastLinePartial {
		return Notice(fmt.Sprintf("Showing last %s of line %d (line is %s). %s",
			limit, r.TotalLines, truncation.FormatSize(int64(r.LongLineBytes)), FullOutput(full)))
	}
	return Notice(fmt.Sprintf("Showing lines %d-%d of %d%s. %s",
		r.TotalLines-r.OutputLines+1, r.TotalLines, r.TotalLines, by, FullOutput(full)))
}

// FullOutput says where a full output is, or why it is nowhere.
func FullOutput(s truncation.Saved) Notice {
	if s.Err != nil {
		return Notice("Full output not saved: " + s.Err.Error())
	}
	return Notice("Full output: " + s.Path)
}

// ChangesNotShown says that a change of so many lines is not shown at all.
func ChangesNotShown(most int) Notice {
	return Notice(fmt.Sprintf("What has changed is not shown: it spans over %d lines", most))
}

// ChangesCut says that of what was changed only the first lines are shown, and how to see the
// rest, if there is the tool for that.
func ChangesCut(shown, total int, read bool) Notice {
	cut := Notice(fmt.Sprintf("Showing the first %d of %d lines of changes", shown, total))
	if read {
		return cut + ". Use read to see the file as it is now"
	}
	return cut
}

// LimitReached tells that a list ended at its number of items.
type LimitReached struct {
	Limit     int    // of the call
	Found     int    // items up to the limit, or some more: matches that share a line are shown together
	One, Many string // what the items are called: "match", "matches"
	Refine    bool   // there is a pattern that could be narrower
	Continued bool   // the call has an offset already: no larger limit is suggested
}

// Notice suggests twice what was found.
func (l LimitReached) Notice() Notice {
	n := fmt.Sprintf("%d %s limit reached", l.Limit, pluralOf(l.Limit, l.One, l.Many))
	switch {
	case l.Continued:
	case l.Refine:
		n += fmt.Sprintf(". Use limit=%d for more, or refine pattern", min(max(l.Found, l.Limit), math.MaxInt/2)*2)
	default:
		n += fmt.Sprintf(". Use limit=%d for more", min(max(l.Found, l.Limit), math.MaxInt/2)*2)
	}
	return Notice(n)
}

// ListLimit says that MaxBytes or MaxLines ended the list r, a result of Head; it is
// empty if neither did.
func ListLimit(r truncation.Result) Notice {
	switch r.TruncatedBy {
	case truncation.ByBytes:
		return Notice(truncation.FormatSize(int64(r.MaxBytes)) + " limit reached")
	case truncation.ByLines:
		return Notice(fmt.Sprintf("%d lines limit reached", r.MaxLines))
	}
	return ""
}

// Continue tells the offset to continue a list with. 0 is the end of the list: the
// notice is empty.
func Continue(offset int) Notice {
	if offset == 0 {
		return "" // that was all
	}
	return Notice(fmt.Sprintf("Use offset=%d to continue", offset))
}

// Total tells how many items, what they are called, a list that goes on has in all. next
// is as in Continue.
func Total(next, n int, what string) Notice {
	if next == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("%d %s in all", n, what))
}

// Matches says how many of the matches that grep found are shown.
type Matches struct {
	Shown, Found int    // Found is up to the limit of the call
	More         bool   // there are more than Found
	What         string // "matches" or "files"
}

// ListLimit is like the function [ListLimit], with the number of matches shown.
func (m Matches) ListLimit(r truncation.Result) Notice {
	n := ListLimit(r)
	if n == "" {
		return ""
	}
	plus := ""
	if m.More {
		plus = "+"
	}
	return n + Notice(fmt.Sprintf(" (%d of %d%s %s shown)", m.Shown, m.Found, plus, m.What))
}

// LongLines tells that lines were cut, and which part of the first one is shown.
type LongLines struct {
	Max    int    // characters of a line that are shown
	Path   string // the file of the first one, as in arguments
	Line   int    // its number in the file, from 1; 0 if that is not known
	Column int    // its first character that is shown, from 1
	// Encoding is that of the call, or "".
	Encoding string
}

// Notice names the arguments that read takes. It leaves out a path for which there is no
// room: it is in front of the line.
func (l LongLines) Notice() Notice {
	cut := fmt.Sprintf("Some lines truncated to %d chars. Use read tool to see full lines", l.Max)
	if l.Line == 0 {
		return Notice(cut)
	}
	path := inFile(l.Path)
	if len(path) > roomForNames {
		path = ""
	}
	encoding := ""
	if l.Encoding != "" {
		encoding = " encoding=" + l.Encoding
	}
	return Notice(fmt.Sprintf("%s. Read the first with %soffset=%d column=%d%s", cut, path, l.Line, l.Column, encoding))
}

// LongMatch says that grep shows only the first lines of a match, and at which line of
// the file it continues.
func LongMatch(shown, lines, next int) Notice {
	return Notice(fmt.Sprintf("Showing %d of the %d lines of the match. Use read tool with offset=%d to see the rest", shown, lines, next))
}

// ContextDropped says that grep left out lines near a match for want of room.
const ContextDropped Notice = "Some context lines left out for want of room. Use a smaller context to see those next to a match"

// Skipped counts what a search could not or did not examine. Zeros are not mentioned.
type Skipped struct {
	Binary     int      // files that are not text
	Large      int      // files over MaxBytes
	LargeFirst []string // the paths of some of these, as in arguments
	Whole      bool     // a large file is not searched unless multiline is left out
	MaxBytes   int64    // the limit for a file
	Unreadable int      // files and directories

	NotUTF8  int      // files in which what is not ASCII cannot match
	NotFirst []string // the paths of some of these, as in arguments
	Likely   string   // the encoding that the first of them looks like; or ""

	Ignored      int      // files and directories that git ignores
	IgnoredFirst []string // the paths of some of these, as in arguments

	Rules      int    // ignore files of which only the first lines count
	RulesFile  string // the first of them
	RulesLines int    // the lines of it that count

	Elsewhere bool  // the glob was taken relative to the workspace
	LongLines int64 // the bytes from which lines were searched in pieces; 0 if none was
}

// Found is Notice for a search that found something: it does not mention what a search
// leaves out as a rule, which is what git ignores and what is not text.
func (s Skipped) Found() Notice {
	s.Binary, s.Ignored = 0, 0
	return s.Notice()
}

// roomForNames is the number of bytes for the names of what was skipped for one reason.
const roomForNames = 240

// Notice says what was skipped.
func (s Skipped) Notice() Notice {
	var said, sentences []string
	if s.Ignored > 0 {
		sentences = append(sentences, fmt.Sprintf("Skipped %d ignored %s%s. Use ignored=true to search %s", s.Ignored, pluralOf(s.Ignored, "entry", "entries"),
			names(s.IgnoredFirst, s.Ignored, roomForNames), pluralOf(s.Ignored, "it", "them")))
	}
	if s.Large > 0 {
		sentences = append(sentences, s.large())
	}
	if s.NotUTF8 > 0 {
		name, them := "encoding", pluralOf(s.NotUTF8, "it", "them")
		if s.Likely != "" {
			name = "encoding=" + s.Likely
		}
		sentences = append(sentences, fmt.Sprintf("%d %s not UTF-8, so this pattern may not match in %s%s. Use %s to search %s",
			s.NotUTF8, pluralOf(s.NotUTF8, "file is", "files are"), them, names(s.NotFirst, s.NotUTF8, roomForNames), name, them))
	}
	if s.Binary > 0 {
		said = append(said, fmt.Sprintf("%d binary %s", s.Binary, plural(s.Binary, "file")))
	}
	if s.Unreadable > 0 {
		said = append(said, fmt.Sprintf("%d unreadable %s", s.Unreadable, pluralOf(s.Unreadable, "entry", "entries")))
	}
	if len(said) > 0 {
		sentences = append(sentences, "Skipped "+strings.Join(said, ", "))
	}
	if s.Elsewhere {
		sentences = append(sentences, "The glob was taken relative to the workspace: no file matches it relative to path")
	}
	if s.Rules > 0 {
		sentences = append(sentences, s.rules())
	}
	if s.LongLines > 0 {
		sentences = append(sentences, fmt.Sprintf("Lines over %s were searched in pieces: ^ and $ match at the ends of these too, and a match of over 64KB may be missed", truncation.FormatSize(s.LongLines)))
	}
	return Notice(strings.Join(sentences, ". "))
}

// large tells of large files, and how to search one.
func (s Skipped) large() string {
	listed := names(s.LargeFirst, s.Large, roomForNames)
	text := fmt.Sprintf("Skipped %d %s over %s%s. ", s.Large, plural(s.Large, "file"), FileSize(s.MaxBytes), listed)
	if listed == "" {
		text += "Give one as path"
	} else {
		text += "Use path=" + s.LargeFirst[0]
	}
	if s.Whole {
		text += " without multiline"
	}
	if s.Large > 1 && listed != "" {
		return text + " to search the first"
	}
	return text + " to search it"
}

// rules tells of ignore files that are too long.
func (s Skipped) rules() string {
	if s.Rules == 1 {
		return fmt.Sprintf("Applied only the first %d lines of %s: what further lines ignore is not left out", s.RulesLines, s.RulesFile)
	}
	return fmt.Sprintf("Applied only the first %d lines of %s, and parts of %d other ignore files: what further lines ignore is not left out",
		s.RulesLines, s.RulesFile, s.Rules-1)
}

// A Running is a process that a command left running.
type Running struct {
	Pid     int
	Command string // how it was started; "" if that is not known
}

// MaxRunning is how many processes Background names.
const MaxRunning = 5

// Background says that processes that a command started are still running: the first
// ones, and how many more there are.
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
	if n := all - len(first); n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	return Notice("Still running in the background: pid " + strings.Join(list, ", "))
}

// Sandboxed says what a sandbox keeps a command from, after one that may have failed for that.
// roots is how many paths it may write to outside the workspace.
func Sandboxed(engine string, network bool, roots int, reads bool) Notice {
	what := "writing only in the workspace"
	if reads {
		what = "reading and " + what
	}
	if roots > 0 {
		what += fmt.Sprintf(" and %d other %s", roots, plural(roots, "place"))
	}
	if !network {
		what = "no network, " + what
	}
	return Notice(fmt.Sprintf("Sandboxed (%s): %s. Use $TMPDIR for temporary files; ask the user for anything else", engine, what))
}

// WorkingDirectory says where the next command starts, with Bash.KeepState.
func WorkingDirectory(dir string) Notice {
	return Notice("The working directory is now " + dir)
}

// DirectoryGone says that a command ran in the workspace, as the directory where the last
// one ended is gone.
func DirectoryGone(dir string) Notice {
	return Notice("The working directory " + dir + " cannot be entered any more, so this command ran in the workspace")
}

// StateLost says that what a command changed does not last.
func StateLost(maxBytes int) Notice {
	return Notice(fmt.Sprintf("The working directory and the variables stay as they were before this command: it replaced the shell (exec), "+
		"has a trap for EXIT of its own, removed its directory, or exports more than %s", truncation.FormatSize(int64(maxBytes))))
}

// NotKept says which exported names do not last: the first ones, and how many more
// there are.
func NotKept(first []string, all int) Notice {
	if all == 0 {
		return ""
	}
	if n := all - len(first); n > 0 {
		first = append(first[:len(first):len(first)], fmt.Sprintf("and %d more", n))
	}
	return Notice("Not kept for the next command, as a shell would not start as it should: " + strings.Join(first, ", "))
}

func byLimit(by truncation.Reason, maxBytes int) string {
	if by != truncation.ByBytes {
		return ""
	}
	return fmt.Sprintf(" (%s limit)", truncation.FormatSize(int64(maxBytes)))
}

// Count is a number of things: "1 line", "2 lines".
func Count(n int, word string) string { return fmt.Sprintf("%d %s", n, plural(n, word)) }

func plural(n int, word string) string { return pluralOf(n, word, word+"s") }

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// FileCommand returns a shell command in which FILE is the path, quoted.
func FileCommand(command, path string) string {
	return strings.Replace(command, "FILE", shellPath(path), 1)
}

// FileSize prints the size of a file as it is compared with Config.MaxFileBytes: from
// 1,000,000 bytes in decimal megabytes.
func FileSize(n int64) string {
	const mega = 1_000_000
	switch {
	case n < mega:
		return truncation.FormatSize(n)
	case n%mega == 0:
		return fmt.Sprintf("%dMB", n/mega)
	}
	return fmt.Sprintf("%.1fMB", float64(n)/mega)
}
