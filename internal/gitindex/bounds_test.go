package gitindex_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/gitindex"
)

// What an index can ask for is bounded, and what is not understood is an error: of each kind, one.
func TestBounds(t *testing.T) {
	shared := func(content string) func(string) (string, error) {
		return func(string) (string, error) { return content, nil }
	}
	never := func(string) (string, error) { t.Fatal("nothing is shared"); return "", nil }
	small := build(2, nil, "a")
	for name, test := range map[string]struct {
		content string
		shared  func(string) (string, error)
		want    error
	}{
		"too large":               {small + strings.Repeat("\x00", gitindex.MaxBytes), never, gitindex.ErrTooLarge},
		"shared, too large":       {build(2, []byte(strings.Repeat("x", 20))), shared(strings.Repeat("x", gitindex.MaxBytes)), gitindex.ErrTooLarge},
		"another version":         {strings.Replace(small, "\x02", "\x05", 1), never, gitindex.ErrUnknown},
		"an extension":            {strings.Replace(build(2, []byte{0}, "a"), "link", "need", 1), never, gitindex.ErrUnknown},
		"more entries than bytes": {small[:8] + "\xff\xff\xff\xff" + small[12:], never, gitindex.ErrMalformed},
		"nothing":                 {"", never, gitindex.ErrMalformed},
		"shared, which shares":    {build(2, []byte(strings.Repeat("x", 20))), shared(build(2, []byte(strings.Repeat("x", 20)))), gitindex.ErrMalformed},
		"replaced, but not there": {build(2, []byte(strings.Repeat("x", 20)+bitmap()+bitmap(1<<33, 1)), ""), shared(build(2, nil)), gitindex.ErrMalformed},
		"a bitmap without an end": {build(2, []byte(strings.Repeat("x", 20)+bitmap(1<<32-2)+bitmap())), shared(small), gitindex.ErrMalformed},
	} {
		_, err := gitindex.Read(test.content, gitindex.SHA1, test.shared)
		require.ErrorIs(t, err, test.want, name)
	}
	_, err := gitindex.FormatOf("md5")
	require.ErrorIs(t, err, gitindex.ErrUnknown)
}

// Paths that version 4 makes of a few bytes each are bounded together.
func TestPathBound(t *testing.T) {
	long := strings.Repeat("p", 64<<10)
	entry := build(2, nil, "")[12 : 12+62]
	head := "DIRC\x00\x00\x00\x04\x00\x00\x08\x00"
	content := head + entry + "\x00" + long + "\x00" + strings.Repeat(entry+"\x00x\x00", 1<<11-1) + strings.Repeat("\x00", 20)
	_, err := gitindex.Read(content, gitindex.SHA1, nil)
	require.ErrorIs(t, err, gitindex.ErrTooLarge)
	fits := "DIRC\x00\x00\x00\x04\x00\x00\x00\x08" + entry + "\x00" + long + "\x00" + strings.Repeat(entry+"\x00x\x00", 7) + strings.Repeat("\x00", 20)
	entries, err := gitindex.Read(fits, gitindex.SHA1, nil)
	require.NoError(t, err)
	require.Equal(t, long+"xxxxxxx", entries[7].Path)
}
