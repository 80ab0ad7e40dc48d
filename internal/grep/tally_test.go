package grep

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A search that has reached its limit goes on for as long as it took, and says how much it has counted if that is all.
// The time is that of synctest: nothing here depends on how long anything takes.
func TestTally(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		few, many := func() bool { return true }, func() bool { return false }
		var little tally
		ctx, end := little.within(t.Context())
		little.reached(few)
		time.Sleep(fewTime - moreTime)
		require.NoError(t, ctx.Err())
		time.Sleep(moreTime * 2)
		require.Error(t, ctx.Err())
		end()

		for took, goesOn := range map[time.Duration]time.Duration{
			time.Millisecond: time.Millisecond, moreTime: moreTime, time.Minute: moreTime,
		} {
			var long tally
			ctx, end = long.within(t.Context())
			time.Sleep(took)
			long.reached(many)
			time.Sleep(goesOn - time.Nanosecond)
			require.NoError(t, ctx.Err(), took)
			time.Sleep(2 * time.Nanosecond)
			require.Error(t, ctx.Err(), took)
			end()
		}

		var whole tally
		ctx, end = whole.within(t.Context())
		defer end()
		whole.add("src/", "a/x", 3, 100)
		time.Sleep(moreTime)
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
		part.add("", "y", 1, 100)
		require.NoError(t, part.done(t.Context(), ctx.Err()))
		require.Empty(t, part.notice(1, "matches"), "the total is not known")

		var capped tally
		_, end = capped.within(t.Context())
		defer end()
		for range 3 {
			capped.add("", "x", 1, 2)
		}
		capped.reached(many)
		require.Empty(t, capped.notice(1, "matches"), "of x no more were looked for")

		var cancelled tally
		outer, cancel := context.WithCancel(t.Context())
		ctx, end = cancelled.within(outer)
		defer end()
		cancelled.reached(many)
		cancel()
		require.ErrorIs(t, cancelled.done(outer, ctx.Err()), context.Canceled)
	})
}
