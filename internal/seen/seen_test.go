package seen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStore(t *testing.T) {
	var s Store
	require.Nil(t, s.Latest("a"))
	a := []byte("one")
	s.Put("a", Version{Sum: SumOf(a), Content: a})
	v := s.Latest("a", "b")
	require.Equal(t, "one", string(v.Content))
	require.True(t, v.Is(SumOf([]byte("one")), nil))
	require.False(t, v.Is(SumOf([]byte("two")), nil))
	require.False(t, v.Is(Sum{}, nil))
	s.Put("a", Version{})
	v = s.Latest("a")
	require.False(t, v.Is(SumOf(nil), nil), "an empty file is not none")
	require.True(t, v.Is(Sum{}, nil))
	s.Put("b", Version{Content: a})
	for range 2 {
		require.Nil(t, s.Latest("a").Content)
		require.NotNil(t, s.Latest("a", "b").Content, "it was put later, and not only used")
		require.NotNil(t, s.Latest("b", "a").Content)
	}
}

// What is held is bounded, whatever the number of files, their size and the length of paths.
func TestStoreIsBounded(t *testing.T) {
	for _, size := range []int{0, 1000, maxContent, maxContent + 1} {
		var s Store
		content := make([]byte, size)
		s.Put("first", Version{})
		for i := range 2 * maxHeld / entrySize {
			s.Put(fmt.Sprint(i), Version{Content: content})
			s.Latest("first")
			require.LessOrEqual(t, s.held, maxHeld)
		}
		require.NotNil(t, s.Latest("first"), "it was used")
		require.Nil(t, s.Latest("0"))
		sum := 0
		for at := s.order.Front(); at != nil; at = at.Next() {
			sum += at.Value.(entry).size()
		}
		require.Equal(t, sum, s.held)
		require.Len(t, s.files, s.order.Len())
	}
}

func TestRecorder(t *testing.T) {
	for _, size := range []int{0, 1, maxContent, maxContent + 1} {
		content := bytes.Repeat([]byte("x"), size)
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		info, err := f.Stat()
		require.NoError(t, err)

		r := Record(f, info)
		buf := make([]byte, 8192)
		r.ReadAt(buf[:min(size, 100)], 0) // to see what it is
		for at := 0; at < size; {
			n, _ := r.ReadAt(buf, int64(at))
			at += n
		}
		r.ReadAt(buf, int64(size/2))
		v := r.Version()
		require.Equal(t, SumOf(content), v.Sum)
		require.True(t, v.Is(SumOf(content), info))
		require.Equal(t, size <= maxContent, len(v.Content) == size)

		if size > 1 { // a gap
			r = Record(f, info)
			r.ReadAt(buf[:1], int64(size-1))
			v = r.Version()
			require.True(t, v.Is(Sum{}, info))
			require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)))
			later, err := os.Stat(path)
			require.NoError(t, err)
			require.False(t, v.Is(Sum{}, later))
			require.False(t, v.Is(Sum{}, nil))
		}
	}
}
