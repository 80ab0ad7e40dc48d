package tools

import (
	"cmp"
	"context"
	"io/fs"
	"path"

	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const lsDescription = `List a directory: one name per line, including dotfiles, sorted ignoring ` +
	`case; directories end in /. ` +
	`Shows at most {Ls.Limit} entries or {Ls.MaxBytes}; a notice says how to get more.`

// LsParams are the arguments of ls. None is required.
type LsParams struct {
	Path   string `json:"path,omitempty" jsonschema:"directory to list; default the workspace"`
	Limit  int    `json:"limit,omitempty" jsonschema:"maximum number of entries to show; default {Ls.Limit}"`
	Offset int    `json:"offset,omitempty" jsonschema:"entries to skip; default 0"`
}

// LsResult is the result of ls. Its Text is the names and notices.
type LsResult struct {
	Shown

	Names []string `json:"-"` // exact, never quoted, with a slash behind a directory; the text quotes one with odd characters

	Truncation   *truncation.Result `json:"truncation,omitempty"`        // set if MaxBytes or MaxLines cut the list
	LimitReached int                `json:"entryLimitReached,omitempty"` // the limit, if there are more entries; else 0
	NextOffset   int                `json:"nextOffset,omitempty"`        // where to continue, 0 if there is no more
	TotalEntries int                `json:"totalEntries"`                // entries of the directory
	Unreadable   int                `json:"unreadable,omitempty"`        // entries whose type could not be read
	Hidden       int                `json:"hidden,omitempty"`            // entries that Config.Hidden or HiddenFile hides
}

func (s *searches) ls(ctx context.Context, p LsParams) (LsResult, error) {
	start, err := s.paths.resolve(ctx, p.Path)
	if err != nil {
		return LsResult{}, err
	}
	dir, err := start.OpenDir()
	if err != nil {
		return LsResult{}, failure(err, start.Name)
	}
	walked := s.paths.Place.Walked(dir, start.Abs)
	defer walked.Close()
	limit, offset := min(cmp.Or(p.Limit, s.cfg.Ls.Limit), maxCount), min(p.Offset, maxCount)
	page, total, err := walked.Page(ctx, ".", walk.CompareFold, offset, limit)
	res := LsResult{TotalEntries: total, Hidden: walked.Hidden}
	skipped := notice.Skipped{Hidden: res.Hidden, Unread: tree.UnreadOf(walked)}
	switch {
	case ctx.Err() != nil:
		return LsResult{}, failure(ctx.Err(), start.Name)
	case err != nil && total == 0:
		return LsResult{}, failure(err, start.Name)
	case err != nil:
		res.Unreadable = 1
	case total == 0 && unknown(walked.Unread):
		return LsResult{}, failure(walked.Unread.First, start.Name)
	case total == 0:
		res.Text = notice.Append(notice.EmptyDirectory, skipped.Notice(), hint.Corrected(start))
		return res, nil
	}
	if offset >= total {
		return LsResult{TotalEntries: total}, errorf(CodeInvalidInput, "offset %d is beyond the end: the directory has %d "+
			"entries", offset, total)
	}
	shown := listing.New[tree.Entry](s.cfg.Ls.MaxLines, s.cfg.Ls.MaxBytes)
	shown.Grow(len(page))
	for _, e := range page {
		if !shown.Add(shownEntry(s.paths.Workspace, start.Name, e)) {
			break
		}
		if err := ctx.Err(); err != nil {
			return LsResult{}, failure(err, start.Name)
		}
	}
	entries, text := shown.Result()
	var reached notice.Notice
	if total > offset+limit {
		res.LimitReached = limit
		reached = notice.LimitReached{Limit: limit, One: "entry", Many: "entries", Continued: offset > 0}.Notice()
	}
	res.Truncation = res.set(text)
	res.Names = make([]string, 0, len(entries))
	for _, e := range entries {
		res.Names = append(res.Names, e.Name())
	}
	res.limited = res.LimitReached > 0
	if next := offset + text.OutputLines; next < total {
		res.NextOffset = next
	}
	skipped.Unreadable = res.Unreadable
	res.Text = notice.Append(text.Text, reached, notice.ListLimit(text),
		notice.Continue(res.NextOffset, reached != "" && offset == 0), notice.Total(res.NextOffset, total, "entries"),
		skipped.Notice(), hint.Corrected(start))
	return res, nil
}

// unknown reports whether the rules of a directory cannot be read, so that everything in it counts as hidden.
func unknown(unread walk.Unread) bool { return unread.First != nil && unread.First.Unknown }

// shownEntry returns an entry for a list, where a link to a directory looks like a directory.
func shownEntry(ws *workspace.Workspace, dir string, e walk.Dirent) tree.Entry {
	if e.Type&fs.ModeSymlink != 0 {
		if target, err := ws.Resolve(path.Join(dir, e.Name)); err == nil {
			if info, err := target.Stat(); err == nil {
				e.Type = info.Mode()
			}
		}
	}
	return tree.Entry{Path: e.Name, Dir: e.Type.IsDir()}
}
