package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// sizes are how much there is of everything.
type sizes struct {
	logLines  int // of about 100 bytes
	longLine  int // bytes
	files     int // in the tree
	matches   int // of a common word in it
	entries   int // in one directory
	printed   int // numbers that a command prints
	amid      int // numbers before and behind an error
	wideChars int // characters of four bytes on one line
}

var (
	// full is what is measured: a log of 200 MB, a command that prints 100 MB, an error
	// in the middle of 20 MB.
	full = sizes{2_000_000, 5_000_000, 20_000, 50_000, 10_000, 12_400_000, 1_400_000, 250_000}
	// small is for a quick look, and for tests: over the limits of everybody, and little else.
	small = sizes{30_000, 400_000, 1_300, 4_000, 10_000, 100_000, 60_000, 80_000}
)

// seed makes every world of the same sizes the same.
const seed = 20260101

// world is a directory with what the calls are made on.
type world struct {
	sizes
	dir   string
	few   map[string]bool // path:line of the rare word
	many  map[string]bool // path:line of the common word
	goes  map[string]bool // paths of *.go, in the tree
	names map[string]bool // entries of the directory
	clock time.Time
}

// newWorld fills dir, which is empty.
func newWorld(dir string, s sizes) (*world, error) {
	w := &world{sizes: s, dir: dir, few: map[string]bool{}, many: map[string]bool{}, goes: map[string]bool{}, names: map[string]bool{},
		clock: time.Now().Add(-24 * time.Hour)}
	for _, fill := range []func() error{w.texts, w.log, w.tree, w.entriesDir} {
		if err := fill(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *world) write(name string, data []byte) error {
	full := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return os.WriteFile(full, data, 0o644)
}

// read gives a file back, for the checks.
func (w *world) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
}

// words are what files are made of.
var words = strings.Fields("alpha bracket channel deliver engine factor garden handler index journal kernel ledger module network object packet query record signal token update vector window")

func sentence(r *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = words[r.IntN(len(words))]
	}
	return strings.Join(list, " ")
}

// texts writes the single files: a short one, one with a long line, and two of
// characters of four bytes.
func (w *world) texts() error {
	r := rand.New(rand.NewPCG(seed, 1))
	var short bytes.Buffer
	for range 80 {
		fmt.Fprintf(&short, "// %s\n", sentence(r, 6))
	}
	var long bytes.Buffer
	for long.Len() < w.longLine {
		fmt.Fprintf(&long, `{"id": %d, "text": "%s"}, `, r.IntN(1e9), sentence(r, 3))
	}
	long.WriteString("\nthe second line\n")
	var wide bytes.Buffer
	wide.WriteString("x") // so that no limit is a multiple of where characters begin
	for range w.wideChars {
		wide.WriteRune(rune(0x1F300 + r.IntN(200)))
	}
	var lines bytes.Buffer
	for i := range 300 {
		lines.WriteString("wide " + strings.Repeat("=", i%7))
		for range 2000 {
			lines.WriteRune(rune(0x1F300 + r.IntN(200)))
		}
		lines.WriteByte('\n')
	}
	for name, data := range map[string]*bytes.Buffer{"short.go": &short, "long.json": &long, "wide.txt": &wide, "wide-lines.txt": &lines} {
		if err := w.write(name, data.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// logLine is line n, counted from 1, of the log: computed, so that the checks need
// not hold the file.
func logLine(n int) string {
	r := rand.NewPCG(seed, uint64(n))
	x := r.Uint64()
	return fmt.Sprintf("2026-01-02T03:04:05Z level=info request=%08d path=/api/v1/items/%06d status=200 took=%05dus %s",
		n, x%1e6, x>>20%1e5, words[x>>40%uint64(len(words))])
}

func (w *world) log() error {
	f, err := os.Create(filepath.Join(w.dir, "app.log"))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	for n := 1; n <= w.logLines; n++ {
		out.WriteString(logLine(n))
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// tree writes a repository of small files, three of four of which are Go's.
func (w *world) tree() error {
	r := rand.New(rand.NewPCG(seed, 2))
	if err := w.write("tree/.git/HEAD", []byte("ref: refs/heads/main\n")); err != nil {
		return err
	}
	if err := w.write("tree/.gitignore", []byte("*.tmp\n/build/\n*.log\n")); err != nil {
		return err
	}
	left := w.matches
	for i := range w.files {
		name := fmt.Sprintf("pkg%02d/part%03d/%s_%05d", i%40, i%400, words[r.IntN(len(words))], i)
		if i%4 == 3 {
			name += ".md"
		} else {
			name += ".go"
			w.goes[name] = true
		}
		here := left / (w.files - i) // of the common word
		left -= here
		var text bytes.Buffer
		for line := 1; line <= 24; line++ {
			text.WriteString("// " + sentence(r, 6))
			if line > 3 && here > 0 {
				here--
				text.WriteString(" commonWord")
				w.many[fmt.Sprintf("%s:%d", name, line)] = true
			}
			if line == 3 && i%(w.files/7) == 5 {
				text.WriteString(" rareWord")
				w.few[fmt.Sprintf("%s:%d", name, line)] = true
			}
			text.WriteByte('\n')
		}
		if err := w.write(path.Join("tree", name), text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) entriesDir() error {
	for i := range w.entries {
		name := fmt.Sprintf("invoice-2026-01-%02d-customer-%06d.json", i%28+1, i*7919%w.entries)
		w.names[name] = true
		if err := w.write("entries/"+name, nil); err != nil {
			return err
		}
	}
	return nil
}

// touch makes the log look changed, so that nobody goes by what he remembers of it.
func (w *world) touch() error {
	w.clock = w.clock.Add(time.Second)
	return os.Chtimes(filepath.Join(w.dir, "app.log"), w.clock, w.clock)
}

// numbers writes what seq prints.
func numbers(out io.Writer, from, to int) error {
	b := bufio.NewWriterSize(out, 1<<20)
	var line []byte
	for n := from; n <= to; n++ {
		line = fmt.Appendf(line[:0], "%d\n", n)
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return b.Flush()
}
