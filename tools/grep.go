package tools

import (
	"context"
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const grepDescription = `Search files for a regular expression (RE2). Prints path:line: text for each line that matches, sorted by path. ` +
	`Leaves out what .gitignore leaves out, binary files and files over {MaxFileBytes}; a text file named by path is searched even if it is ignored or large. ` +
	`Shows {Grep.Limit} matches or {Grep.MaxBytes} at most, and lines up to {Grep.MaxLineChars} characters; a notice says if there is more, ` +
	`and offset skips the matches that were shown.`

// GrepParams are the arguments of grep. Pattern is required.
type GrepParams struct {
	Pattern    string `json:"pattern" jsonschema:"regular expression in RE2 syntax, matched against each line"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory to search; default the workspace"`
	Glob       string `json:"glob,omitempty" jsonschema:"search only files that match, as *.go or src/**; several with commas, !*_test.go leaves out"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"take small and capital letters as the same"`
	Literal    bool   `json:"literal,omitempty" jsonschema:"take the pattern as plain text"`
	Context    int    `json:"context,omitempty" jsonschema:"lines to show before and after each match; default 0"`
	Limit      int    `json:"limit,omitempty" jsonschema:"matches (or files) to show at most; default {Grep.Limit}"`
	Offset     int    `json:"offset,omitempty" jsonschema:"matches (or files) to skip, to continue after those that were shown; default 0"`
	OutputMode string `json:"output_mode,omitempty" jsonschema:"content shows the lines, files_with_matches the paths, count the number of matches in each file; default content" arg:"content|files_with_matches|count"`
	Multiline  bool   `json:"multiline,omitempty" jsonschema:"let a match go over several lines; write (?s) in the pattern to let . match a line break"`
}

// GrepResult is the result of grep.
type GrepResult struct {
	Bounds

	Lines []GrepLine `json:"-"` // what Text shows, without the notices
	Text  string     `json:"-"` // the lines, or the paths, and notices

	Truncation        *truncation.Result `json:"truncation,omitempty"`        // if MaxBytes or MaxLines ended the list
	MatchLimitReached int                `json:"matchLimitReached,omitempty"` // the limit, if there are more matches (or files) than that; else 0
	LinesTruncated    bool               `json:"linesTruncated,omitempty"`    // some lines that are shown were cut to MaxLineChars
	Matches           int                `json:"matches"`                     // matches, or files, found behind offset and up to limit
	NextOffset        int                `json:"nextOffset,omitempty"`        // to continue with; 0 if there is no more
	SkippedBinary     int                `json:"skippedBinary,omitempty"`     // files that are not text
	SkippedLarge      int                `json:"skippedLarge,omitempty"`      // files over Config.MaxFileBytes
	Unreadable        int                `json:"unreadable,omitempty"`        // files and directories that could not be read
	RulesCut          int                `json:"rulesCut,omitempty"`          // ignore files of which only the first lines count
}

// GrepLine is a line that grep shows; where it lists files, a file.
type GrepLine struct {
	Path  string // of the file, as it is: the text has one with odd characters in quotes
	Line  int    // its number, from 1; 0 for a file
	Text  string // the line, cut to Grep.MaxLineChars; bytes that are not valid UTF-8 are as they are; "" for a file
	Match bool   // there is a match in it; false for a line near one
	Cut   bool   // Text is not all of the line
	Count int    // matches in the file, with the output_mode count; else 0
}

func (r GrepResult) result() Result { return Result{Text: r.Text, Details: r} }

const (
	modeContent = "content"
	modeFiles   = "files_with_matches"
	modeCount   = "count"
)

// maxContext is the number of lines around a match beyond which nobody means it.
const maxContext = 10_000

func (s *Suite) doGrep(ctx context.Context, p GrepParams) (GrepResult, error) {
	if p.OutputMode == "" {
		p.OutputMode = modeContent
	}
	g := grep{suite: s, ctx: ctx, params: p, limit: count(p.Limit, s.cfg.Grep.Limit), offset: count(p.Offset, 0)}
	g.most = g.offset + g.limit
	if err := g.compile(); err != nil {
		return GrepResult{}, err
	}
	path, err := s.resolve(ctx, p.Path)
	if err != nil {
		return GrepResult{}, err
	}
	g.list = newListWriter(s.cfg.Grep.MaxLines, s.cfg.Grep.MaxBytes)
	defer watch(ctx, "grep", g.list.snapshot)()
	err = g.run(path)
	switch {
	case err == nil:
	case ctx.Err() == nil:
		return GrepResult{}, failure(err, path.Name)
	default:
		err = ctx.Err()
	}
	res, bad := g.result(err == nil)
	if err == nil {
		err = bad
	}
	if err != nil {
		return res, failure(err, path.Name)
	}
	return res, nil
}

// grep is one search.
type grep struct {
	suite   *Suite
	ctx     context.Context
	params  GrepParams
	limit   int
	offset  int
	most    int // offset and limit together
	around  int // lines of context
	files   glob.Filter
	matcher *match.Matcher

	list    *listWriter
	lines   []shownLine // of the list, for as long as there is room in it; a divider is empty
	seen    int         // matches (or files) found, those before offset included
	more    bool        // there is a match after the limit
	dropped bool        // there is context that could not be held
	skipped notice.Skipped

	first firstMatch // should nothing else fit
}

// shownLine is a line of the list.
type shownLine struct {
	GrepLine
	begins    int  // matches that begin in it and are shown
	span      int  // lines that the last of these takes
	continued bool // a match goes on in it that began in a line before
	removed   int  // bytes of it that are not shown, as far as they are known
}

// firstMatch is the first match that is shown, and nothing of what is near it.
type firstMatch struct {
	lines []shownLine
	texts []string // as they are in the list
	bytes int
}

// add adds a line of the list, if it belongs to the match.
func (f *firstMatch) add(text string, line shownLine, maxBytes int) {
	switch {
	case len(f.lines) == 0 && line.begins == 0:
	case len(f.lines) == 0 || line.continued && len(f.lines) < f.lines[0].span && f.bytes <= maxBytes:
		f.lines, f.texts, f.bytes = append(f.lines, line), append(f.texts, text), f.bytes+len(text)+1
	}
}

func (g *grep) compile() (err error) {
	p := g.params
	if !p.Multiline && strings.Contains(p.Pattern, "\n") {
		return errorf(CodeInvalidInput, "the pattern holds a line break, which no single line does. Set multiline=true to search across lines")
	}
	g.matcher, err = match.Compile(p.Pattern, match.Options{IgnoreCase: p.IgnoreCase, Literal: p.Literal, Multiline: p.Multiline})
	if size := new(match.SizeError); errors.As(err, &size) {
		return errorf(CodeInvalidInput, "the pattern is too large: it has %d %s, over the limit of %d. %s", size.Size, size.What, size.Max, smaller(size, p.Literal))
	}
	if err != nil {
		reason := err.Error()
		if syntax := new(syntax.Error); errors.As(err, &syntax) {
			reason = fmt.Sprintf("%s in %s", syntax.Code, show(syntax.Expr))
		}
		return errorf(CodeInvalidInput, "pattern %s is not valid: %s. Set literal=true to search for it as plain text", show(p.Pattern), show(reason))
	}
	if g.files, err = glob.CompileFilter(p.Glob); err != nil {
		return badGlob("glob", err)
	}
	if p.OutputMode == modeContent {
		g.around = min(p.Context, maxContext)
	}
	return nil
}

// smaller says what to do about a pattern that is too large.
func smaller(e *match.SizeError, literal bool) string {
	switch {
	case literal:
		return "Search for one line of the text, or a part of it that is not found elsewhere"
	case e.What == "bytes":
		return "Search for what is common to the words in it, or in several calls"
	}
	return "Use smaller repetitions, fewer alternatives and fewer character classes, or search in several calls"
}

func (g *grep) run(path workspace.Path) error {
	info, err := path.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return g.searchDir(path)
	}
	f, info, err := path.OpenFile()
	if err != nil {
		return err
	}
	defer f.Close()
	// A read of /proc/kmsg, which calls itself a regular file, waits for a message.
	defer context.AfterFunc(g.ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })()
	if max := g.suite.cfg.MaxFileBytes; g.params.Multiline && info.Size() > max {
		return errorf(CodeTooLarge, "%s is %s, over the limit of %s for a multiline search. Search it without multiline",
			show(path.Name), truncation.FormatSize(info.Size()), truncation.FormatSize(max))
	}
	g.list.visited.Add(1)
	search := newFileSearch(g, g.group())
	search.skip = g.offset
	hits := search.file(f, info.Size(), path.Name)
	if hits.skip == isLarge {
		return errorf(CodeTooLarge, "%s has grown over the limit of %s for a multiline search. Search it without multiline",
			show(path.Name), truncation.FormatSize(g.suite.cfg.MaxFileBytes))
	}
	g.collect(hits)
	return hits.err
}

