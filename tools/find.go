package tools

import (
	"cmp"
	"context"

	"github.com/spillway-go/spillway/internal/find"
	"github.com/spillway-go/spillway/internal/hint"
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

// FindResult is the result of find. Its Text is the paths and notices.
type FindResult struct {
	Shown

	Entries []FindEntry `json:"-"` // the entries in Text

	Truncation   *truncation.Result `json:"truncation,omitempty"`         // set if MaxBytes or MaxLines cut the list
	LimitReached int                `json:"resultLimitReached,omitempty"` // the limit, if there are more results; else 0
	NextOffset   int                `json:"nextOffset,omitempty"`         // where to continue, 0 if there is no more
	Unreadable   int                `json:"unreadable,omitempty"`         // directories that could not be read
	Ignored      int                `json:"ignored,omitempty"`            // entries left out because git ignores them; a directory counts once, and a file only if it matches
	IgnoredHits  int                `json:"ignoredHits,omitempty"`        // results that git ignores
	Hidden       int                `json:"hidden,omitempty"`             // entries that Config.Hidden or HiddenFile hides
	RulesCut     int                `json:"rulesCut,omitempty"`           // ignore files of which only the first lines were applied
}

// FindEntry is one entry of a result.
type FindEntry struct {
	Path    string // exact, never quoted, with a slash behind a directory; the text quotes one with odd characters
	Ignored bool   // git ignores it; the search finds it only with the argument ignored
}

func (s *searches) find(ctx context.Context, p FindParams) (FindResult, error) {
	start, err := s.paths.resolve(ctx, p.Path)
	if err != nil {
		return FindResult{}, err
	}
	p.Limit, p.Offset = min(cmp.Or(p.Limit, s.cfg.Find.Limit), maxCount), min(p.Offset, maxCount)
	search, err := find.New(find.Params(p), start, find.Options{
		Config: s.cfg.Find, Place: s.paths.Place, First: s.first(ctx, start.Abs), Corrected: hint.Corrected(start),
	})
	if err != nil {
		return FindResult{}, err
	}
	defer watch(ctx, "find", listed(search.Progress))()
	found, err := search.Run(ctx)
	res := findResult(found)
	if err != nil {
		return res, failure(err, start.Name)
	}
	return res, nil
}

func findResult(found find.Result) FindResult {
	res := FindResult{
		Shown: Shown{Text: found.Text}, LimitReached: found.Limit, NextOffset: found.NextOffset, Unreadable: found.Left.Unreadable,
		Ignored: found.Left.Ignored, IgnoredHits: found.Hits.Count, RulesCut: found.Left.Rules,
		Hidden: found.Left.Hidden,
	}
	for _, e := range found.Entries {
		res.Entries = append(res.Entries, FindEntry{Path: e.Name(), Ignored: e.Root != ""})
	}
	if len(found.Entries) > 0 {
		res.Truncation = res.set(found.List)
		res.limited = found.Limit > 0
	}
	return res
}
