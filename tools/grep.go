package tools

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const grepDescription = `Search files for a regular expression (RE2). {form}. ` +
	`Omits what .gitignore excludes (unless ignored is true), binary files and files over {MaxFileBytes}; a ` +
	`text file named by path is searched even if it is ignored or large. ` +
	`Shows at most {Grep.Limit} matches or {Grep.MaxBytes}, and of a long line {Grep.MaxLineChars} characters around the ` +
	`match; a notice says how to get more.`

// describeGrep says what the lines of a result look like.
func describeGrep(cfg config.Grep) string {
	form := "Prints path:line: text for each line that matches, sorted by path"
	if cfg.Grouped {
		form = "Prints the path of each file that has matches on a line of its own, and below it line: text for each " +
			"line that matches, sorted by path; of a file named by path it prints path:line: text"
	}
	return strings.Replace(grepDescription, "{form}", form, 1)
}

// GrepParams are the arguments of grep. Pattern is required.
type GrepParams struct {
	Pattern    string `json:"pattern" jsonschema:"regular expression in RE2 syntax, matched against each line"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory to search; default the workspace"`
	Glob       string `json:"glob,omitempty" jsonschema:"search only files that match this glob, such as *.go or src/**; separate several with commas; !*_test.go excludes"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"ignore the difference between upper and lower case"`
	Literal    bool   `json:"literal,omitempty" jsonschema:"take the pattern as plain text, not as a regular expression"`
	Context    int    `json:"context,omitempty" jsonschema:"lines to show before and after each match; default 0"`
	Before     int    `json:"before,omitempty" jsonschema:"lines to show before each match; default the value of context"`
	After      int    `json:"after,omitempty" jsonschema:"lines to show after each match; default the value of context"`
	Limit      int    `json:"limit,omitempty" jsonschema:"maximum number of matches (or files) to show; default {Grep.Limit}"`
	Offset     int    `json:"offset,omitempty" jsonschema:"matches (or files) to skip; default 0"`
	OutputMode string `json:"output_mode,omitempty" jsonschema:"content shows the matching lines, files_with_matches the paths, count the number of matches in each file; default content" arg:"content|files_with_matches|count"`
	Multiline  bool   `json:"multiline,omitempty" jsonschema:"let a match span several lines; write (?s) in the pattern to let . match a line break"`
	Encoding   string `json:"encoding,omitempty" jsonschema:"encoding of files that are not UTF-8, such as windows-1252 or shift_jis"`
	Ignored    bool   `json:"ignored,omitempty" jsonschema:"also search what git ignores"`
}

// GrepResult is the result of grep.
type GrepResult struct {
	Bounds

	Lines []GrepLine `json:"-"` // what Text shows, without the notices
	Text  string     `json:"-"` // the lines, or the paths, and notices

	Truncation     *truncation.Result `json:"truncation,omitempty"`        // set if MaxBytes or MaxLines ended the list
	LimitReached   int                `json:"matchLimitReached,omitempty"` // the limit, if there are more matches (or files) than that; else 0
	LinesTruncated bool               `json:"linesTruncated,omitempty"`    // some lines that are shown were cut to MaxLineChars
	Matches        int                `json:"matches"`                     // matches, or files, found behind offset and up to limit
	NextOffset     int                `json:"nextOffset,omitempty"`        // the offset to continue with; 0 if there is no more
	Ignored        int                `json:"ignored,omitempty"`           // entries that git ignores, where the search turned back: directories, and files that glob selects
	SkippedBinary  int                `json:"skippedBinary,omitempty"`     // files that are not text
	SkippedLarge   int                `json:"skippedLarge,omitempty"`      // files over Config.MaxFileBytes
	NotUTF8        int                `json:"notUTF8,omitempty"`           // files in which a pattern that is not ASCII may not match
	Unreadable     int                `json:"unreadable,omitempty"`        // files and directories that could not be read
	IgnoredHits    int                `json:"ignoredHits,omitempty"`       // matching lines, or files, that Text shows and git ignores
	RulesCut       int                `json:"rulesCut,omitempty"`          // ignore files of which only the first lines count
}

// GrepLine is a line that grep shows; where it lists files, a file.
type GrepLine struct {
	Path  string // of the file, as it is: the text has one with odd characters in quotes
	Line  int    // its number, from 1; 0 for a file
	Text  string // the line, or the part around its match, cut to Grep.MaxLineChars, with its NUL bytes and invalid UTF-8; "" for a file
	Match bool   // there is a match in it; false for a line near one
	Cut   bool   // Text is not all of the line
	Count int    // matches in the file, with the output_mode count; else 0
	// Ignored says that git ignores the file: without ignored, the search would have left it out.
	Ignored bool

	// Column is where in the line its first match begins, in characters from 1, and Length
	// how many of these the match has in the line, of 64 KiB at most that are looked at.
	// Both are 0 for a line near a match and for a file.
	Column, Length int
}

