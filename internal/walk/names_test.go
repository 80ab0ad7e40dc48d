package walk

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kinds are types of entries, with each type bit in one of them.
var kinds = []fs.FileMode{
	0, fs.ModeDir, fs.ModeSymlink, fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice,
	fs.ModeDevice | fs.ModeCharDevice, fs.ModeIrregular, fs.ModeType,
}

// entriesOf is a copy of what is in n, in its order.
func entriesOf(n *names) (entries []Dirent) {
	for _, at := range n.order {
		e := n.entry(at)
		entries = append(entries, Dirent{strings.Clone(e.Name), e.Type})
	}
	return entries
}

// Names of every length, with every type, are as they were added, also when some of them
// have gone and others have come.
func TestNames(t *testing.T) {
	var n names
	var want []Dirent
	for i := range 3000 {
		want = append(want, Dirent{strings.Repeat(string(rune('a'+i%26)), i), kinds[i%len(kinds)]})
	}
	want = append(want, Dirent{strings.Repeat("long", 40_000), fs.ModeDir}, Dirent{"behind", 0})
	for _, e := range want {
		n.add(e)
	}
	require.Equal(t, want, entriesOf(&n))
	chunks := len(n.chunks)
	for _, every := range []int{2, 3, 5, 7} {
		var left []Dirent
		var order []uint32
		for i := 0; i < len(want); i += every {
			left, order = append(left, want[i]), append(order, n.order[i])
		}
		slices.Reverse(order)
		n.order = order
		n.compact()
		require.Equal(t, left, entriesOf(&n), every)
		want = append(left, Dirent{fmt.Sprint("more", every), fs.ModeSymlink})
		n.add(want[len(left)])
		require.Equal(t, want, entriesOf(&n), every)
		require.Len(t, n.chunks, chunks, "there is room where others were")
	}
}

// Entries fill a chunk to its last byte, and the next one is taken for what does not fit.
func TestNamesFillChunks(t *testing.T) {
	var n names
	var want []Dirent
	for size := smallChunk; size <= smallChunk<<doublings; size *= 2 {
		for left := size; left > 0; {
			length := min(left, 100)
			if left-length < headBytes { // there is no room for another
				length = left
			}
			want = append(want, Dirent{strings.Repeat("x", length-headBytes), kinds[left%len(kinds)]})
			n.add(want[len(want)-1])
			left -= length
		}
		for i, chunk := range n.chunks {
			require.Equal(t, smallChunk<<i, len(chunk))
			require.Equal(t, smallChunk<<i, cap(chunk))
		}
		require.Equal(t, size, len(n.chunks[n.last]))
	}
	require.Len(t, n.chunks, doublings+1)
	n.add(Dirent{})
	require.Equal(t, smallChunk<<doublings, cap(n.chunks[doublings+1]), "no chunk is larger")
	require.Equal(t, append(want, Dirent{}), entriesOf(&n))
	require.Equal(t, (2*smallChunk<<doublings)-smallChunk+headBytes+orderBytes*len(n.order), n.held)
}

// A listing has the first of the entries that were added, in order: all for which there is
// room, and as many as are wanted.
func FuzzListing(f *testing.F) {
	f.Add([]byte("\x03\x07\x00\xff\x10"), uint16(2000), uint16(0))
	f.Add([]byte("many entries, few wanted"), uint16(60000), uint16(10))
	f.Add([]byte{}, uint16(600), uint16(3))
	f.Fuzz(func(t *testing.T, lengths []byte, room, most uint16) {
		l := listing{compare: compare, room: 600 + int(room), most: int(most)} // room for two of the longest
		var all []Dirent
		for i := range 30 * len(lengths) {
			length := int(lengths[i%len(lengths)])
			name := fmt.Sprint(i*7919%100_003, "-") + strings.Repeat("x", length)
			e := Dirent{name, kinds[(i+length)%len(kinds)]}
			all = append(all, e)
			l.add(e)
			require.NoError(t, l.shrink(t.Context()))
			require.LessOrEqual(t, l.held, l.room)
		}
		keep := len(l.order)
		if most > 0 {
			keep = min(keep, int(most))
		}
		require.NoError(t, l.cut(t.Context(), keep))
		slices.SortFunc(all, compare)
		got := entriesOf(&l.names)
		require.Equal(t, len(all), l.total)
		require.Equal(t, l.more, len(got) < len(all))
		require.True(t, slices.Equal(all[:len(got)], got))
		if l.more {
			require.Equal(t, got[len(got)-1], l.bound)
		}
		if len(all) > 0 {
			require.NotEmpty(t, got)
		}
	})
}
