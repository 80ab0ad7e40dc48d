// Package grep searches a file, or the files of a directory, for a pattern, and words the result.
package grep

import (
	"cmp"
	"context"
	"math"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/leftout"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/matches"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// Params are the arguments of a search. tools.GrepParams has the same fields and documents them.
type Params struct {
	Pattern    string
	Path       string
	Glob       string
	IgnoreCase bool
	Literal    bool
	Context    int
	Before     int
	After      int
	Limit      int
	Offset     int
	OutputMode string
	Multiline  bool
	Encoding   string
	Ignored    bool

	Also         []string
	OnlyMatching bool
}

// Values of OutputMode; any other shows the matching lines.
const (
	modeFiles = "files_with_matches"
	modeCount = "count"
)

// maxContext is the largest number of lines around a match that anyone means.
const maxContext = 10_000

type Options struct {
	Config       config.Grep
	MaxFileBytes int64
	Place        tree.Place
	Has          func(tool string) bool // reports whether the reader has a tool
	First        leftout.First
	Corrected    notice.Notice // says how the path was corrected

	// MayRead reports whether a file in a directory may be read, by its path. If not, asked says that a person is
	// asked about a call that names the file. Nil allows every file.
	MayRead func(path string) (may, asked bool)
}

type Search struct {
	Options
	params  Params
	pattern hint.Pattern
	path    workspace.Path
	files   glob.Filter
	query   search.Query
	places  *match.Searcher
	// counted says what is counted: "matches" or, if only files are shown, "files".
	counted string

	found   *matches.Matches
	several bool   // several files are searched
	at      string // the current file
	left    leftout.Notes
	missed  missed
	lacks   int          // files that lack a match for a further pattern
	bytes   atomic.Int64 // of the searched files
	tally   tally

	visit func(search.Line) // called for each found line, unless nil
}

// New checks the arguments of a search. If the pattern is invalid, it searches for it as plain text, until ctx ends,
// to advise the model.
func New(ctx context.Context, p Params, path workspace.Path, o Options) (*Search, error) {
	if !p.Multiline && strings.Contains(p.Pattern, "\n") {
		return nil, fault.Errorf(fault.InvalidInput, "the pattern holds a line break, and a line does not. Set "+
			"multiline=true to search across lines")
	}
	if p.OnlyMatching && (p.Multiline || p.Context+p.Before+p.After > 0) {
		return nil, fault.Errorf(fault.InvalidInput, "only_matching shows matches in a line, and nothing around them. "+
			"Leave out multiline, context, before and after")
	}
	encoding, err := hint.Encoding(p.Encoding)
	if err != nil {
		return nil, err
	}
	pattern := hint.Pattern{Text: p.Pattern,
		Options: match.Options{IgnoreCase: p.IgnoreCase, Literal: p.Literal, Multiline: p.Multiline}}
	s := &Search{Options: o, params: p, pattern: pattern, path: path, counted: "matches"}
	matcher, err := match.Compile(p.Pattern, pattern.Options)
	if err != nil {
		pattern.Plain = func() bool { return plain(ctx, p, path, o) }
		return nil, pattern.Bad(path, o.Has, err)
	}
	var also []*match.Matcher
	for _, pattern.Text = range p.Also {
		m, err := match.Compile(pattern.Text, pattern.Options)
		if err != nil {
			return nil, pattern.Bad(path, o.Has, err)
		}
		also = append(also, m)
	}
	if p.Glob != "" {
		if s.files, err = glob.CompileFilter(path.Relative(p.Glob), path.Prefix()); err != nil {
			return nil, hint.BadGlob("glob", p.Glob, path, err)
		}
		s.missed = newMissed(s.files.Included(), path, o.Place.Workspace)
	}
	s.places = matcher.NewSearcher()
	s.query = search.Query{Matcher: matcher, Also: also, Multiline: p.Multiline, Only: p.OnlyMatching,
		MaxBytes: o.MaxFileBytes, Encoding: encoding,
		NonASCII: strings.ContainsFunc(p.Pattern+strings.Join(p.Also, ""), func(r rune) bool { return r >= utf8.RuneSelf }),
		Redact:   o.Place.Redact,
		// A little more than is shown, to notice a cut.
		Text: utf8.UTFMax * (min(o.Config.MaxLineChars, math.MaxInt>>3) + 1)}
	switch p.OutputMode {
	case modeFiles:
		s.query.Count, s.query.Most, s.counted = true, 1, "files"
	case modeCount:
		s.query.Count, s.counted = true, "files"
	default:
		s.query.Most = p.Offset + p.Limit
		s.query.Around.Before = min(cmp.Or(p.Before, p.Context), maxContext)
		s.query.Around.After = min(cmp.Or(p.After, p.Context), maxContext)
	}
	s.found = matches.New(matches.Form{
		MaxLines: o.Config.MaxLines, MaxBytes: o.Config.MaxBytes, MaxLineChars: o.Config.MaxLineChars,
		Limit: p.Limit, Offset: p.Offset, Around: s.query.Around,
		Files: s.query.Count, Counts: p.OutputMode == modeCount, Encoding: encoding, Places: s.places,
	})
	return s, nil
}

// Progress returns the lines found so far, and the number of files searched.
func (s *Search) Progress() (text truncation.Result, files int) { return s.found.Progress() }

// Run searches. If ctx ends, it returns what it has found with the error.
func (s *Search) Run(ctx context.Context) (Result, error) {
	if err := s.run(ctx); err != nil && ctx.Err() == nil {
		return Result{}, err
	}
	res, err := s.result(ctx)
	return res, cmp.Or(ctx.Err(), err)
}

func (s *Search) run(ctx context.Context) error {
	info, err := s.path.Stat()
	if err != nil {
		return err
	}
	s.places.Until(ctx)
	searched := s.file
	if s.several = info.IsDir(); s.several {
		searched = s.dir
	}
	stats, err := searched(ctx)
	s.lacks = stats.Lacking
	s.leaveOut(ctx, stats)
	return err
}

// dir searches the files of a directory that the glob selects. If it selects none relative to the directory, it is
// taken relative to the workspace.
func (s *Search) dir(ctx context.Context) (search.Stats, error) {
	prefix, others, elsewhere := s.path.Prefix(), false, ""
	for {
		globs := s.files.Watch()
		stats, err := s.tree(ctx, elsewhere, globs, func(dir, name string) bool {
			dir, name = s.Place.Shown(prefix, dir, name)
			selected := globs.Match(elsewhere+dir, name)
			others = others || !selected && prefix != elsewhere && s.files.MayMatch(prefix+dir, name)
			return selected
		})
		if err != nil || s.found.More || ctx.Err() != nil {
			return stats, err
		}
		if others && elsewhere == "" && s.found.Visited().Load() == 0 {
			elsewhere = prefix
			s.again()
			continue
		}
		if loose, ok := globs.Loosen(); ok {
			s.files = loose
			s.again()
			continue
		}
		s.left.Elsewhere = elsewhere != ""
		s.left.IdleGlobs(globs.Idle())
		for _, use := range globs.Used() {
			s.Corrected = notice.Join(s.Corrected, hint.Used(use))
		}
		return stats, nil
	}
}

func (s *Search) again() {
	s.found.Reset()
	s.at, s.left, s.tally = "", leftout.Notes{}, tally{}
}

// tree searches the selected files of a directory. It passes directories that are not searched to the globs, by their
// paths behind prefix.
func (s *Search) tree(
	ctx context.Context, prefix string, globs *glob.Watch, selected func(dir, name string) bool,
) (search.Stats, error) {
	visited := selected
	if len(s.missed) > 0 {
		visited = s.noting(selected)
	}
	if s.MayRead != nil {
		visited, selected = s.readable(visited), s.readable(selected)
	}
	wanted := func(e walk.Entry) bool {
		if e.Type.IsDir() {
			dir, name := s.Place.Shown(s.path.Prefix(), e.Dir, e.Name)
			globs.Pass(prefix+dir, name)
			return true
		}
		return e.Type.IsRegular() && selected(e.Dir, e.Name)
	}
	t, err := s.Place.Open(s.path, s.params.Ignored, &s.left, wanted)
	if err != nil {
		return search.Stats{}, err
	}
	defer t.Close()
	files := search.Files{Tree: t.Tree, Abs: s.path.Abs, Options: t.Options, Large: t.Spilled,
		Wanted: visited, Leave: t.IsSpills, Printed: t.InSpills, Searched: s.found.Visited(),
		Bytes: &s.bytes}
	within, end := s.tally.within(ctx)
	defer end()
	stats, err := s.query.Tree(within, files, func(f search.File, l search.Line) bool {
		if s.at != f.Path {
			s.at = f.Path
			s.found.Begin(matches.File{
				Path: t.Prefix + f.Path, Root: t.Root(f.Path, f.Ignored), Grouped: s.Config.Grouped,
			})
		}
		return s.add(t.Prefix, f.Path, l, s.query.Most)
	})
	err = s.tally.done(ctx, err)
	t.LeftOut(stats.Stats)
	return stats, err
}

// add adds a found line, or counts it if no more can be shown. most is after how many matches its file is not searched
// further.
func (s *Search) add(prefix, path string, l search.Line, most int) bool {
	n := l.Begins
	if s.query.Count {
		n, most = 1, math.MaxInt
	}
	if s.visit != nil {
		s.visit(l)
	}
	s.tally.add(prefix, path, n, most)
	if !s.found.More && !s.found.Add(l) {
		s.tally.reached(s.few)
	}
	return true
}

// few reports whether so little has been searched that counting continues to the end.
func (s *Search) few() bool { return s.found.Visited().Load() < fewFiles && s.bytes.Load() < fewBytes }

// readable narrows a selection to files that may be read.
func (s *Search) readable(selected func(dir, name string) bool) func(dir, name string) bool {
	prefix := s.path.Prefix()
	return func(dir, name string) bool {
		if !selected(dir, name) {
			return false
		}
		path := prefix + dir + name
		may, asked := s.MayRead(path)
		if !may {
			s.left.Refuse(path, asked)
		}
		return may
	}
}

func (s *Search) file(ctx context.Context) (search.Stats, error) {
	f, info, err := s.path.OpenFile()
	if err != nil {
		return search.Stats{}, err
	}
	defer f.Close()
	// A read of /proc/kmsg, which claims to be a regular file, waits for a message.
	defer context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })()
	name, most := s.path.Name, s.query.MaxBytes
	if s.params.Multiline && info.Size() > most {
		return search.Stats{}, fault.Errorf(fault.TooLarge, "%s is %s, over the limit of %s for a multiline search. "+
			"Search it without multiline", quote.Value(name), size.File(info.Size()), size.File(most))
	}
	s.found.Visited().Add(1)
	s.bytes.Add(info.Size())
	s.found.Begin(matches.File{Path: name})
	within, end := s.tally.within(ctx)
	defer end()
	query := s.query
	query.Printed = s.Place.IsSpill(s.path)
	stats, err := query.File(within, f, info.Size(), func(l search.Line) bool { return s.add("", "", l, math.MaxInt) })
	err = s.tally.done(ctx, err)
	switch {
	case err == search.ErrTooLarge && info.Size() == 0:
		err = fault.Endless(name, most)
	case err == search.ErrTooLarge:
		err = fault.Errorf(fault.TooLarge, "%s has grown over the limit of %s for a multiline search. Search it without "+
			"multiline", quote.Value(name), size.File(most))
	}
	return stats, err
}
