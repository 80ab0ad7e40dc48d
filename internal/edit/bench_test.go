package edit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/textfile"
)

// source is a text of 20 MB, as programs have it.
func source() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 20_000_000; i++ {
		fmt.Fprintf(&b, "func f%d(a, b int) int {\n\tif a > b {\n\t\treturn a - %d\n\t}\n\treturn b\n}\n\n", i, i)
	}
	return b.Bytes()
}

// morse has no repetition that a hash modulo a power of two tells apart (Thue and Morse).
func morse(n int) []byte {
	text := []byte("a")
	for len(text) < n {
		for _, b := range text {
			text = append(text, 'a'+'b'-b)
		}
	}
	return text[:n]
}

// BenchmarkApply edits 20 MB by an Old of 1 MB. Each case but "one" makes the search as long as it can be.
func BenchmarkApply(b *testing.B) {
	text := source()
	mb := text[len(text)-1_100_000 : len(text)-100_000]
	as := bytes.Repeat([]byte("a"), 20_000_000)
	lines := bytes.Repeat([]byte("  x\n"), 5_000_000)
	for _, c := range []struct {
		name string
		text []byte
		old  string
	}{
		{"one", text, string(mb)},
		{"line endings", bytes.ReplaceAll(text, newline, []byte("\r\n")), string(mb)},
		{"trailing", bytes.ReplaceAll(text, newline, []byte(" \n")), string(mb)},
		{"unicode", append(bytes.Clone(text), "“”"...), string(mb) + "\nfunc\u00a0"},
		{"chinese", bytes.Repeat([]byte("中文。"), 2_000_000), "“中文”"},
		{"indentation", text, strings.ReplaceAll(string(mb), "\n", "\n\t")},
		{"aaa", as, string(as[:1_000_000]) + "b"},
		{"thue-morse", morse(20_000_000), string(morse(1_000_000)) + "aaa"},
		{"equal lines", lines, string(bytes.Repeat([]byte("\tx\n"), 250_000)) + "y\n"},
		{"unlike", text, "package elsewhere"},
		{"miss", text, strings.ReplaceAll(string(mb), "return b", "return  b")},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				t := New(c.text, textfile.Info{})
				e := Edit{Old: c.old, New: "x"}
				if _, err := t.Apply(context.Background(), []Edit{e}, limit); err != nil {
					t.Explain(context.Background(), e)
				}
			}
		})
	}
}

// BenchmarkReplaceAll changes 135,000 words in 10 MB, beside what else could.
func BenchmarkReplaceAll(b *testing.B) {
	text := source()[:10_000_000]
	b.Run("edit", func(b *testing.B) {
		for b.Loop() {
			t := New(text, textfile.Info{})
			if _, err := t.Apply(context.Background(), []Edit{{Old: "return b", New: "return c", All: true}}, 2*limit); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bytes.ReplaceAll", func(b *testing.B) {
		for b.Loop() {
			bytes.ReplaceAll(text, []byte("return b"), []byte("return c"))
		}
	})
	b.Run("sed", func(b *testing.B) {
		name := filepath.Join(b.TempDir(), "text")
		for b.Loop() {
			os.WriteFile(name, text, 0o600)
			if out, err := exec.Command("sed", "-i", "s/return b/return c/g", name).CombinedOutput(); err != nil {
				b.Skip(string(out))
			}
		}
	})
}
