package search

import (
	"context"
	"errors"
	"io"
	"math"
)

type others []*worker

func (g *Group) others() (all others) {
	for _, m := range g.query.Also {
		q := g.query
		q.Matcher, q.Also, q.Around, q.Only, q.Count, q.Most = m, nil, Around{}, false, true, 1
		all = append(all, (&Group{query: q, bounds: g.bounds, large: g.large}).worker())
	}
	return all
}

// in reports whether a file has a match for each pattern. It reads the file once for each. If not, notUTF8 says that
// the file may hide non-ASCII text. printed is Query.Printed.
func (o others) in(ctx context.Context, f io.Reader, size int64, printed bool) (all, notUTF8 bool, err error) {
	for _, w := range o {
		w.printed = printed
		whole, ok := f.(io.ReaderAt)
		if !ok {
			return false, false, errors.ErrUnsupported
		}
		end := size
		if size == 0 { // the size is unknown
			end = math.MaxInt64
		}
		w.found = found{}
		if err := w.search(ctx, io.NewSectionReader(whole, 0, end), size, w.visit); err != nil || w.found.matches == 0 {
			return false, w.found.notUTF8, err
		}
	}
	return true, false, nil
}

// checkOthers drops what was found in a file that lacks a match for another pattern.
func (w *worker) checkOthers(ctx context.Context, f io.Reader, size int64) error {
	all, notUTF8, err := w.others.in(ctx, f, size, w.printed)
	if !all {
		w.found.lines, w.found.matches, w.found.more = nil, 0, false
		w.found.lacks, w.found.notUTF8 = err == nil, w.found.notUTF8 || notUTF8
	}
	return err
}
