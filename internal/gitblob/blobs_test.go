package gitblob_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/gitblob"
	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

const limit = 1 << 20

// history makes a repository with several versions of some files, and returns its directory and its blobs.
func history(t *testing.T, format string) (dir string, hashes []string) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	testkit.IsolateGit(t)
	dir = t.TempDir()
	testkit.Git(t, dir, "init", "-q", "--object-format="+format)
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, 3000)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d: %x\n", i, random.Uint64())
	}
	for range testkit.Few(12) {
		for range 20 {
			lines[random.IntN(len(lines))] = fmt.Sprintf("changed %x\n", random.Uint64())
		}
		testkit.WriteFile(t, filepath.Join(dir, "long"), strings.Join(lines, ""))
		testkit.WriteFile(t, filepath.Join(dir, "short"), lines[0])
		testkit.WriteFile(t, filepath.Join(dir, "empty"), "")
		testkit.WriteFile(t, filepath.Join(dir, "zeros"), strings.Repeat("\x00", 100_000+random.IntN(9)))
		testkit.Git(t, dir, "add", "-A")
		testkit.Git(t, dir, "commit", "-qm", "x")
	}
	for line := range strings.Lines(testkit.Git(t, dir, "rev-list", "--objects", "--all")) {
		if hash, _, _ := strings.Cut(strings.TrimSpace(line), " "); testkit.Git(t, dir, "cat-file", "-t", hash) == "blob\n" {
			hashes = append(hashes, hash)
		}
	}
	return dir, hashes
}

func open(t *testing.T, dir string) *gitblob.Blobs {
	t.Helper()
	b, err := gitblob.Open(gitdir.Open(dir))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return b
}

func raw(t *testing.T, hash string) string {
	t.Helper()
	b, err := hex.DecodeString(hash)
	require.NoError(t, err)
	return string(b)
}

// TestAsGit compares what is read of blobs with what git says, however they are packed.
func TestAsGit(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		dir, hashes := history(t, format)
		require.NotEmpty(t, hashes)
		want := make(map[string]string)
		for _, hash := range hashes {
			want[hash] = testkit.Git(t, dir, "cat-file", "blob", hash)
		}
		b := open(t, dir) // which sees what comes later, too
		for _, pack := range []string{
			"",
			"repack -adfq --depth=50 --window=50",
			"-c repack.useDeltaBaseOffset=false repack -adfq --depth=50 --window=50", // bases by their names
			"-c pack.indexVersion=2 repack -adfq --max-pack-size=1m",
			"unpack",
		} {
			switch {
			case pack == "unpack": // some in a pack whose offsets are in the table for large ones, some not
				packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
				require.NoError(t, err)
				for _, p := range packs {
					require.NoError(t, os.Remove(strings.TrimSuffix(p, ".pack")+".idx"))
					testkit.Git(t, dir, "index-pack", "--index-version=2,0x10", p)
				}
			case pack != "":
				testkit.Git(t, dir, strings.Fields(pack)...)
			}
			for _, hash := range hashes {
				got, err := b.Read(raw(t, hash), limit)
				require.NoError(t, err, pack)
				require.True(t, want[hash] == string(got), "%s %s", pack, hash)
			}
		}
		tree := strings.TrimSpace(testkit.Git(t, dir, "rev-parse", "HEAD^{tree}"))
		_, err := b.Read(raw(t, tree), limit)
		require.ErrorIs(t, err, gitblob.ErrMalformed)
		_, err = b.Read(strings.Repeat("\x01", len(hashes[0])/2), limit)
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = b.Read("\x01", limit)
		require.ErrorIs(t, err, gitblob.ErrMalformed)
		zeros := strings.TrimSpace(testkit.Git(t, dir, "rev-parse", "HEAD:zeros"))
		_, err = b.Read(raw(t, zeros), 99_999)
		require.ErrorIs(t, err, gitblob.ErrTooLarge)
	}
}

