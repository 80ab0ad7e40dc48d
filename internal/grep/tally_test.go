package grep

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A search goes on for a while once it has reached its limit, and says how much it has counted. The time is that of
// synctest: nothing here depends on how long anything takes.
func TestTally(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		many := func() int64 { return fewFiles }
		var few tally
		ctx, end := few.within(t.Context())
		few.reached(func() int64 { return fewFiles - 1 })
		time.Sleep(moreTime * 9)
		require.NoError(t, ctx.Err())
		time.Sleep(moreTime * 3)
		require.Error(t, ctx.Err())
		end()

		var whole tally
		ctx, end = whole.within(t.Context())
		defer end()
		whole.add("src/", "a/x", 3, 100)
		whole.reached(many)
		whole.add("src/", "a/y", 1, 100)
		whole.add("src/", "b/c/z", 9, 100)
		whole.add("src/", "top", 2, 100)
		require.NoError(t, whole.done(t.Context(), ctx.Err()))
		require.EqualValues(t, "There are 15 matches in all: src/b/ 9, src/a/ 4, src/ 2", whole.notice(3, "matches"))
		time.Sleep(2 * moreTime)
		require.NoError(t, ctx.Err(), "it was done in time")

		var part tally
		ctx, end = part.within(t.Context())
		defer end()
		part.add("", "x", 1, 100)
		part.add("", "x", 1, 100)
		time.Sleep(2 * moreTime)
		require.NoError(t, ctx.Err(), "the limit is not reached")
		part.reached(many)
		<-ctx.Done()
		require.NoError(t, part.done(t.Context(), ctx.Err()))
		require.Empty(t, part.notice(1, "matches"), "the limit says as much")
		part.add("", "y", 1, 100)
		require.EqualValues(t, "There are at least 3 matches in all", part.notice(1, "matches"))

		var capped tally
		_, end = capped.within(t.Context())
		defer end()
		for range 3 {
			capped.add("", "x", 1, 2)
		}
		capped.reached(many)
		capped.add("", "y", 1, 2)
		require.EqualValues(t, "There are at least 4 matches in all", capped.notice(1, "matches"), "of x no more were looked for")

		var cancelled tally
		outer, cancel := context.WithCancel(t.Context())
		ctx, end = cancelled.within(outer)
		defer end()
		cancelled.reached(many)
		cancel()
		require.ErrorIs(t, cancelled.done(outer, ctx.Err()), context.Canceled)
	})
}
