package files_test

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// byteCase is a file, the edit of it, and what must be around the edit afterwards: the same bytes.
type byteCase struct {
	name          string
	front, behind string // of the place, in the file
	was, becomes  string // the place, in the file
	old, new      string // the call
	refused       bool   // the file must stay as it is
}

func inUTF16(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// byteCases are contents that editors have been seen to destroy.
func byteCases() []byteCase {
	le := func(text string) string { return inUTF16(binary.LittleEndian, text) }
	be := func(text string) string { return inUTF16(binary.BigEndian, text) }
	same := func(name, front, old, new, behind string) byteCase {
		return byteCase{name: name, front: front, behind: behind, was: old, becomes: new, old: old, new: new}
	}
	return []byteCase{
		same("LF", "one\n", "two\n", "2\nzwei\n", "three\n"),
		{name: "CRLF", front: "one\r\n", was: "two\r\nthree\r\n", becomes: "2\r\nzwei\r\nthree\r\n", behind: "four\r\n", old: "two\nthree\n", new: "2\nzwei\nthree\n"},
		{name: "mixed endings", front: "one\r\n\n", was: "two\nthree\r\n", becomes: "2\nthree\r\n", behind: "four\n\r\n", old: "two\nthree\n", new: "2\nthree\n"},
		{name: "CR alone", front: "one\r", was: "two\rthree", becomes: "2\rzwei\rthree", behind: "\rfour\r", old: "two\nthree", new: "2\nzwei\nthree"},
		same("UTF-8 with a mark", "\xef\xbb\xbfone\n", "two", "zwö", "\nthree\n"),
		same("no final newline", "one\n", "two", "2", ""),
		{name: "UTF-16LE", front: "\xff\xfe" + le("one€\r\n"), was: le("two\r\nthree"), becomes: le("2\r\n😀\r\nthree"), behind: le("\r\n😀\r\n"), old: "two\nthree", new: "2\n😀\nthree"},
		{name: "UTF-16BE", front: "\xfe\xff" + be("one€\n"), was: be("two"), becomes: be("zwö"), behind: be("\nthree"), old: "two", new: "zwö"},
		{name: "UTF-16 with half a character and an odd byte", front: "\xff\xfe\x00\xd8" + le("one\n"), was: le("two"), becomes: le("2"), behind: "\x00\xdc\n", old: "two", new: "2"},
		same("bytes that are not UTF-8", "äöüß€ \xff\xfe\n", "two", "zwö", " \xc3\x28\x80\n"),
		same("Latin-1", "caf\xe9\n", "two", "2", " na\xefve\n"),
		{name: "Latin-1 and new text", front: "caf\xe9\n", was: "two", becomes: "zw\xf6", behind: " na\xefve\n", old: "two", new: "zwö"},
		{name: "Latin-1 and new text that it has no byte for", front: "caf\xe9\n", was: "two", behind: " na\xefve\n", old: "two", new: "☃", refused: true},
		{name: "new text in what may not be Latin-1", front: "caf\xe9\x81\n", was: "two", behind: " na\xefve\n", old: "two", new: "zwö", refused: true},
		same("Shift JIS", "\x93\xfa\x96\x7b\x8c\xea\n", "two", "2", "\x83\x65\x83\x58\x83\x67\n"),
		same("NUL", strings.Repeat("one\n", 3000)+"\x00\n", "two", "2", "\x00\n"),
		same("signs that replacing gives a meaning", "one $& \\0\n", "$1 (two) .*", `$1 ${x} \1 & \n $$`, " %s\n"),
		{name: "spaces at line ends, quotes that are curled, accents in two parts", front: "“one”  \ncafe\u0301\t\n", was: "two \t\n", becomes: "2 \t\n", behind: "“three”  \ncafe\u0301 \n",
			old: "two\n", new: "2\n"},
		{name: "two places", front: "one\n", was: "two two", behind: "\n", old: "two", new: "2", refused: true},
	}
}

// metaCase is what must stay besides the content: make does it to a file, which is edited by the name that it
// returns, and check looks whether it is still so.
type metaCase struct {
	name  string
	make  func(t *testing.T, file string) (name string)
	check func(t *testing.T, file string)
}

func modeCase(mode fs.FileMode) metaCase {
	return metaCase{
		name: fmt.Sprintf("%o", mode.Perm()|mode&fs.ModeSetuid>>12),
		make: func(t *testing.T, file string) string {
			need.Modes(t)
			require.NoError(t, os.Chmod(file, mode))
			return filepath.Base(file)
		},
		check: func(t *testing.T, file string) {
			info := testkit.Must(t, os.Lstat, file)
			require.Equal(t, mode, info.Mode())
		},
	}
}

// metaCases are those of every system; the system's own come to them.
var metaCases = []metaCase{
	modeCase(0o644), modeCase(0o755), modeCase(0o600),
	{"a symbolic link", func(t *testing.T, file string) string {
		need.Symlink(t, "target", filepath.Join(filepath.Dir(file), "link"))
		require.NoError(t, os.Rename(file, filepath.Join(filepath.Dir(file), "target")))
		require.NoError(t, os.Rename(filepath.Join(filepath.Dir(file), "link"), file))
		return filepath.Base(file)
	}, func(t *testing.T, file string) {
		require.Equal(t, "target", testkit.Must(t, os.Readlink, file))
	}},
	{"a hard link", func(t *testing.T, file string) string {
		if err := os.Link(file, file+".2"); err != nil {
			t.Skip("no hard links here: ", err)
		}
		return filepath.Base(file)
	}, func(t *testing.T, file string) {
		one := testkit.Must(t, os.Stat, file)
		two := testkit.Must(t, os.Stat, file+".2")
		require.True(t, os.SameFile(one, two))
	}},
}

// Every content in every kind of file: an edit changes the bytes that it is about, and nothing else.
func TestEditMatrix(t *testing.T) {
	t.Parallel()
	for _, meta := range append(metaCases, systemMeta...) {
		t.Run(meta.name, func(t *testing.T) {
			dir := t.TempDir()
			s := newSuite(t, config.Config{Workspace: dir}, nil)
			for i, c := range byteCases() {
				t.Run(c.name, func(t *testing.T) {
					at := filepath.Join(dir, fmt.Sprint(i))
					require.NoError(t, os.Mkdir(at, 0o700))
					file := filepath.Join(at, "file")
					require.NoError(t, os.WriteFile(file, []byte(c.front+c.was+c.behind), 0o644))
					name := meta.make(t, file)
					res := call(t, s, "edit", map[string]any{"path": fmt.Sprint(i) + "/" + name, "old_string": c.old, "new_string": c.new})
					want := c.front + c.becomes + c.behind
					if c.refused {
						want = c.front + c.was + c.behind
					}
					require.Equal(t, c.refused, res.IsError, res.Text)
					require.Equal(t, want, testkit.ReadFile(t, file))
					meta.check(t, file)
				})
			}
		})
	}
}
