package pipeline_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/pipeline"
	"github.com/stretchr/testify/require"
)

func numbers(n int, emitted *atomic.Int64) func(func(int) bool) error {
	return func(emit func(int) bool) error {
		for i := range n {
			if !emit(i) {
				return nil
			}
			emitted.Add(1)
		}
		return nil
	}
}

func square() func(int) int {
	return func(n int) int {
		if n%7 == 0 {
			time.Sleep(time.Microsecond * time.Duration(n%50))
		}
		return n * n
	}
}

func TestOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 9, 1000} {
		var got []int
		err := pipeline.Run(t.Context(), numbers(n, new(atomic.Int64)), square, func(r int) bool {
			got = append(got, r)
			return true
		})
		require.NoError(t, err)
		require.Len(t, got, n)
		for i, r := range got {
			require.Equal(t, i*i, r)
		}
	}
}

func TestStopsEarly(t *testing.T) {
	before := runtime.NumGoroutine()
	var emitted atomic.Int64
	var got []int
	err := pipeline.Run(t.Context(), numbers(1_000_000, &emitted), square, func(r int) bool {
		got = append(got, r)
		return len(got) < 10
	})
	require.NoError(t, err)
	require.Len(t, got, 10)
	require.LessOrEqual(t, emitted.Load(), int64(10+2*pipeline.Ahead+pipeline.Workers()))
	// A goroutine is counted for a moment after it has said that it is done.
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := pipeline.Run(ctx, numbers(1_000_000, new(atomic.Int64)), square, func(int) bool {
		if n++; n == 5 {
			cancel()
		}
		return true
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestProducerFails(t *testing.T) {
	broken := errors.New("broken")
	n := 0
	err := pipeline.Run(t.Context(), func(emit func(int) bool) error {
		emit(1)
		emit(2)
		return broken
	}, square, func(int) bool { n++; return true })
	require.ErrorIs(t, err, broken)
	require.Equal(t, 2, n)
}

func TestPanics(t *testing.T) {
	boom := func(at string) func() {
		return func() {
			pipeline.Run(t.Context(), func(emit func(int) bool) error {
				for emit(1) {
					if at == "produce" {
						panic(at)
					}
				}
				return nil
			}, func() func(int) int {
				if at == "worker" {
					panic(at)
				}
				return func(int) int {
					if at == "work" {
						panic(at)
					}
					return 0
				}
			}, func(int) bool {
				if at == "collect" {
					panic(at)
				}
				return true
			})
		}
	}
	for _, at := range []string{"produce", "worker", "work", "collect"} {
		require.PanicsWithValue(t, at, boom(at))
	}
}
