package gitindex_test

import (
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/stretchr/testify/require"
)

// build returns an index of a version with paths, the last of which replaces one of a shared index if link is not nil.
func build(version uint32, link []byte, paths ...string) string {
	b := append([]byte("DIRC"), binary.BigEndian.AppendUint32(nil, version)...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(paths)))
	for i, path := range paths {
		from := len(b)
		b = append(b, make([]byte, 40)...)
		b[from+24+2], b[from+24+3], b[from+39] = 0o100644>>8, 0o100644&0xff, byte(i)
		b = append(b, make([]byte, 20)...)
		b = binary.BigEndian.AppendUint16(b, uint16(len(path)))
		b = append(b, path...)
		b = append(b, make([]byte, 8-(len(b)-from)%8)...)
	}
	if link != nil {
		b = append(append(b, "link"...), binary.BigEndian.AppendUint32(nil, uint32(len(link)))...)
		b = append(b, link...)
	}
	sum := sha1.Sum(b)
	return string(append(b, sum[:]...))
}

// bitmap returns a compressed bitmap of words.
func bitmap(words ...uint64) string {
	b := binary.BigEndian.AppendUint32(nil, 2)
	b = binary.BigEndian.AppendUint32(b, uint32(len(words)))
	for _, word := range words {
		b = binary.BigEndian.AppendUint64(b, word)
	}
	return string(binary.BigEndian.AppendUint32(b, 0))
}

// FuzzRead reads any bytes. What it reads without an error, git reads as the same, if it reads it at all; errors are of
// three kinds; and no more paths are kept than the bounds allow.
func FuzzRead(f *testing.F) {
	bitmaps := func(words ...uint64) []byte {
		return []byte("01234567890123456789" + bitmap(words...) + bitmap(words...))
	}
	f.Add(build(2, nil, "a", "b/c"), "")
	f.Add(build(2, bitmaps(1<<33, 1), "", "b/c"), build(2, nil, "x", "y"))
	f.Add(build(2, bitmaps(1<<1|1), "", ""), build(2, nil, "x", "y"))
	f.Add(build(2, bitmaps(1<<33-2|1), ""), build(2, nil, "x"))
	git, _ := exec.LookPath("git")
	f.Fuzz(func(t *testing.T, content, shared string) {
		entries, err := gitindex.Read(content, gitindex.SHA1, func(string) (string, error) { return shared, nil })
		if err != nil {
			if !errors.Is(err, gitindex.ErrMalformed) && !errors.Is(err, gitindex.ErrUnknown) && !errors.Is(err, gitindex.ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		require.LessOrEqual(t, len(entries), (len(content)+len(shared))/63, "%d entries of %d bytes", len(entries), len(content)+len(shared))
		if git == "" || testing.Short() {
			return
		}
		dir := t.TempDir()
		if err := exec.Command(git, "init", "-q", dir).Run(); err != nil {
			t.Skip(err)
		}
		body := []byte(content[:len(content)-20])
		sum := sha1.Sum(body)
		w := work{t: nil, dir: dir}
		if os.WriteFile(w.dir+"/.git/index", append(body, sum[:]...), 0o600) != nil {
			t.Skip()
		}
		cmd := exec.Command(git, "-C", dir, "-c", "core.fsmonitor=false", "ls-files", "--stage", "-z")
		if out, err := cmd.Output(); err == nil && string(out) != listed(entries) {
			t.Fatalf("git: %q\nhere: %q", out, listed(entries))
		}
	})
}
