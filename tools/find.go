package tools

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const findDescription = `Find files and directories by name. The pattern is a glob: * and ? match within a ` +
	`name, ** matches across directories, ` +
	`and [a-z] and {a,b} work; a pattern without a slash matches names at any depth. Prints sorted paths in the ` +
	`form that read takes; directories end in /. ` +
	`Omits what .gitignore excludes, unless ignored is true. Shows at most {Find.Limit} results or ` +
	`{Find.MaxBytes}; a notice says how to get more.`

// FindParams are the arguments of find. Pattern is required.
type FindParams struct {
	Pattern string `json:"pattern" jsonschema:"glob to match, such as *.go, src/**/*.ts or cmd/*/main.go; a trailing / matches only directories"`
	Path    string `json:"path,omitempty" jsonschema:"directory to search; default the workspace"`
	Limit   int    `json:"limit,omitempty" jsonschema:"maximum number of results to show; default {Find.Limit}"`
	Offset  int    `json:"offset,omitempty" jsonschema:"results to skip; default 0"`
	Type    string `json:"type,omitempty" jsonschema:"file, dir or any; default any" arg:"file|dir|any"`
	Sort    string `json:"sort,omitempty" jsonschema:"path, or mtime for the most recently changed first; default path" arg:"path|mtime"`
	Ignored bool   `json:"ignored,omitempty" jsonschema:"also list what git ignores"`
}

// FindResult is the result of find.
type FindResult struct {
	Bounds

	Text    string      `json:"-"` // the paths, one a line, and notices
	Entries []FindEntry `json:"-"` // those that Text shows

	Truncation   *truncation.Result `json:"truncation,omitempty"`         // set if MaxBytes or MaxLines ended the list
	LimitReached int                `json:"resultLimitReached,omitempty"` // the limit, if there are more results than that; else 0
	NextOffset   int                `json:"nextOffset,omitempty"`         // the offset to continue with; 0 if there is no more
	Unreadable   int                `json:"unreadable,omitempty"`         // directories that could not be read
	Ignored      int                `json:"ignored,omitempty"`            // entries that git ignores, where the search turned back: directories, and files that match
	IgnoredHits  int                `json:"ignoredHits,omitempty"`        // entries that Text shows and git ignores
	RulesCut     int                `json:"rulesCut,omitempty"`           // ignore files of which only the first lines count
}

// FindEntry is an entry that find shows.
type FindEntry struct {
	Path    string // as it is: the text has one with odd characters in quotes. A directory's ends in a slash
	Ignored bool   // git ignores it: without ignored, the search would have left it out
}

