package capture

import (
	"context"
	"io"

	"github.com/spillway-go/spillway/truncation"
)

// TakeUntil is Take up to the end of a line that a search found. It shows the last lines whatever the policy, except
// for a digest. Later output is left for the next call; left is its size. From a stream without the line, it takes
// everything so far. If the output cannot be read again, TakeUntil takes everything, like Take.
func (r *Reader) TakeUntil(ctx context.Context, m Match, lines int) (texts []Text, left int64, err error) {
	texts, left, err = r.takeUntil(ctx, m, lines)
	switch {
	case err == nil:
		return texts, left, nil
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	}
	texts, err = r.Take(ctx)
	return texts, 0, err
}

func (r *Reader) takeUntil(ctx context.Context, m Match, lines int) (texts []Text, left int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.out
	o.mu.Lock()
	ongoing, sizes := !o.complete, o.sizes()
	o.mu.Unlock()
	policy := o.Policy
	if policy.Strategy != truncation.Digest {
		policy.Strategy, policy.Unmarked = truncation.Tail, true
		if all := policy.Lines; all == 0 || int(all) > lines {
			policy.Lines = truncation.AtMost(lines)
		}
	}
	views := make([]*view, len(r.views))
	for i, old := range r.views {
		end := sizes[i]
		if i == m.stream {
			end = max(m.end, old.position.bytes) // another call may have taken the line
		}
		if !ongoing && old.position.bytes == sizes[i] {
			views[i] = old // its last line may have ended without a newline
		} else if views[i], err = r.again(ctx, i, policy, end); err != nil {
			return nil, 0, err
		}
	}
	o.mu.Lock()
	texts = o.show(views, policy.Limits, ongoing, false)
	o.mu.Unlock()
	for i := range texts {
		texts[i].Matched = true
		left += sizes[i] - views[i].read
	}
	return texts, left, r.install(views)
}

// again returns a view that begins where the reader was last, with the output up to an offset.
func (r *Reader) again(ctx context.Context, i int, policy truncation.Policy, end int64) (*view, error) {
	old := r.views[i].position
	v := newView(r.out.streams[i], policy)
	v.read, v.line, v.origin, v.base = old.from, old.from, old.from, old.over
	if err := r.readUpTo(ctx, v, old.bytes); err != nil {
		return nil, err
	}
	v.screen.Flush()
	v.base -= v.screen.Over() // the shown part is counted already
	v.screen.TakeMet()
	v.position = old
	v.begin(policy)
	return v, r.readUpTo(ctx, v, end)
}

// readUpTo adds the raw output up to an offset: from the published file, unless the reader is the first.
func (r *Reader) readUpTo(ctx context.Context, v *view, end int64) error {
	if r == r.out.first {
		return v.readFrom(ctx, readerAt(v.stream.readAt), end)
	}
	f, err := v.stream.Open(v.stream.path)
	if err != nil {
		return err
	}
	defer f.Close()
	return v.readFrom(ctx, f, end)
}

type readerAt func(p []byte, at int64) (int, error)

func (read readerAt) ReadAt(p []byte, at int64) (int, error) { return read(p, at) }

// install replaces the views of the reader. The first reader's views get what was printed in the meantime.
func (r *Reader) install(views []*view) error {
	o, ctx := r.out, context.Background()
	if r == o.first {
		o.mu.Lock()
		sizes := o.sizes()
		o.mu.Unlock()
		for i, v := range views {
			if err := r.readUpTo(ctx, v, sizes[i]); err != nil {
				return err
			}
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if r == o.first {
		sizes := o.sizes()
		for i, v := range views {
			if err := v.readFrom(ctx, readerAt(v.stream.read), sizes[i]); err != nil {
				return err
			}
		}
		for i, v := range views {
			o.streams[i].view = v
		}
	}
	r.views = views
	return nil
}

func (o *Output) sizes() (sizes [2]int64) {
	for i, s := range o.streams {
		sizes[i] = s.spill.Size()
	}
	return sizes
}

func (v *view) readFrom(ctx context.Context, source io.ReaderAt, end int64) error {
	buffer := make([]byte, min(64<<10, max(end-v.read, 0)))
	for v.read < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := source.ReadAt(buffer[:min(int64(len(buffer)), end-v.read)], v.read)
		if n == 0 {
			return err
		}
		v.write(buffer[:n])
	}
	return nil
}
