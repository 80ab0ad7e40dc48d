package patch

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/quote"
)

// maxQuoted is the number of characters of a line that an error quotes.
const maxQuoted = 80

type parser struct {
	lines   []string
	at      int    // the index of the next line
	wrapped bool   // the end of what was around the patch was found, so the patch is whole
	dir     string // the directory that the command around the patch changes to, or ""
	found   []File
	hunks   int // in all files
}

// peek returns the line n lines ahead, without a carriage return, or "" after the end.
func (p *parser) peek(n int) string {
	if p.at+n >= len(p.lines) {
		return ""
	}
	return strings.TrimSuffix(p.lines[p.at+n], "\r")
}

func (p *parser) more() bool { return p.at < len(p.lines) }

// errorf returns the error for the next line.
func (p *parser) errorf(format string, args ...any) error {
	return &Error{p.at + 1, fmt.Sprintf(format, args...)}
}

// expected returns the error for an unexpected next line.
func (p *parser) expected(what string) error {
	if !p.more() {
		return p.errorf("expected %s, but the patch ends", what)
	}
	return p.errorf("expected %s, but it is %q", what, quote.Short(p.peek(0), maxQuoted))
}

// command matches the command in front of a here-document. Its groups are the directory that it changes to, unquoted,
// in double or in single quotes; cat; the word that ends the here-document; and the pipe after cat.
var command = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:ba|z|da)?sh\s+-l?c\s+["'])?` +
		`(?:cd\s+(?:([^-~#\s'"\\$\x60*?{};&|<>()!\[\]][^\s'"\\$\x60*?{};&|<>()!\[\]]*)|` +
		`"([^"$\x60\\]+)"|'([^'"\\]+)')\s*&&\s*)?` +
		`(?:apply_?patch\s*|(cat)\s*)?<<-?\s*\\?['"]?(\w+)['"]?(\s*\|\s*apply_?patch)?\s*["']*$`)
})

// hereDocument parses the first line of a here-document for apply_patch and returns the word that ends it.
func (p *parser) hereDocument(line string) (end string, ok bool) {
	m := command().FindStringSubmatch(line)
	if m == nil || (m[4] == "") != (m[6] == "") {
		return "", false
	}
	p.dir = m[1] + m[2] + m[3]
	return m[5], true
}

// below returns the path of a name that is relative to dir.
func below(dir, name string) string {
	bare, quoted := strings.CutPrefix(name, `"`)
	switch {
	case dir == "" || name == "" || strings.HasPrefix(bare, "/") || filepath.IsAbs(bare):
		return name
	case quoted:
		return `"` + strings.TrimSuffix(dir, "/") + "/" + bare
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// unwrap removes what models put around a patch: blank lines, a code fence, a here-document.
func (p *parser) unwrap() {
	var ends []string
	here := false
	for ; p.more(); p.at++ {
		line := strings.TrimSpace(p.peek(0))
		if fence := line[:min(len(line), 3)]; fence == "```" || fence == "~~~" {
			ends = append(ends, fence)
		} else if end, ok := p.hereDocument(line); ok && !here {
			ends, here = append(ends, end), true
		} else if line != "" && line != "apply_patch" {
			break
		}
	}
	for end := len(p.lines) - 1; end >= p.at && len(ends) > 0; end-- {
		line := strings.TrimSpace(p.lines[end])
		if strings.TrimRight(line, `"')`) == ends[0] {
			p.wrapped, p.lines, ends = true, p.lines[:end], ends[1:]
		} else if line != "" {
			return
		}
	}
}

// header is marker for a line that may be indented, because it cannot be a line of a file.
func header(line string) (key, value string) { return marker(strings.TrimSpace(line)) }

// marker splits a line such as *** Add File: path. The key of any other line is "".
func marker(line string) (key, value string) {
	rest, ok := strings.CutPrefix(line, "***")
	if !ok {
		return "", ""
	}
	key, value, _ = strings.Cut(rest, ":")
	return strings.ToLower(strings.Join(strings.Fields(key), " ")), strings.TrimSpace(value)
}

const firstLine = "*** Begin Patch, alone or after cd DIRECTORY && apply_patch <<'EOF' (use bash for other commands)"

const anyFile = "*** Add File: PATH, *** Update File: PATH, *** Delete File: PATH"

// files reads all sections.
func (p *parser) files() error {
	open, closed := false, false
	for p.more() {
		key, path := header(p.peek(0))
		var err error
		switch line := p.peek(0); {
		case strings.TrimSpace(line) == "":
			p.at++
		case key == "begin patch" && !open:
			open, closed = true, false
			p.at++
		case key == "end patch" && !closed && (open || len(p.found) > 0):
			open, closed = false, true
			p.at++
		case closed:
			err = p.expected("nothing after *** End Patch")
		case key == "add file" || key == "update file" || key == "delete file":
			err = p.section(key, path)
		case isUnified(line):
			err = p.unified()
		case open:
			err = p.expected(anyFile + " or *** End Patch")
		default:
			err = p.expected(firstLine)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case open && !p.wrapped:
		return p.errorf("it ends without *** End Patch, so a part may be missing. Send all of it")
	case len(p.found) == 0:
		return &Error{0, "the patch has no file in it. It looks like *** Begin Patch, " + anyFile +
			", *** End Patch, each on its own line"}
	}
	return nil
}

// section reads what follows a *** File line.
func (p *parser) section(key, path string) error {
	f := File{Path: path, Line: p.at + 1}
	if path == "" {
		return p.expected("a path after the colon")
	}
	p.at++
	var err error
	switch key {
	case "add file":
		f.Op = Add
		f.Content, err = p.content()
	case "delete file":
		f.Op = Delete
	default:
		if k, to := header(p.peek(0)); k == "move to" {
			if to == "" {
				return p.expected("a path after the colon")
			}
			f.To = to
			p.at++
		}
		if strings.HasPrefix(p.peek(0), "--- ") && p.startsHunk(1) {
			p.at += 2 // the headers of a unified diff for the same file
		}
		if f.Hunks, err = p.body(f, false); err == nil && len(f.Hunks) == 0 && f.To == "" {
			err = p.expected("@@, or a line that begins with a space, - or +")
		}
	}
	p.found = append(p.found, f)
	return err
}

// content reads the lines of a new file.
func (p *parser) content() (string, error) {
	var b strings.Builder
	blank := 0 // lines without a +, which belong to the file if lines with one follow
	for ; p.more(); p.at++ {
		line, plus := strings.CutPrefix(p.lines[p.at], "+")
		switch {
		case plus:
			b.WriteString(strings.Repeat("\n", blank) + line + "\n")
			blank = 0
		case strings.TrimSpace(line) == "":
			blank++
		case strings.HasPrefix(strings.TrimSpace(line), "***"):
			return b.String(), nil
		default:
			return "", p.expected("a + before each line of a new file")
		}
	}
	return b.String(), nil
}
