package quickjs

import "sync/atomic"

// control is what the code of QuickJS asks at the head of each loop, before it recurses without a frame on its own stack,
// and when it wants more memory.
type control struct {
	stop    atomic.Bool
	pages   int64 // the most, of 64 KiB
	refused bool  // there was no page left
	depth   int   // of calls that take none of the engine's own stack
}

// trap is what ends the code of QuickJS from within. The engine is of no use afterwards.
type trap struct{ err error }

func (c *control) stopped() { panic(trap{ErrStopped}) }

// maxDepth bounds what Go's stack grows to for functions that keep nothing on the engine's own: a level of the largest
// takes 1 KiB.
const maxDepth = 20_000

func (c *control) enter() {
	if c.depth++; c.depth > maxDepth {
		panic(trap{ErrDepth})
	}
}

func (m *module) grow(delta int64) int64 {
	old := memory_grow(&m.memory, delta, m.pages)
	if old < 0 {
		m.refused = true
	}
	return old
}
