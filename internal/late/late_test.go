package late

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A method that does not come back is left alone; one that does is waited for.
func TestLeave(t *testing.T) { synctest.Test(t, testLeave) }

func testLeave(t *testing.T) {
	const patience = 500 * time.Millisecond
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	stuck := Leave(patience, func(context.Context, int) (int, error) {
		<-never
		return 1, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	n, err := stuck(ctx, 0)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, n)

	gathers := Leave(patience, func(ctx context.Context, n int) (int, error) {
		<-ctx.Done()
		return n + 1, ctx.Err()
	})
	n, err = gathers(ctx, 1)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 2, n, "what was gathered")

	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		n, err = Leave(patience, func(_ context.Context, n int) (int, error) { return n, nil })(ctx, 3)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.PanicsWithValue(t, "oh", func() { _, _ = Leave(patience, func(context.Context, int) (int, error) { panic("oh") })(ctx, 0) })
	}
}
