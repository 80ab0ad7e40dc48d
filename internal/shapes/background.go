package shapes

// batch is how many bytes are looked at in the background at a time. Less than that is looked at by Report.
const batch = 32 << 10

// Background is a [Finder] that looks at lines while its caller goes on: what is written is copied, and looked at by
// another goroutine, which lasts until it has looked at one batch. It needs no end. Its zero value is ready for use, by
// one goroutine at a time.
type Background struct {
	finder  Finder
	filling []byte        // what was written since the last batch
	spare   []byte        // the batch that is being looked at, or room for one
	looking chan struct{} // gets a value once that is done; nil if nothing is being looked at
	failure any           // with which looking panicked
}

// Write copies p, waits if a whole batch is ahead of what was looked at, and never fails.
func (b *Background) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if b.filling == nil {
			b.filling = make([]byte, 0, batch)
		}
		free := min(batch-len(b.filling), len(p))
		b.filling = append(b.filling, p[:free]...)
		p = p[free:]
		if len(b.filling) == batch {
			b.start()
		}
	}
	return n, nil
}

// start begins to look at a whole batch.
func (b *Background) start() {
	b.wait()
	b.filling, b.spare = b.spare[:0], b.filling
	b.looking = make(chan struct{}, 1)
	go func() {
		defer func() {
			b.failure = recover()
			b.looking <- struct{}{}
		}()
		b.finder.Write(b.spare)
	}()
}

// wait waits until the batch was looked at. A panic of that is the caller's.
func (b *Background) wait() {
	if b.looking == nil {
		return
	}
	<-b.looking
	if b.looking = nil; b.failure != nil {
		panic(b.failure)
	}
}

// Report is like [Finder.Report]. The report of nil is empty.
func (b *Background) Report() (r Report) {
	if b == nil {
		return r
	}
	b.wait()
	b.finder.Write(b.filling)
	b.filling = b.filling[:0]
	return b.finder.Report()
}