// A repository that borrows objects is not opened: they are in another one.
func TestElsewhere(t *testing.T) {
	dir, _ := history(t, "sha1")
	other := t.TempDir()
	testkit.Git(t, other, "clone", "-q", "--shared", dir, ".")
	_, err := gitblob.Open(gitdir.Open(other))
	require.ErrorIs(t, err, gitblob.ErrElsewhere)
}

// TestMalformed changes bytes of packs: each blob is read as it was, or there is an error.
func TestMalformed(t *testing.T) {
	dir, hashes := history(t, "sha1")
	testkit.Git(t, dir, "repack", "-adfq", "--depth=50")
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/pack-*"))
	require.NoError(t, err)
	want := make(map[string]string)
	for _, hash := range hashes[:min(5, len(hashes))] {
		want[hash] = testkit.Git(t, dir, "cat-file", "blob", hash)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, path := range packs {
		whole := []byte(testkit.ReadFile(t, path))
		require.NoError(t, os.Chmod(path, 0o600))
		for range testkit.Few(100) {
			bad := append([]byte(nil), whole...)
			for range 1 + random.IntN(4) {
				bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
			}
			bad = bad[:len(bad)-random.IntN(2)*random.IntN(len(bad))]
			require.NoError(t, os.WriteFile(path, bad, 0o600))
			b := open(t, dir)
			for _, hash := range hashes[:min(5, len(hashes))] {
				if content, err := b.Read(raw(t, hash), limit); err == nil {
					require.True(t, want[hash] == string(content), hash)
				}
			}
		}
		require.NoError(t, os.WriteFile(path, whole, 0o600))
	}
}

// A chain of deltas that makes much of little is refused: a command may have written it.
func TestExpensive(t *testing.T) {
	dir, hashes := history(t, "sha1")
	testkit.Git(t, dir, "repack", "-adfq")
	const size, links = 1 << 20, 4000
	deflated := func(content []byte) []byte {
		var out bytes.Buffer
		w := zlib.NewWriter(&out)
		w.Write(content)
		w.Close()
		return out.Bytes()
	}
	header := func(kind, size int) (out []byte) {
		b := byte(kind<<4 | size&15)
		for size >>= 4; size > 0; size >>= 7 {
			out, b = append(out, b|0x80), byte(size&0x7f)
		}
		return append(out, b)
	}
	pack := append([]byte("PACK\x00\x00\x00\x02\x00\x00\x0f\xa1"), header(3, size)...)
	pack = append(pack, deflated(make([]byte, size))...)
	delta := []byte{0x80, 0x80, 0x40, 0x80, 0x80, 0x40} // from 1 MiB to 1 MiB
	for range size >> 16 {
		delta = append(delta, 0x80) // the first 64 KiB of the base
	}
	link := deflated(delta) // once: a zlib.Writer allocates a megabyte
	at := 12
	for range links {
		back := len(pack) - at
		at = len(pack)
		pack = append(pack, header(6, len(delta))...)
		far := []byte{byte(back & 0x7f)}
		for back >>= 7; back > 0; back >>= 7 {
			back--
			far = append([]byte{byte(back&0x7f) | 0x80}, far...)
		}
		pack = append(append(pack, far...), link...)
	}
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.idx"))
	require.NoError(t, err)
	index := []byte(testkit.ReadFile(t, packs[0]))
	name := raw(t, hashes[0])
	n := int(binary.BigEndian.Uint32(index[8+255*4:]))
	for i := range n { // all names lead to the last delta
		binary.BigEndian.PutUint32(index[8+256*4+n*24+i*4:], uint32(at))
	}
	for path, content := range map[string][]byte{packs[0]: index, strings.TrimSuffix(packs[0], "idx") + "pack": pack} {
		require.NoError(t, os.Chmod(path, 0o600))
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
	_, err = open(t, dir).Read(name, 2*size)
	require.ErrorIs(t, err, gitblob.ErrTooLarge)
}
