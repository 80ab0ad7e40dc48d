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
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	n, err := Leave(ctx, patience, func(context.Context) (int, error) {
		<-never
		return 1, nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, n)

	n, err = Leave(ctx, patience, func(ctx context.Context) (int, error) {
		<-ctx.Done()
		return 2, ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 2, n, "what was gathered")

	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		n, err = Leave(ctx, patience, func(context.Context) (int, error) { return 3, nil })
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.PanicsWithValue(t, "oh", func() { _, _ = Leave(ctx, patience, func(context.Context) (int, error) { panic("oh") }) })
	}
}
