// Package find searches for files and directories by name, and words the result.
package find

import (
	"cmp"
	"context"
	"io/fs"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/leftout"
	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// Params are the arguments of a search. tools.FindParams has the same fields and documents them.
type Params struct {
	Pattern string
	Path    string
	Limit   int
	Offset  int
	Type    string
	Sort    string
	Ignored bool
}

type Options struct {
	Config    config.Find
	Place     tree.Place
	First     leftout.First
	Corrected notice.Notice // says how the path was corrected
}

type Result struct {
	Text       string            // the shown results, and the notices
	List       truncation.Result // of the results; zero if there are none
	Entries    []tree.Entry      // the shown results
	Hits       tree.Hits         // shown results that git ignores
	Limit      int               // of the call if there are more results; else 0
	NextOffset int               // the offset to continue with; 0 if there is no more
	Left       leftout.Notes     // what was not searched
}

type Search struct {
	Options
	params Params
	start  workspace.Path
	tree   *tree.Tree
	glob   matcher
	byTime bool

	readings []glob.Reading // what the pattern may mean if there are no results
	meant    int            // the first reading with results, from 1; 0 if none has
	missed   *hint.Missed
	named    glob.Glob // the pattern as written
	in       string    // the directory that the pattern names and git ignores; "" for none

	list  *listing.List[tree.Entry]
	found results
	left  leftout.Notes
}

// matcher is a glob or one of its readings.
type matcher interface {
	Match(dir, name string) bool
	Dirs() bool
}

// New checks the arguments of a search of a directory.
func New(p Params, start workspace.Path, o Options) (*Search, error) {
	g, err := glob.Compile(start.Relative(p.Pattern))
	if err != nil {
		return nil, hint.BadGlob("pattern", p.Pattern, start, err)
	}
	s := &Search{Options: o, params: p, start: start, glob: g, named: g, byTime: p.Sort == "mtime",
		readings: glob.Readings(start.Relative(p.Pattern)),
		missed:   hint.NewMissed(g, p.Pattern, start, o.Place.Workspace.Resolve),
		list:     listing.New[tree.Entry](o.Config.MaxLines, o.Config.MaxBytes)}
	if s.byTime {
		if p.Offset >= maxByTime {
			return nil, fault.Errorf(fault.InvalidInput, "offset %d is beyond the %d results that sort=mtime gives. Use a "+
				"narrower pattern or path, or sort=path", p.Offset, maxByTime)
		}
		s.params.Limit = min(p.Limit, maxByTime-p.Offset)
		s.found = &byTime{list: s.list, offset: p.Offset, most: p.Offset + s.params.Limit}
		return s, nil
	}
	s.found = &inOrder{list: s.list, offset: p.Offset, limit: p.Limit}
	return s, nil
}

// Progress returns the results found so far, and the number of entries examined.
func (s *Search) Progress() (text truncation.Result, entries int) { return s.list.Progress() }

// Run searches. If ctx ends, it returns what it has found with the error.
func (s *Search) Run(ctx context.Context) (_ Result, err error) {
	if s.tree, err = s.Place.Open(s.start, s.params.Ignored, &s.left, s.wanted); err != nil {
		return Result{}, err
	}
	defer s.tree.Close()
	stats, err := s.tree.Walk(ctx, s.start.Abs, s.tree.Options, s.visit)
	if err == nil && s.enter() {
		stats, err = s.tree.Walk(ctx, s.start.Abs, s.tree.Options, s.visit)
	}
	if err == nil && s.reread() {
		stats, err = s.tree.Walk(ctx, s.start.Abs, s.tree.Options, s.visit)
	}
	s.tree.LeftOut(stats)
	if err != nil && ctx.Err() == nil {
		return Result{}, err
	}
	res, err := s.result(ctx.Err() == nil)
	return res, cmp.Or(ctx.Err(), err)
}

// wanted reports whether an entry that git ignores would be a result, or may contain some.
func (s *Search) wanted(e walk.Entry) bool {
	if e.Type.IsDir() && s.in == "" {
		if dir, name := s.tree.ShownEntry(e); s.named.Names(dir + name) {
			s.in = e.Path()
		}
	}
	return e.Type.IsDir() || s.params.Type != "dir" && !s.glob.Dirs() && s.glob.Match(s.tree.ShownEntry(e))
}

func (s *Search) visit(e walk.Entry) error {
	s.list.Visited.Add(1)
	dir := e.Type.IsDir()
	if s.tree.IsSpills(e) || dir && s.tree.All && s.in != "" && !near(e.Path(), s.in) {
		return fs.SkipDir
	}
	if dir && s.params.Type == "file" || !dir && (s.params.Type == "dir" || s.glob.Dirs()) {
		return nil
	}
	if shownDir, name := s.tree.ShownEntry(e); !s.glob.Match(shownDir, name) {
		if s.found.none() {
			s.miss(e, shownDir, name)
		}
		return nil
	}
	return s.found.add(s.tree, e)
}

// near reports whether a directory equals another one or is above or below it.
func near(dir, other string) bool {
	dir, other = dir+"/", other+"/"
	return strings.HasPrefix(dir, other) || strings.HasPrefix(other, dir)
}

// enter searches the ignored directory that the pattern names, if nothing was found elsewhere. It reports whether it
// did.
func (s *Search) enter() bool {
	if !s.found.none() || s.in == "" {
		return false
	}
	s.tree.All, s.left = true, leftout.Notes{}
	return true
}

// reread replaces a pattern that matches nothing by the first reading that matches. It reports whether there is one.
func (s *Search) reread() bool {
	if !s.found.none() || s.meant == 0 {
		return false
	}
	r := s.readings[s.meant-1]
	s.Corrected = notice.Join(s.Corrected, hint.Taken(s.params.Pattern, r))
	s.glob, s.readings, s.left = r, nil, leftout.Notes{}
	return true
}

// miss records which readings match an entry that the pattern does not match.
func (s *Search) miss(e walk.Entry, shownDir, name string) {
	for i, r := range s.readings {
		if s.meant > 0 && i >= s.meant-1 {
			break
		}
		if r.Match(shownDir, name) && (e.Type.IsDir() || !r.Dirs()) {
			s.meant = i + 1
		}
	}
	s.missed.Add(shownDir, name, func() string { return s.tree.Entry(e).String() })
}

// result returns what was found. Only a search that completed knows that there is nothing.
func (s *Search) result(ended bool) (Result, error) {
	res := Result{Left: s.left}
	if s.found.none() {
		if ended {
			res.Text = notice.NoFiles + s.missed.Hint("pattern")
		}
		left := s.left.None(s.First, ended)
		res.Text = notice.Append(res.Text, left, notice.IfRoom(s.Corrected, left))
		return res, nil
	}
	found, offset := s.found.end(), s.params.Offset
	if found.seen <= offset {
		return res, fault.Errorf(fault.InvalidInput, "offset %d is beyond the end: there are %d results", offset, found.seen)
	}
	res.Entries, res.List = s.list.Result()
	for _, e := range res.Entries {
		res.Hits.Add(e.Root, e.String())
	}
	next := offset + res.List.OutputLines
	more := found.more || found.seen > next
	if more && !(s.byTime && next == maxByTime) {
		res.NextOffset = next
	}
	if found.more {
		res.Limit = s.params.Limit
	}
	var total notice.Notice
	if s.byTime && more {
		total = notice.Total(next, found.seen, "results")
	}
	said := notice.Fit(s.limitReached(found.more), notice.ListLimit(res.List),
		notice.Continue(res.NextOffset, found.more && offset == 0), total, res.Hits.Notice(), s.Corrected)
	left := s.left.Found(s.First, ended && !found.ended, !ended, notice.Room(said...))
	res.Text = notice.Append(res.List.Text, append(said, left)...)
	return res, nil
}

// limitReached returns the notice for a search that found more than its limit; "" for others.
func (s *Search) limitReached(more bool) notice.Notice {
	offset, limit := s.params.Offset, s.params.Limit
	switch {
	case !more:
		return ""
	case s.byTime && offset+limit == maxByTime:
		return notice.Newest(maxByTime)
	}
	return notice.LimitReached{Limit: limit, One: "result", Many: "results", Refine: true, Continued: offset > 0}.Notice()
}
