package tools

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/suggest"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

// encodingNamed returns the canonical name of the encoding that a call asks for, or "".
func encodingNamed(label string) (string, error) {
	if label == "" {
		return "", nil
	}
	if name, ok := textfile.Canonical(label); ok {
		return name, nil
	}
	names := nearest.Among(textfile.Encodings, label, max(2, len(label)/3), suggest.Most)
	if len(names) == 0 {
		names = []string{"windows-1252", "shift_jis", "gb18030"}
	}
	return "", errorf(CodeInvalidInput, "there is no encoding %s. Use a name of the WHATWG standard, as %s",
		show(label), strings.Join(names, " or "))
}

// notUTF8 notes the files in which a search may have missed what is not ASCII, and looks at the first for what it is
// in.
func (g *grep) notUTF8(ctx context.Context, path workspace.Path, stats search.Stats) {
	if stats.NotUTF8 == 0 {
		return
	}
	names := []string{path.Name}
	for i, name := range stats.NotFirst {
		names = append(names[:i], filepath.ToSlash(filepath.Join(path.Name, name)))
	}
	g.left.NotUTF8 = stats.NotUTF8
	for _, name := range names {
		g.left.NotFirst = append(g.left.NotFirst, quote.Name(name))
	}
	if ctx.Err() == nil {
		g.left.Likely = g.guess(names[0], nil)
	}
}

// guess returns the encoding that the file of that name, and a part of it, look like; or "".
func (g *grep) guess(name string, part []byte) string {
	path, err := g.paths.ws.Resolve(name)
	if err != nil {
		return ""
	}
	f, _, err := path.OpenFile()
	if err != nil {
		return ""
	}
	defer f.Close()
	return guess(f, part)
}

// notValid returns the notice for line, the first shown line that is not valid UTF-8; nil if all are. Only a search
// that came to its end has the time to guess the encoding of its file.
func (g *grep) notValid(line *GrepLine, ended bool) notice.Notice {
	if line == nil {
		return ""
	}
	bad := notice.NotValid{Encoding: textfile.UTF8, Path: quote.Name(line.Path)}
	if ended {
		bad.Likely = g.guess(line.Path, []byte(line.Text))
	}
	return bad.Found()
}

// guess returns the encoding that the beginning of a file, and a part of it, look like; or "".
func guess(f io.ReaderAt, part []byte) string {
	head := make([]byte, textfile.GuessLen)
	n, _ := f.ReadAt(head, 0) // what cannot be read is not judged by
	return textfile.Guess(append(part, head[:n]...))
}

// nulsIn returns the notice for a text that may have had NUL bytes.
func nulsIn(text string, may bool) notice.Notice {
	if may && strings.Contains(text, quote.NUL) {
		return notice.NULs
	}
	return ""
}