func (r *FindResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (r *FindResult) parts() (*string, *Bounds) { return &r.Text, &r.Bounds }

func (s *searches) find(ctx context.Context, p FindParams) (FindResult, error) {
	start, err := s.paths.resolve(ctx, p.Path)
	if err != nil {
		return FindResult{}, err
	}
	f, err := newFind(s.cfg.Find, p, start)
	if err != nil {
		return FindResult{}, err
	}
	f.telling, f.corrected = s.telling(ctx, start.Abs), corrected(start)
	if f.tree, err = s.paths.openSearched(start, p.Ignored, &f.left, f.wanted); err != nil {
		return FindResult{}, failure(err, start.Name)
	}
	defer f.tree.Close()
	defer watch(ctx, "find", f.list.snapshot)()
	stats, err := f.tree.Walk(ctx, start.Abs, f.tree.Options, f.visit)
	if err == nil && f.reread() {
		stats, err = f.tree.Walk(ctx, start.Abs, f.tree.Options, f.visit)
	}
	f.tree.skip(stats)
	return conclude(ctx, start.Name, err, f.result)
}

// newFind checks the arguments of a search.
func newFind(cfg config.Find, p FindParams, start workspace.Path) (*find, error) {
	g, err := glob.Compile(start.Relative(p.Pattern))
	if err != nil {
		return nil, badGlob("pattern", p.Pattern, start, err)
	}
	f := &find{pattern: p.Pattern, glob: g, readings: glob.Readings(start.Relative(p.Pattern)), kind: p.Type, offset: min(p.Offset, maxCount),
		limit: min(cmp.Or(p.Limit, cfg.Limit), maxCount), byTime: p.Sort == "mtime",
		list: newList[entry](cfg.MaxLines, cfg.MaxBytes)}
	if f.byTime {
		if f.offset >= maxByTime {
			return nil, errorf(CodeInvalidInput, "offset %d is beyond the %d results that sort=mtime gives. Use a more exact "+
				"pattern or path, or sort=path", f.offset, maxByTime)
		}
		f.limit = min(f.limit, maxByTime-f.offset)
	}
	f.anchored, f.absolute = g.Anchored(), path.IsAbs(p.Pattern) || filepath.IsAbs(p.Pattern)
	if g.Anchored() && !f.absolute && !strings.HasPrefix(p.Pattern, "**") {
		wider := "**/" + strings.TrimPrefix(p.Pattern, "./")
		if f.wider, err = glob.Compile(wider); err == nil {
			f.hint = wider
		}
	}
	if f.folded, err = glob.Compile(strings.ToLower(start.Relative(p.Pattern))); err != nil {
		f.folded = g
	}
	return f, nil
}

// maxByTime is the number of results that are held to sort them by time: what was
// changed before that many others is not what is looked for.
const maxByTime = 10_000

// find is one search.
type find struct {
	tree   *searched
	glob   matcher
	kind   string
	offset int
	limit  int
	byTime bool

	readings []glob.Reading // what the pattern may mean if there are no results
	meant    int            // the first of them that has some, from 1; 0 if none has

	// What to say if there are no results.
	pattern  string
	absolute bool
	hint     string    // a pattern to try
	wider    glob.Glob // what it means
	hasMore  bool      // it has results
	anchored bool      // it is matched against whole paths
	folded   glob.Glob // the pattern in small letters
	other    string    // a path that it matches in small letters
	outside  bool      // the pattern matches paths relative to the workspace

	list   *list[entry]
	newest []changed // the results that come first, if they are sorted by time
	seen   int       // results found, those before offset included
	more   bool      // there is a result behind the limit
	ended  bool      // the search was, as the list is full

	left    leftOut
	telling telling

	corrected notice.Notice // what was taken for path, or for the pattern
}

// changed is a result with the time of its last change.
type changed struct {
	entry
	when time.Time
}

// compare puts what was changed last first, and what changed at one time in the
// order of the paths.
func (a changed) compare(b changed) int {
	if c := b.when.Compare(a.when); c != 0 {
		return c
	}
	return strings.Compare(a.name, b.name)
}

// wanted reports whether an entry that git ignores would be a result, or may hold some.
func (f *find) wanted(e walk.Entry) bool {
	return e.Type.IsDir() || f.kind != "dir" && !f.glob.Dirs() && f.glob.Match(f.tree.shown(e))
}

func (f *find) visit(e walk.Entry) error {
	f.list.visited.Add(1)
	dir := e.Type.IsDir()
	if f.tree.isSpills(e) {
		return fs.SkipDir
	}
	if dir && f.kind == "file" || !dir && (f.kind == "dir" || f.glob.Dirs()) {
		return nil
	}
	if shownDir, name := f.tree.shown(e); !f.glob.Match(shownDir, name) {
		if f.seen == 0 {
			f.missed(e, shownDir, name)
		}
		return nil
	}
	if f.byTime {
		info, err := f.tree.Lstat(e.Path())
		if err != nil {
			return nil // gone since
		}
		f.seen++
		// Twice as many as are asked for are held, or a few thousand.
		f.newest = append(f.newest, changed{f.tree.entry(e), info.ModTime()})
		if len(f.newest) >= 2*max(f.offset+f.limit, 2048) {
			f.sort()
		}
		return nil
	}
	if f.seen == f.offset+f.limit {
		f.more, f.ended = true, true
		return fs.SkipAll
	}
	f.seen++
	if f.seen <= f.offset {
		return nil
	}
	// The first one is shown even if it does not fit. Then the next tells whether there is more.
	if f.list.full() || !f.list.add(f.tree.entry(e)) && f.seen > f.offset+1 {
		f.ended = true
		return fs.SkipAll
	}
	return nil
}

// matcher is a glob, or what it was taken for.
type matcher interface {
	Match(dir, name string) bool
	Dirs() bool
}

// reread takes the pattern, which matches nothing, for something else that does. It reports whether there is such a
// thing.
func (f *find) reread() bool {
	if f.seen > 0 || f.meant == 0 {
		return false
	}
	r := f.readings[f.meant-1]
	f.corrected = notice.Join(f.corrected, taken(f.pattern, r))
	f.glob, f.readings, f.left = r, nil, leftOut{}
	return true
}

// missed takes note of an entry that another pattern would have found, by what is shown of it.
func (f *find) missed(e walk.Entry, shownDir, name string) {
	for i, r := range f.readings {
		if f.meant > 0 && i >= f.meant-1 {
			break
		}
		if r.Match(shownDir, name) && (e.Type.IsDir() || !r.Dirs()) {
			f.meant = i + 1
		}
	}
	f.hasMore = f.hasMore || f.hint != "" && f.wider.Match(shownDir, name)
	dir := ""
	if f.anchored {
		f.outside = f.outside || f.tree.prefix != "" && f.glob.Match(f.tree.prefix+shownDir, name)
		dir = strings.ToLower(shownDir)
	}
	if f.other == "" && f.folded.Match(dir, strings.ToLower(name)) {
		f.other = f.tree.entry(e).String()
	}
}

// nothing returns the text of a search without results.
func (f *find) nothing() string {
	const text = "No files found matching pattern"
	switch {
	case f.outside:
		return text + ". It is relative to path: try it without path"
	case f.hasMore:
		return text + ". Try " + show(f.hint)
	case f.other != "":
		return text + ". Case matters: there is " + show(f.other)
	case f.absolute:
		return text + ". An absolute pattern must be below path: set path to search elsewhere"
	}
	return text + likeRegexp(f.pattern)
}

// sort sorts the results by time, and keeps those that are asked for.
func (f *find) sort() {
	slices.SortFunc(f.newest, changed.compare)
	f.newest = f.newest[:min(len(f.newest), f.offset+f.limit)]
}

// sorted moves the results by time to the list.
func (f *find) sorted() {
	f.sort()
	for _, c := range f.newest[min(f.offset, len(f.newest)):] {
		if !f.list.add(c.entry) {
			break
		}
	}
	f.more = f.seen > f.offset+f.limit
}

// result returns what was found. Only a search that came to its end knows that there is nothing.
func (f *find) result(ended bool) (FindResult, error) {
	res := FindResult{Unreadable: f.left.Unreadable, Ignored: f.left.Ignored, RulesCut: f.left.Rules}
	if f.seen == 0 {
		if ended {
			res.Text = f.nothing()
		}
		left := f.left.none(f.telling, ended)
		res.Text = notice.Append(res.Text, left, ifRoom(f.corrected, left))
		return res, nil
	}
	if f.byTime {
		f.sorted()
	}
	if f.seen <= f.offset {
		return res, errorf(CodeInvalidInput, "offset %d is beyond the end: there are %d results", f.offset, f.seen)
	}
	entries, list := f.list.result()
	var limit notice.Notice
	if f.more {
		res.LimitReached = f.limit
		reached := notice.LimitReached{Limit: f.limit, One: "result", Many: "results", Refine: true}
		reached.Continued = f.offset > 0
		limit = reached.Notice()
		if f.byTime && f.offset+f.limit == maxByTime {
			limit = notice.Newest(maxByTime)
		}
	}
	res.Truncation = res.set(list)
	var hits ignoredHits
	for _, e := range entries {
		hits.add(e.root)
		res.Entries = append(res.Entries, FindEntry{Path: e.name + e.slash(), Ignored: e.root != ""})
	}
	res.IgnoredHits = hits.count
	res.limited = f.more
	next := f.offset + list.OutputLines
	more := f.more || f.seen > next
	if more && !(f.byTime && next == maxByTime) {
		res.NextOffset = next
	}
	var total notice.Notice
	if f.byTime && more {
		total = notice.Total(next, f.seen, "results")
	}
	said := notice.Fit(limit, notice.ListLimit(list), notice.Continue(res.NextOffset), total, hits.notice(), f.corrected)
	left := f.left.found(f.telling, ended && !f.ended, !ended, notice.Room(said...))
	res.Text = notice.Append(list.Text, append(said, left)...)
	return res, nil
}
