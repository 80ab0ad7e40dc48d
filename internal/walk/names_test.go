package walk

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
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

// Names are compared as their small letters are, however long the beginning is that they
// have in common, and wherever letters stand that take more than a byte.
func TestCompareFold(t *testing.T) {
	letters := []string{"a", "A", "b", "Z", "_", "0", "é", "É", "\u212a", "ß", "\xff", "\x80"} // one is the Kelvin sign, whose small letter is k
	random := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	for i := range testkit.Some(100_000) {
		prefix := word(20)
		if i%2 == 0 { // what is read in pieces of eight
			prefix = strings.Repeat("abcdefgh", random.IntN(3)) + "abcdefgh"[:random.IntN(8)]
		}
		a, b := prefix+word(12), prefix+word(12)
		require.Equal(t, strings.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(compareFold(a, b), 0), "%q %q", a, b)
	}
}

// Of a directory of usual size, all names are known before its entries are judged; one with more is judged while it is
// read. Either way every hidden entry counts once, however often the directory is read.
func TestHides(t *testing.T) {
	for _, n := range []int{0, 1, 100, maxUnjudged - 1, maxUnjudged, maxUnjudged + 300} {
		for _, room := range []int{40 << 10, maxHeld} {
			dir, shown := t.TempDir(), []string{}
			for i := range n {
				name := fmt.Sprintf("%05d", i*7919%100_003)
				if i%10 == 3 {
					name = "h" + name
				} else {
					shown = append(shown, name)
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
			}
			slices.Sort(shown)
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			tree, asked := Open(root), 0
			tree.room = room
			tree.Hides = func(dir string, names iter.Seq[string]) (workspace.EntryHides, *workspace.UnreadError) {
				asked++
				require.Equal(t, ".", dir)
				require.True(t, room < maxHeld || (n < maxUnjudged) == (names != nil))
				if names != nil {
					require.Len(t, slices.Collect(names), n)
				}
				return func(name string, isDir bool) bool { return strings.HasPrefix(name, "h") }, &workspace.UnreadError{}
			}
			for range 2 {
				asked = 0
				var walked []string
				_, err = tree.Walk(context.Background(), dir, Options{}, func(e Entry) error {
					walked = append(walked, strings.Clone(e.Name))
					return nil
				})
				require.NoError(t, err)
				require.Equal(t, 1, asked)
				require.Equal(t, len(shown), len(walked))
				require.True(t, slices.Equal(shown, walked))
				require.Equal(t, n-len(shown), tree.Hidden)
				require.Equal(t, 1, tree.Unread.Dirs)
			}
			page, total, err := tree.Page(context.Background(), ".", CompareFold, len(shown)/2, 10)
			require.NoError(t, err)
			require.Equal(t, len(shown), total)
			for i, e := range page {
				require.Equal(t, shown[len(shown)/2+i], e.Name)
			}
			tree.Close()
		}
	}
}