func (r *GrepResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (r *GrepResult) parts() (*string, *Bounds) { return &r.Text, &r.Bounds }

const (
	modeContent = "content"
	modeFiles   = "files_with_matches"
	modeCount   = "count"
)

// maxContext is the number of lines around a match beyond which nobody means it.
const maxContext = 10_000

// searches is what grep, find and ls share.
type searches struct {
	cfg     config.Config
	paths   *paths
	tools   *toolset
	reads   func() func(path string) (may, ask bool) // nil where every file may be read
	redact  *redact.Redactor                         // or nil
	told    *told.Store
	sawPart func(name string) // notes that lines of a file were shown
}

func (s *searches) grep(ctx context.Context, p GrepParams) (GrepResult, error) {
	path, err := s.paths.resolve(ctx, p.Path)
	if err != nil {
		return GrepResult{}, err
	}
	g := &grep{searches: s, params: p, list: newList[shownLine](s.cfg.Grep.MaxLines, s.cfg.Grep.MaxBytes)}
	if err := g.compile(path); err != nil {
		return GrepResult{}, err
	}
	g.telling, g.corrected = s.telling(ctx, path.Abs), corrected(path)
	defer watch(ctx, "grep", g.list.snapshot)()
	res, err := conclude(ctx, path.Name, g.run(ctx, path), g.result)
	last := ""
	for _, l := range res.Lines {
		if l.Line > 0 && l.Path != last {
			last = l.Path
			s.sawPart(quote.Name(last))
		}
	}
	return res, err
}

// grep is one search.
type grep struct {
	*searches
	params GrepParams
	limit  int
	offset int
	most   int // offset and limit together
	files  glob.Filter
	query  search.Query
	places *match.Searcher // tells where in a line the match is

	list    *list[shownLine]
	lines   fileLines // of the file at hand
	grouped bool      // the path of a file is shown once, on a line of its own
	seen    int       // matches (or files) found, those before offset included
	more    bool      // there is a match after the limit
	dropped bool      // there is context that could not be held
	left    leftOut
	telling telling

	corrected notice.Notice // what was taken for path, or for globs

	first firstMatch // should nothing else fit
}

// compile checks the arguments of a search of that path.
func (g *grep) compile(path workspace.Path) error {
	p, cfg := g.params, g.cfg.Grep
	if !p.Multiline && strings.Contains(p.Pattern, "\n") {
		return errorf(CodeInvalidInput, "the pattern holds a line break, which no single line does. Set multiline=true to "+
			"search across lines")
	}
	encoding, err := encodingNamed(p.Encoding)
	if err != nil {
		return err
	}
	options := match.Options{IgnoreCase: p.IgnoreCase, Literal: p.Literal, Multiline: p.Multiline}
	matcher, err := match.Compile(p.Pattern, options)
	if err != nil {
		return badPattern(g.tools, p, path, err)
	}
	if g.files, err = glob.CompileFilter(path.Relative(p.Glob), path.Prefix()); err != nil {
		return badGlob("glob", p.Glob, path, err)
	}
	g.limit, g.offset = min(cmp.Or(p.Limit, cfg.Limit), maxCount), min(p.Offset, maxCount)
	g.most = g.offset + g.limit
	g.query = search.Query{Matcher: matcher, Multiline: p.Multiline, MaxBytes: g.cfg.MaxFileBytes, Encoding: encoding,
		NonASCII: strings.ContainsFunc(p.Pattern, func(r rune) bool { return r >= utf8.RuneSelf }),
		Redact:   g.redact,
		Text:     utf8.UTFMax * (min(cfg.MaxLineChars, maxCount) + 1)} // a little more than is shown, to see that it is cut
	switch p.OutputMode {
	case modeFiles:
		g.query.Count, g.query.Most = true, 1
	case modeCount:
		g.query.Count = true
	default:
		g.query.Most = g.most
		g.query.Around.Before = min(cmp.Or(p.Before, p.Context), maxContext)
		g.query.Around.After = min(cmp.Or(p.After, p.Context), maxContext)
	}
	return nil
}

func (g *grep) run(ctx context.Context, path workspace.Path) error {
	info, err := path.Stat()
	if err != nil {
		return err
	}
	g.places = g.query.Matcher.NewSearcher()
	g.places.Until(ctx)
	searched := g.searchFile
	if info.IsDir() {
		searched, g.grouped = g.searchDir, g.cfg.Grep.Grouped
	}
	stats, err := searched(ctx, path)
	g.left.Binary, g.left.Large, g.left.LargeFirst, g.left.stats = stats.Binary, stats.Large, stats.LargeFirst, stats
	g.notUTF8(ctx, path, stats)
	g.left.Whole, g.left.MaxBytes = g.params.Multiline, g.query.MaxBytes
	if stats.InPieces {
		g.left.LongLines = search.MaxLine
	}
	return err
}

// searchDir searches the files of a directory that glob selects. Where it selects none of
// them relative to the directory, it is taken relative to the workspace.
func (g *grep) searchDir(ctx context.Context, path workspace.Path) (search.Stats, error) {
	prefix, others, elsewhere := path.Prefix(), false, ""
	for {
		globs := g.files.Watch()
		stats, err := g.searchTree(ctx, path, elsewhere, globs, func(dir, name string) bool {
			dir, name = g.paths.shownIn(prefix, dir, name)
			selected := globs.Match(elsewhere+dir, name)
			others = others || !selected && prefix != elsewhere && g.files.MayMatch(prefix+dir, name)
			return selected
		})
		if err != nil || g.more || ctx.Err() != nil {
			return stats, err
		}
		if others && elsewhere == "" && g.list.visited.Load() == 0 {
			elsewhere = prefix
			g.again()
			continue
		}
		if loose, ok := globs.Loosen(); ok {
			g.files = loose
			g.again()
			continue
		}
		g.left.Elsewhere = elsewhere != ""
		g.left.excludes(globs.Idle())
		for _, use := range globs.Used() {
			g.corrected = notice.Join(g.corrected, used(use))
		}
		return stats, nil
	}
}

// again forgets what was found, to search once more.
func (g *grep) again() {
	g.list.reset()
	g.lines, g.seen, g.dropped, g.left, g.first = fileLines{}, 0, false, leftOut{}, firstMatch{}
}

// searchTree searches the files of a directory that are selected. globs are told of directories that are not searched,
// by their paths behind prefix.
func (g *grep) searchTree(
	ctx context.Context, path workspace.Path, prefix string, globs *glob.Watch, selected func(dir, name string) bool,
) (search.Stats, error) {
	selected = g.mayRead(path.Prefix(), selected)
	wanted := func(e walk.Entry) bool {
		if e.Type.IsDir() {
			dir, name := g.paths.shownIn(path.Prefix(), e.Dir, e.Name)
			globs.Pass(prefix+dir, name)
			return true
		}
		return e.Type.IsRegular() && selected(e.Dir, e.Name)
	}
	tree, err := g.paths.openSearched(path, g.params.Ignored, &g.left, wanted)
	if err != nil {
		return search.Stats{}, err
	}
	defer tree.Close()
	files := search.Files{Tree: tree.Tree, Abs: path.Abs, Options: tree.Options, Large: g.paths.isSpill(path),
		Wanted: selected, Leave: tree.isSpills, Searched: &g.list.visited}
	stats, err := g.query.Tree(ctx, files, func(f search.File, l search.Line) bool { return g.visit(tree, f, l) })
	tree.skip(stats.Stats)
	for i, name := range stats.LargeFirst {
		stats.LargeFirst[i] = quote.Name(tree.prefix + name)
	}
	return stats, err
}

// mayRead returns what selects those of the selected files, below a prefix, that the rules let the call read.
func (g *grep) mayRead(prefix string, selected func(dir, name string) bool) func(dir, name string) bool {
	if g.reads == nil {
		return selected
	}
	may := g.reads()
	if may == nil {
		return selected
	}
	return func(dir, name string) bool {
		if !selected(dir, name) {
			return false
		}
		path := prefix + dir + name
		ok, ask := may(path)
		if !ok {
			g.left.refuse(path, ask)
		}
		return ok
	}
}

// searchFile searches a file that was named.
func (g *grep) searchFile(ctx context.Context, path workspace.Path) (search.Stats, error) {
	f, info, err := path.OpenFile()
	if err != nil {
		return search.Stats{}, err
	}
	defer f.Close()
	// A read of /proc/kmsg, which calls itself a regular file, waits for a message.
	defer context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })()
	most := g.query.MaxBytes
	if g.params.Multiline && info.Size() > most {
		return search.Stats{}, errorf(CodeTooLarge, "%s is %s, over the limit of %s for a multiline search. "+
			"Search it without multiline", show(path.Name), size.File(info.Size()), size.File(most))
	}
	g.list.visited.Add(1)
	stats, err := g.query.File(ctx, f, info.Size(), func(l search.Line) bool {
		return g.visit(nil, search.File{Path: path.Name}, l)
	})
	switch {
	case err == search.ErrTooLarge && info.Size() == 0:
		err = fault.Endless(path.Name, most)
	case err == search.ErrTooLarge:
		err = errorf(CodeTooLarge, "%s has grown over the limit of %s for a multiline search. Search it without multiline",
			show(path.Name), size.File(most))
	}
	return stats, err
}
