package suitetest

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// RandomLimits are small ones, so that every limit is met.
func RandomLimits(r *rand.Rand) config.Config {
	pick := func(n ...int) int { return n[r.Intn(len(n))] }
	return config.Config{
		MaxLines: pick(1, 2, 3, 7, 50, 2000), MaxBytes: pick(1024, 1025, 1100, 2000, 5000), MaxFileBytes: int64(pick(1024, 4000, 20_000_000)),
		Read: config.Read{MaxLineChars: pick(0, 0, 1, 10, 400)}, ReadOnly: r.Intn(2) == 0,
		Bash: config.Bash{SplitStreams: r.Intn(3) == 0},
		Grep: config.Grep{MaxLineChars: pick(1, 5, 100, 500), Limit: pick(1, 2, 5, 100)},
		Find: config.Find{Limit: pick(1, 3, 1000)}, Ls: config.Ls{Limit: pick(1, 3, 500)},
	}
}

var oddNames = []string{"a", "B", "c d", "ä", "漢字", "😀", "new\nline", "tab\t", "\xff", `"quoted"`, "-n", "it's", "$HOME", "a*b", strings.Repeat("n", 250), strings.Repeat("漢", 80)}

// RandomTree fills a directory, and returns the paths of its files.
func RandomTree(t testing.TB, r *rand.Rand, dir string) []string {
	t.Helper()
	var files []string
	for range r.Intn(12) {
		path := ""
		for range r.Intn(3) {
			path = filepath.Join(path, oddNames[r.Intn(len(oddNames))]+"-d")
		}
		require.NoError(t, os.MkdirAll(filepath.Join(dir, path), 0o755))
		path = filepath.Join(path, oddNames[r.Intn(len(oddNames))])
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(RandomText(r, 40, 3000)), 0o644))
		files = append(files, path)
	}
	return files
}

// alphabets are what random text is made of: characters of one to four bytes,
// what is not UTF-8, and line ends.
var alphabets = [][]string{
	{"a", "b", "c d"},
	{"ä", "é", "ß"},
	{"漢", "字", "€"},
	{"😀", "𝔘", "x"},
	{"\xff", "\xc3", "\xe6\xbc", "\xf0\x9f\x98", "ok"},
	{"a", "ä", "漢", "😀", "\xff", "\r", "\t"},
}

// RandomText is a text of some lines: of any alphabet, with LF or CRLF or both,
// now and then empty or much longer than a limit, with a final newline or not.
func RandomText(r *rand.Rand, maxLines, maxLine int) string {
	alphabet := alphabets[r.Intn(len(alphabets))]
	ends := [][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}}[r.Intn(3)]
	var b strings.Builder
	lines := r.Intn(maxLines + 1)
	onlyEnds := r.Intn(10) == 0
	for i := range lines {
		n := r.Intn(30)
		switch r.Intn(12) {
		case 0, 1, 2:
			n = 0
		case 3:
			n = r.Intn(maxLine + 1)
		}
		for range n {
			if !onlyEnds {
				b.WriteString(alphabet[r.Intn(len(alphabet))])
			}
		}
		if i < lines-1 || r.Intn(3) > 0 {
			b.WriteString(ends[r.Intn(len(ends))])
		}
	}
	return b.String()
}