// take counts a match, and says whether it is one of those to show.
func (g *grep) take() bool {
	if g.seen >= g.most {
		g.more = true
		return false
	}
	g.seen++
	return g.seen > g.offset
}

// pass counts matches that are not shown, or of which only the number is.
func (g *grep) pass(n int) {
	room := max(g.most-g.seen, 0)
	g.more = g.more || n > room
	g.seen += min(n, room)
}

// write adds a line to the list.
func (g *grep) write(text string, line shownLine) {
	g.first.add(text, line, g.suite.cfg.Grep.MaxBytes)
	if !g.list.full() {
		g.lines = append(g.lines, line)
	}
	g.list.line(text)
}

// result is what was found. Only a search that came to its end knows that there is nothing.
func (g *grep) result(ended bool) (GrepResult, error) {
	found := max(g.seen-g.offset, 0)
	res := GrepResult{Matches: found, SkippedBinary: g.skipped.Binary, SkippedLarge: g.skipped.Large, Unreadable: g.skipped.Unreadable, RulesCut: g.skipped.Rules}
	g.skipped.MaxBytes = g.suite.cfg.MaxFileBytes
	if found == 0 {
		if g.seen > 0 {
			return res, errorf(CodeInvalidInput, "offset %d is beyond the end: there are %d %s", g.offset, g.seen, g.what())
		}
		if ended {
			res.Text = g.nothing()
		}
		res.Text = notice.Append(res.Text, g.skipped.Notice())
		return res, nil
	}
	list := g.list.result()
	page := g.page(&list)
	shown := notice.Matches{Found: found, More: g.more, What: g.what(), Shown: page.matches}
	res.Lines, res.LinesTruncated = page.lines, page.cut
	var limit, long notice.Notice
	if g.more {
		res.MatchLimitReached = g.limit
		limit = shown.Limit(g.limit)
	}
	whole := list
	whole.TotalBytes += page.removed
	res.set(whole)
	res.limited, res.linesCut = g.more, res.LinesTruncated
	if g.more || shown.Shown < found {
		res.NextOffset = g.offset + shown.Shown
	}
	if list.Truncated {
		res.Truncation = &list
	}
	if res.LinesTruncated {
		long = notice.LongLines(g.suite.cfg.Grep.MaxLineChars)
	}
	end := endOf(list, limit, shown.ListLimit(list), res.NextOffset)
	res.Text = notice.Append(list.Text, append(end, long, page.longMatch, page.noContext, g.skipped.Notice())...)
	return res, nil
}

// nothing is the text of a search that found no match.
func (g *grep) nothing() string {
	text, p := "No matches found", g.params
	switch {
	case p.Glob != "" && g.list.visited.Load() == 0:
		text += ". No file matches the glob " + show(p.Glob)
	case !p.Multiline && !p.Literal && strings.Contains(p.Pattern, `\n`):
		text += ". Set multiline=true if a match is to go over several lines"
	}
	return text
}

// what a search counts.
func (g *grep) what() string {
	if g.params.OutputMode == modeContent {
		return "matches"
	}
	return "files"
}
