package tools

import (
	"cmp"
	"context"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/grep"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

const grepDescription = `Search files for a regular expression (RE2). {form}. ` +
	`Omits what .gitignore excludes (unless ignored is true), binary files and files over {MaxFileBytes}; a ` +
	`text file named by path is searched even if it is ignored or large. ` +
	`Shows at most {Grep.Limit} matches or {Grep.MaxBytes}, and cuts long lines to {Grep.MaxLineChars} characters around ` +
	`the match; a notice says how to get more.`

func describeGrep(cfg config.Grep) string {
	form := "Prints path:line: text for each matching line, sorted by path"
	if cfg.Grouped {
		form = "Prints the path of each file with matches on its own line, and below it line: text for each matching " +
			"line, sorted by path; for a file named by path, path:line: text"
	}
	return strings.Replace(grepDescription, "{form}", form, 1)
}

// GrepParams are the arguments of grep. Pattern is required.
type GrepParams struct {
	Pattern    string `json:"pattern" jsonschema:"regular expression in RE2 syntax, matched against each line"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory to search; default the workspace"`
	Glob       string `json:"glob,omitempty" jsonschema:"search only files that match this glob, such as *.go or src/**; separate several with commas; !*_test.go excludes"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"ignore case"`
	Literal    bool   `json:"literal,omitempty" jsonschema:"treat the pattern as plain text, not a regular expression"`
	Context    int    `json:"context,omitempty" jsonschema:"lines to show before and after each match; default 0"`
	Before     int    `json:"before,omitempty" jsonschema:"lines to show before each match; default the value of context"`
	After      int    `json:"after,omitempty" jsonschema:"lines to show after each match; default the value of context"`
	Limit      int    `json:"limit,omitempty" jsonschema:"maximum number of matches (or files) to show; default {Grep.Limit}"`
	Offset     int    `json:"offset,omitempty" jsonschema:"matches (or files) to skip; default 0"`
	OutputMode string `json:"output_mode,omitempty" jsonschema:"content shows the matching lines, files_with_matches the paths, count the number of matching lines in each file; default content" arg:"content|files_with_matches|count"`
	Multiline  bool   `json:"multiline,omitempty" jsonschema:"let a match span several lines; (?s) in the pattern lets . match a line break"`
	Encoding   string `json:"encoding,omitempty" jsonschema:"encoding of files that are not UTF-8, such as windows-1252 or shift_jis; default what each clearly is"`
	Ignored    bool   `json:"ignored,omitempty" jsonschema:"also search what git ignores"`

	Also         []string `json:"also,omitempty" jsonschema:"further patterns, at most 16: search only files with a match of each of these, too" arg:"16"`
	OnlyMatching bool     `json:"only_matching,omitempty" jsonschema:"show each match alone, not its line; with output_mode=count, count matches, not lines"`
}

// GrepResult is the result of grep. Its Text is the lines or paths, and notices.
type GrepResult struct {
	Shown

	Lines []GrepLine `json:"-"` // the lines in Text

	Truncation     *truncation.Result `json:"truncation,omitempty"`        // set if MaxBytes or MaxLines cut the list
	LimitReached   int                `json:"matchLimitReached,omitempty"` // the limit, if there are more matches (or files); else 0
	LinesTruncated bool               `json:"linesTruncated,omitempty"`    // some lines were cut to MaxLineChars
	Matches        int                `json:"matches"`                     // matches or files from offset up to limit
	NextOffset     int                `json:"nextOffset,omitempty"`        // where to continue, 0 if there is no more
	Ignored        int                `json:"ignored,omitempty"`           // entries left out because git ignores them; a directory counts once, and a file only if glob selects it
	SkippedBinary  int                `json:"skippedBinary,omitempty"`     // files that are not text
	SkippedLarge   int                `json:"skippedLarge,omitempty"`      // files over Config.MaxFileBytes
	NotUTF8        int                `json:"notUTF8,omitempty"`           // files not in UTF-8, in which a non-ASCII pattern may miss matches
	Unreadable     int                `json:"unreadable,omitempty"`        // files and directories that could not be read
	IgnoredHits    int                `json:"ignoredHits,omitempty"`       // results that git ignores
	Hidden         int                `json:"hidden,omitempty"`            // entries that Config.Hidden or HiddenFile hides
	Refused        int                `json:"refused,omitempty"`           // files that rules do not let the call read
	RulesCut       int                `json:"rulesCut,omitempty"`          // ignore files of which only the first lines were applied
}

// GrepLine is one line of a result or, in a list of files, one file.
type GrepLine struct {
	Path  string // exact, never quoted; the text quotes one with odd characters
	Line  int    // its number, from 1; 0 for a file
	Text  string // the line or the part around its match, up to Grep.MaxLineChars, with NUL bytes and invalid UTF-8; "" for a file
	Match bool   // the line has a match; false for a context line
	Cut   bool   // Text is only a part of the line
	Count int    // matches in the file, with output_mode=count
	// Ignored says that git ignores the file; the search finds it only with the argument ignored.
	Ignored bool

	// Column is where the line's first match begins, from 1, and Length how long it is, in characters. Only the first
	// 64 KiB of a line are searched for it. Both are 0 for a context line and for a file.
	Column, Length int
}

func (s *searches) grep(ctx context.Context, p GrepParams) (GrepResult, error) {
	path, err := s.paths.resolve(ctx, p.Path)
	if err != nil {
		return GrepResult{}, err
	}
	p.Limit, p.Offset = min(cmp.Or(p.Limit, s.cfg.Grep.Limit), maxCount), min(p.Offset, maxCount)
	search, err := grep.New(ctx, grep.Params(p), path, grep.Options{
		Config: s.cfg.Grep, MaxFileBytes: s.cfg.MaxFileBytes, Place: s.paths.Place, Has: s.tools.has,
		First: s.first(ctx, path.Abs), MayRead: s.mayRead(), Corrected: hint.Corrected(path),
	})
	if err != nil {
		return GrepResult{}, err
	}
	defer watch(ctx, "grep", listed(search.Progress))()
	found, err := search.Run(ctx)
	res := grepResult(found, p.Limit)
	last := ""
	for _, l := range res.Lines {
		if l.Line > 0 && l.Path != last {
			last = l.Path
			s.sawPart(quote.Name(last))
		}
	}
	if err != nil {
		return res, failure(err, path.Name)
	}
	return res, nil
}

func grepResult(found grep.Result, limit int) GrepResult {
	left := found.Left
	res := GrepResult{
		Shown: Shown{Text: found.Text}, Matches: found.Found, NextOffset: found.NextOffset, LinesTruncated: found.Cut,
		Ignored: left.Ignored, SkippedBinary: left.Binary, SkippedLarge: left.Large, NotUTF8: left.NotUTF8,
		Unreadable: left.Unreadable, IgnoredHits: found.Hits.Count, RulesCut: left.Rules,
		Hidden: left.Hidden, Refused: left.Refused,
	}
	if len(found.Lines) == 0 {
		return res
	}
	res.Lines = make([]GrepLine, len(found.Lines))
	for i, l := range found.Lines {
		res.Lines[i] = GrepLine(l)
	}
	if found.More {
		res.LimitReached = limit
	}
	if list := found.Page.Result; list.Truncated {
		res.Truncation = &list
	}
	whole := found.Page.Result
	whole.TotalBytes += found.Removed
	res.set(whole)
	res.limited, res.linesCut = found.More, found.Cut
	for _, in := range found.Secrets {
		res.redacted(in.Name, in.Found)
	}
	return res
}
