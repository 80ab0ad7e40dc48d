package notice

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

// Skipped counts what a search left out. Zeros are not mentioned. Paths are as in arguments.
type Skipped struct {
	Binary      int      // files that are not text
	BinaryFirst []string // paths of some of these
	Bash        bool     // the reader has bash to search them with

	Large      int      // files over MaxBytes
	LargeFirst []string // paths of some of these
	Whole      bool     // large files are searched only without multiline
	MaxBytes   int64    // the limit for a file
	Unreadable int      // files and directories

	NotUTF8  int      // files in which only ASCII can match
	NotFirst []string // paths of some of these
	Likely   string   // the likely encoding of the first, or ""

	Decoded      int      // files decoded from an encoding that they are certainly in
	DecodedFirst []string // paths of some of these
	DecodedFrom  []string // their encodings

	Ignored      int      // files and directories that git ignores
	IgnoredFirst []string // paths of some of these

	Hidden int // files and directories hidden by configuration
	Unread UnreadRules

	Refused      int      // files that permission rules keep the call from reading
	RefusedFirst []string // paths of some of these
	Asked        int      // of these, files that a call may name and a person is then asked about; first in AskedFirst
	AskedFirst   string

	Idle      int      // globs that exclude nothing
	IdleFirst []string // some of these, with their "!"

	Rules      int    // ignore files of which only the first lines apply
	RulesFile  string // the first of them
	RulesLines int    // how many of its lines apply

	Outside      int      // files or directories with rules of git that are outside of the workspace
	OutsideFirst []string // some of these

	Elsewhere bool  // the glob was taken relative to the workspace
	LongLines int64 // the size from which lines were searched in pieces; 0 if none was
}

// UnreadRules counts directories that are hidden because the file that lists their hidden entries cannot be read.
type UnreadRules struct {
	Dirs  int
	First string // says why the first such file cannot be read
}

func (u UnreadRules) sentence() string {
	text := u.First + ", so all of its directory is hidden"
	if u.Dirs > 1 {
		text += ", and so " + pluralOf(u.Dirs-1, "is 1 other directory", fmt.Sprintf("are %d others", u.Dirs-1))
	}
	return text
}

// NoneSearched follows what was skipped.
const NoneSearched Notice = "No other file was searched"

// roomForNames bounds the names for one reason, in bytes.
const roomForNames = 240

func (s Skipped) Notice() Notice {
	var sentences []string
	say := func(n int, sentence func() string) {
		if n > 0 {
			sentences = append(sentences, sentence())
		}
	}
	if s.Ignored > 0 {
		sentences = append(sentences, fmt.Sprintf("Skipped %d ignored %s%s. Use ignored=true to search %s",
			s.Ignored, pluralOf(s.Ignored, "entry", "entries"),
			names(s.IgnoredFirst, s.Ignored, roomForNames), pluralOf(s.Ignored, "it", "them")))
	}
	if s.Hidden > 0 {
		sentences = append(sentences, fmt.Sprintf("%d %s hidden here (Hidden or HiddenFile)", s.Hidden,
			pluralOf(s.Hidden, "entry is", "entries are")))
	}
	say(s.Unread.Dirs, s.Unread.sentence)
	say(s.Refused, s.refused)
	say(s.Large, s.large)
	if s.NotUTF8 > 0 {
		name, them := "encoding="+cmp.Or(s.Likely, "NAME"), pluralOf(s.NotUTF8, "it", "them")
		sentences = append(sentences, fmt.Sprintf("%d %s not UTF-8, so this pattern may not match in %s%s. Use %s to search %s",
			s.NotUTF8, pluralOf(s.NotUTF8, "file is", "files are"), them,
			names(s.NotFirst, s.NotUTF8, roomForNames), name, them))
	}
	say(s.Decoded, s.decoded)
	say(s.Binary, s.binary)
	if s.Unreadable > 0 {
		sentences = append(sentences, fmt.Sprintf("Skipped %d unreadable %s", s.Unreadable, pluralOf(s.Unreadable, "entry", "entries")))
	}
	say(s.Idle, s.idle)
	if s.Elsewhere {
		sentences = append(sentences, "The glob was taken relative to the workspace: no file matches it relative to path")
	}
	say(s.Rules, s.rules)
	say(s.Outside, s.outside)
	if s.LongLines > 0 {
		sentences = append(sentences, fmt.Sprintf("Lines over %s were searched in pieces: "+
			"^ and $ also match at the ends of these, and a match over 64KB may be missed", size.Format(s.LongLines)))
	}
	return Notice(strings.Join(sentences, ". "))
}

func (s Skipped) decoded() string {
	from := s.DecodedFrom[:min(len(s.DecodedFrom), 3)]
	if len(s.DecodedFrom) > len(from) {
		from = append(from[:2:2], "others")
	}
	return fmt.Sprintf("Decoded %s from %s, which %s like%s. Use encoding=NAME if %s",
		Count(s.Decoded, "file"), enumerate(from), pluralOf(s.Decoded, "it looks", "they look"),
		names(s.DecodedFirst, s.Decoded, roomForNames), pluralOf(s.Decoded, "it is another", "they are in another"))
}

func (s Skipped) binary() string {
	text := "Skipped " + Count(s.Binary, "binary file")
	if s.Binary <= len(s.BinaryFirst) { // a few names out of many help nobody
		text += names(s.BinaryFirst, s.Binary, roomForNames)
	}
	if s.Bash {
		text += ". Use bash with grep -a to search " + pluralOf(s.Binary, "it", "them")
	}
	return text
}

func (s Skipped) idle() string {
	if listed := strings.TrimPrefix(names(s.IdleFirst, s.Idle, roomForNames), ": "); listed != "" {
		return listed + pluralOf(s.Idle, " excludes nothing", " exclude nothing")
	}
	return "A glob excludes nothing"
}

func (s Skipped) outside() string {
	listed := strings.TrimPrefix(names(s.OutsideFirst, s.Outside, roomForNames), ": ")
	if listed == "" {
		listed = Count(s.Outside, "file")
	}
	return fmt.Sprintf("Git also reads %s, outside of the workspace, so it may ignore more", listed)
}

func (s Skipped) refused() string {
	text := fmt.Sprintf("Skipped %d %s that rules do not let you read%s", s.Refused, plural(s.Refused, "file"),
		names(s.RefusedFirst, s.Refused, roomForNames))
	if s.Asked > 0 {
		text += fmt.Sprintf(". Use path=%s to have the user asked about it", s.AskedFirst)
	}
	return text
}

func (s Skipped) large() string {
	listed := names(s.LargeFirst, s.Large, roomForNames)
	text := fmt.Sprintf("Skipped %d %s over %s%s. ", s.Large, plural(s.Large, "file"), size.File(s.MaxBytes), listed)
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

// IgnoredHits names shown results that git ignores. There are total of them, and list has the first.
func IgnoredHits(list []string, total int) Notice {
	if total == 0 {
		return ""
	}
	if listed := names(list, total, roomForNames); listed != "" {
		return Notice("Ignored by git" + listed)
	}
	return "Some of these are ignored by git"
}

func (s Skipped) rules() string {
	others := ""
	if s.Rules > 1 {
		others = fmt.Sprintf(", and parts of %d other ignore files", s.Rules-1)
	}
	return fmt.Sprintf("Applied only the first %d lines of %s%s: files that later lines ignore are included",
		s.RulesLines, s.RulesFile, others)
}
