package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

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
		sentences = append(sentences, fmt.Sprintf("Lines over %s were searched in pieces: ^ and $ match at the ends of these too, and a match of over 64KB may be missed", size.Format(s.LongLines)))
	}
	return Notice(strings.Join(sentences, ". "))
}

// large tells of large files, and how to search one.
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

// rules tells of ignore files that are too long.
func (s Skipped) rules() string {
	if s.Rules == 1 {
		return fmt.Sprintf("Applied only the first %d lines of %s: what further lines ignore is not left out", s.RulesLines, s.RulesFile)
	}
	return fmt.Sprintf("Applied only the first %d lines of %s, and parts of %d other ignore files: what further lines ignore is not left out",
		s.RulesLines, s.RulesFile, s.Rules-1)
}
