package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/txtar"
)

// world is where a case happens: a workspace, and beside it a home directory, temporary files, and what is outside.
type world struct {
	root string
	dir  string            // the case's own
	base string            // the workspace, in which it is for a server that serves all cases
	have map[string][]byte // the sections of the case, as they were written
	mark string            // an argument of sleep that no other process of the machine has
	uses bool              // a command has it
	undo []func()
}

var worlds atomic.Uint64

// newWorld makes the directories, and the files of a case. Their names have the same length in every run, for a result
// that has them has then, too.
func newWorld(scratch, workspace string, c *benchCase) (*world, error) {
	number := worlds.Add(1)
	w := &world{root: filepath.Join(scratch, fmt.Sprintf("%06d", number)), have: map[string][]byte{},
		mark: fmt.Sprintf("600.%07d%04d", os.Getpid()%1e7, number%1e4)}
	w.base = filepath.Join(w.root, "work")
	w.dir = w.base
	if workspace != "" { // a server that remembers files must not know those of another case
		w.base, w.dir = workspace, filepath.Join(workspace, fmt.Sprintf("%06d", number))
	}
	for _, dir := range []string{w.dir, w.home(), w.temp(), w.side()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	for _, f := range c.files {
		if err := w.write(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return w, nil
}

func (w *world) home() string { return filepath.Join(w.root, "home") }
func (w *world) temp() string { return filepath.Join(w.root, "temp") }
func (w *world) side() string { return filepath.Join(w.root, "side") } // outside of the workspace

func (w *world) path(name string) string {
	if rest, outside := strings.CutPrefix(name, "$OUT/"); outside {
		return filepath.Join(w.side(), rest)
	}
	return filepath.Join(w.dir, filepath.FromSlash(name))
}

// asked is a call's arguments for a server that works in the workspace.
func (w *world) asked(given map[string]any) {
	if w.base == w.dir {
		return
	}
	sub := filepath.Base(w.dir)
	if path, ok := given["path"].(string); ok && !filepath.IsAbs(path) {
		given["path"] = sub + "/" + path
	}
	if command, ok := given["command"].(string); ok {
		given["command"] = "cd " + sub + " && " + command
	}
	if patch, ok := given["patch"].(string); ok {
		given["patch"] = strings.ReplaceAll(patch, " File: ", " File: "+sub+"/")
	}
}

// said puts the case's names into a text.
func (w *world) said(text string) string {
	w.uses = w.uses || strings.Contains(text, "$MARK")
	return strings.NewReplacer("$MARK", w.mark, "$OUT", w.side(), "$DIR", w.dir).Replace(text)
}

// environment is that of a suite's server.
func (w *world) environment() []string {
	return append(os.Environ(), "HOME="+w.home(), "TMPDIR="+w.temp(), "TMP="+w.temp(), "LC_ALL=C.UTF-8", "NO_COLOR=1")
}

// write writes a section: a name, and how it is encoded. One that begins with = is only compared with.
func (w *world) write(f txtar.File) error {
	words := strings.Fields(f.Name)
	data, mode, err := encode(f.Data, words[1:])
	if err != nil {
		return err
	}
	name, compared := strings.CutPrefix(words[0], "=")
	w.have[name] = data
	if compared {
		return nil
	}
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode)
}

// encode makes of a section's text what its words say.
func encode(data []byte, words []string) ([]byte, os.FileMode, error) {
	mode := os.FileMode(0o644)
	for _, word := range words {
		switch word {
		case "crlf":
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		case "mixed": // every other line
			lines := bytes.SplitAfter(data, []byte("\n"))
			for i := 0; i < len(lines); i += 2 {
				lines[i] = bytes.ReplaceAll(lines[i], []byte("\n"), []byte("\r\n"))
			}
			data = bytes.Join(lines, nil)
		case "bom":
			data = append([]byte("\xef\xbb\xbf"), data...)
		case "open": // without a newline at the end
			data = bytes.TrimSuffix(data, []byte("\n"))
		case "nul":
			data = bytes.ReplaceAll(data, []byte("NUL"), []byte{0})
		case "latin1":
			var narrow []byte
			for _, r := range string(data) {
				narrow = append(narrow, byte(r))
			}
			data = narrow
		case "utf16":
			wide := []byte("\xff\xfe")
			for _, u := range utf16.Encode([]rune(string(data))) {
				wide = binary.LittleEndian.AppendUint16(wide, u)
			}
			data = wide
		default:
			n, err := strconv.ParseUint(word, 8, 9)
			if err != nil {
				return nil, 0, fmt.Errorf("there is no encoding %q", word)
			}
			mode = os.FileMode(n)
		}
	}
	return data, mode, nil
}

// remove ends what the world has running, and removes it.
func (w *world) remove() error {
	for _, undo := range slices.Backward(w.undo) {
		undo()
	}
	for _, pid := range w.left() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
	return errors.Join(os.RemoveAll(w.dir), os.RemoveAll(w.root))
}

// left are the processes that have the world's mark.
func (w *world) left() []int {
	if !w.uses {
		return nil
	}
	return marked(w.mark)
}

// marked returns the processes that have the mark as an argument. One that nobody has waited for yet has no arguments.
func marked(mark string) (pids []int) {
	list, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is right
	for _, name := range list {
		// A shell has the mark inside of its command, the sleep by itself.
		if data, err := os.ReadFile(name); err == nil && bytes.Contains(data, []byte("\x00"+mark+"\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// git runs git in the workspace, by nobody's configuration.
func (w *world) git(args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=bench", "-c", "user.email=bench@example.com"}, args...)...)
	cmd.Dir = w.dir
	cmd.Env = append(w.environment(), "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// seed makes every run's files the same.
const seed = 20260101

// words are what files are made of.
var words = strings.Fields("alpha bracket channel deliver engine factor garden handler index journal kernel ledger module " +
	"network object packet query record signal token update vector window")

func sentence(r *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = words[r.IntN(len(words))]
	}
	return strings.Join(list, " ")
}

// kinds are what a step makes: a file of that name, of that many pieces.
var kinds = map[string]func(out *bufio.Writer, r *rand.Rand, n int){
	// log is lines of about 100 bytes.
	"log": func(out *bufio.Writer, r *rand.Rand, n int) {
		for i := 1; i <= n; i++ {
			fmt.Fprintf(out, "2026-01-02T03:04:05Z level=info request=%08d path=/api/v1/items/%06d status=200 took=%05dus %s\n",
				i, r.IntN(1e6), r.IntN(1e5), words[r.IntN(len(words))])
		}
	},
	// numbers is what seq prints.
	"numbers": func(out *bufio.Writer, _ *rand.Rand, n int) {
		for i := 1; i <= n; i++ {
			fmt.Fprintln(out, i)
		}
	},
	// spaced is lines with tabs, spaces at their ends and empty lines between them.
	"spaced": func(out *bufio.Writer, r *rand.Rand, n int) {
		for i := 1; i <= n; i++ {
			fmt.Fprintf(out, "\t%sitem %d %s%s\n", strings.Repeat(" ", i%3), i, sentence(r, 4), strings.Repeat(" ", i%2))
			if i%5 == 0 {
				fmt.Fprintln(out)
			}
		}
	},
	// wide is lines of characters of four bytes.
	"wide": func(out *bufio.Writer, r *rand.Rand, n int) {
		for i := 1; i <= n; i++ {
			fmt.Fprintf(out, "%d ", i)
			for range 60 {
				out.WriteRune(rune(0x1F300 + r.IntN(200)))
			}
			fmt.Fprintln(out)
		}
	},
	// broad is one line of so many fields, and a second line.
	"broad": func(out *bufio.Writer, r *rand.Rand, n int) {
		for i := 1; i <= n; i++ {
			fmt.Fprintf(out, `{"id": %d, "text": "%s"}, `, i, sentence(r, 3))
		}
		fmt.Fprint(out, "\nthe second line\n")
	},
	// long is a line of so many MB.
	"long": func(out *bufio.Writer, _ *rand.Rand, n int) {
		block := bytes.Repeat([]byte("x"), 1<<20)
		for range n {
			out.Write(block)
		}
		fmt.Fprint(out, "\nthe second line\n")
	},
}

// makeFile makes a file of a kind.
func (w *world) makeFile(name, kind string, n int) error {
	fill := kinds[kind]
	if fill == nil {
		return fmt.Errorf("there is no kind %q", kind)
	}
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	fill(out, rand.New(rand.NewPCG(seed, uint64(n))), n)
	return out.Flush()
}

// makeTree makes a repository of so many small files, three of four of which are Go's. Seven have the word rareWord,
// and each line from the fourth on commonWord, in two files of five.
func (w *world) makeTree(name string, n int) error {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	for i := range n {
		file := fmt.Sprintf("%s/pkg%02d/part%03d/%s_%05d%s", name, i%40, i%400, words[r.IntN(len(words))], i,
			[]string{".go", ".go", ".go", ".md"}[i%4])
		var text bytes.Buffer
		for line := 1; line <= 12; line++ {
			text.WriteString("// " + sentence(r, 6))
			if line > 3 && i%5 < 2 {
				text.WriteString(" commonWord")
			}
			if line == 3 && i%(n/7) == 5 {
				text.WriteString(" rareWord")
			}
			text.WriteByte('\n')
		}
		path := w.path(file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// grow appends a line to a file again and again, until the world is removed.
func (w *world) grow(name string) error {
	f, err := os.OpenFile(w.path(name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer f.Close()
		for tick := time.NewTicker(time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				if _, err := f.WriteString("one line more\n"); err != nil {
					return
				}
			}
		}
	}()
	w.undo = append(w.undo, func() { close(done); <-ended })
	return nil
}
