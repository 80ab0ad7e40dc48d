package listing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type item string

func (i item) String() string { return string(i) }

func TestList(t *testing.T) {
	for _, test := range []struct {
		name               string
		maxLines, maxBytes int
		items              []item
		shown              int
		text               string
		full               bool
	}{
		{"empty", 3, 100, nil, 0, "", false},
		{"all", 3, 100, []item{"a", "b", "c"}, 3, "a\nb\nc", false},
		{"too many lines", 2, 100, []item{"a", "b", "c", "d"}, 2, "a\nb", true},
		{"exactly the bytes", 9, 5, []item{"aa", "bb"}, 2, "aa\nbb", false},
		{"too many bytes", 9, 5, []item{"aa", "bbb", "c"}, 1, "aa", true},
		{"one line that does not fit", 9, 8, []item{"abcdefghijkl"}, 1, "abcde...", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := New[item](test.maxLines, test.maxBytes)
			l.Grow(len(test.items))
			for range 2 {
				for _, i := range test.items {
					l.Visited.Add(1)
					require.Equal(t, !l.Add(i), l.Full())
				}
				require.Equal(t, test.full, l.Full())
				shown, text := l.Result()
				require.Equal(t, test.items[:test.shown], shown)
				require.Equal(t, test.text, text.Text)
				require.LessOrEqual(t, len(text.Text), test.maxBytes)
				require.Equal(t, len(strings.Join(strs(test.items), "\n")), text.TotalBytes)
				require.LessOrEqual(t, len(l.Items()), test.shown+1)
				_, visited := l.Progress()
				require.Equal(t, len(test.items), visited)
				l.Reset()
				require.False(t, l.Full())
			}
		})
	}
}

func strs(items []item) (list []string) {
	for _, i := range items {
		list = append(list, string(i))
	}
	return list
}
