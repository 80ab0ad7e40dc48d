package told

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSet(t *testing.T) {
	require.Equal(t, SetOf("a", "b"), SetOf("b", "a"))
	require.NotEqual(t, SetOf("a", "b"), SetOf("a", "c"))
	require.NotEqual(t, SetOf("a"), SetOf("a", ""))
	require.NotEqual(t, SetOf("ab"), SetOf("a", "b"))
}

func TestFirst(t *testing.T) {
	var s Store
	m := Message{Reader: "r", Path: "p", Kind: "k", Set: SetOf("a")}
	require.False(t, s.Knows(m))
	require.True(t, s.First(m))
	require.False(t, s.First(m))
	require.True(t, s.Knows(m))
	for _, other := range []Message{
		{"x", "p", "k", m.Set}, {"r", "x", "k", m.Set}, {"r", "p", "x", m.Set}, {"r", "p", "k", SetOf("b")},
		{"rp", "", "k", m.Set}, {"r", "pk", "", m.Set},
	} {
		require.True(t, s.First(other), "%v", other)
	}
	s.Drop(m)
	require.False(t, s.Knows(m))
	require.True(t, s.First(m))
	s.ForgetReader("x")
	require.False(t, s.First(m))
	require.True(t, s.First(Message{"x", "p", "k", m.Set}))
	s.ForgetReader("r")
	require.True(t, s.First(m))
	s.Forget()
	require.True(t, s.First(m))
}

// TestStoreIsBounded: the store holds the messages told last, maxHeld of them, also if some were dropped and told again.
func TestStoreIsBounded(t *testing.T) {
	var s Store
	message := func(i int) Message { return Message{Path: fmt.Sprint(i)} }
	again := message(0)
	for i := range 3 * maxHeld {
		require.True(t, s.First(message(i)))
		if i == maxHeld/2 {
			s.Drop(again)
			require.True(t, s.First(again)) // its first slot holds nothing now
		}
		if i == maxHeld+1 {
			require.False(t, s.First(again))
		}
		require.LessOrEqual(t, len(s.slots), maxHeld)
		require.LessOrEqual(t, len(s.order), maxHeld)
	}
	require.False(t, s.First(message(2*maxHeld)))
	require.True(t, s.First(message(2*maxHeld-1)))
}

func TestOneOfSeveralIsFirst(t *testing.T) {
	var s Store
	var first atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 100 {
				if s.First(Message{Path: fmt.Sprint(n)}) {
					first.Add(1)
				}
				s.ForgetReader(fmt.Sprint(i))
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 100, first.Load())
}
