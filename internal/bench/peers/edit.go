package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// editCase is a file and an edit of it, and what must come of it.
type editCase struct {
	title    string
	was      string // the file
	old, new string
	all      bool   // replace_all
	want     string // the file afterwards; "" if the edit must be refused
	prepare  func(file string) error
	kept     func(file string) bool // besides the content
}

// wide is a text in UTF-16LE, with its mark.
func wide(text string) string {
	b := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func editCases() []editCase {
	return []editCase{
		{title: "CRLF, `old_string` with LF", was: "one\r\ntwo\r\nthree\r\n", old: "one\ntwo", new: "1\n2", want: "1\r\n2\r\nthree\r\n"},
		{title: "mixed line endings elsewhere", was: "one\r\n\ntwo\nthree\r\n", old: "two", new: "2", want: "one\r\n\n2\nthree\r\n"},
		{title: "byte order mark", was: "\xef\xbb\xbfone\ntwo\n", old: "two", new: "2", want: "\xef\xbb\xbfone\n2\n"},
		{title: "no final newline", was: "one\ntwo", old: "two", new: "2", want: "one\n2"},
		{title: "Latin-1 elsewhere", was: "caf\xe9\ntwo\n", old: "two", new: "2", want: "caf\xe9\n2\n"},
		{title: "UTF-16 with its mark", was: wide("one\ntwo\n"), old: "two", new: "2", want: wide("one\n2\n")},
		{title: "ambiguous, must be refused", was: "two\ntwo\n", old: "two", new: "2"},
		{title: "every place", was: "two\ntwo\n", old: "two", new: "2", all: true, want: "2\n2\n"},
		{title: "`$1`, `\\1` and `&` in `new_string`", was: "one\ntwo\n", old: "two", new: `$1 \1 & $$`, want: "one\n$1 \\1 & $$\n"},
		{title: "mode 0755", was: "one\ntwo\n", old: "two", new: "2", want: "one\n2\n",
			prepare: func(file string) error { return os.Chmod(file, 0o755) },
			kept: func(file string) bool {
				info, err := os.Stat(file)
				return err == nil && info.Mode() == 0o755
			}},
		{title: "symbolic link", was: "one\ntwo\n", old: "two", new: "2", want: "one\n2\n",
			prepare: func(file string) error {
				if err := os.Rename(file, file+".target"); err != nil {
					return err
				}
				return os.Symlink(filepath.Base(file)+".target", file)
			},
			kept: func(file string) bool { _, err := os.Readlink(file); return err == nil }},
		{title: "hard link", was: "one\ntwo\n", old: "two", new: "2", want: "one\n2\n",
			prepare: func(file string) error { return os.Link(file, file+".other") },
			kept: func(file string) bool {
				one, err := os.Stat(file)
				two, err2 := os.Stat(file + ".other")
				return err == nil && err2 == nil && os.SameFile(one, two)
			}},
	}
}

// editCall asks a contender for an edit, in its own words; false if it cannot be asked.
func editCall(id, name string, c editCase) (call, bool) {
	args := map[string]any{"old_string": c.old, "new_string": c.new}
	if c.all {
		args["replace_all"] = true
	}
	switch id {
	case "spillway":
		args["path"] = name
	case "anthropic":
		args["file_path"] = name
	case "pi":
		if c.all {
			return call{}, false
		}
		args = map[string]any{"path": name, "edits": []map[string]any{{"oldText": c.old, "newText": c.new}}}
	default:
		return call{}, false
	}
	return call{"edit", args}, true
}

// became says what an edit made of a file.
func (c editCase) became(r reply, file string) (string, error) {
	got, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	want := c.want
	if want == "" {
		want = c.was
	}
	intact := c.kept == nil || c.kept(file)
	switch {
	case r.Error && string(got) == c.was && intact:
		if c.want == "" {
			return "refused, as it must be", nil
		}
		return "**refused**", nil
	case r.Error || string(got) != want || c.want == "":
		return "**wrong bytes**", nil
	case !intact:
		return "done, **not kept**", nil
	}
	return "done", nil
}

// edits returns a table of what became of each file, for the suites that have an edit tool. Edits that became the same
// share a row.
func edits(dir string, list []*contender) (string, error) {
	names := []string{"edit"}
	var taking []*contender
	processes := map[string]*process{}
	for _, c := range list {
		if c.id == "naive" {
			continue
		}
		p, err := start(c, dir)
		if err != nil {
			return "", err
		}
		defer p.close()
		processes[c.id] = p
		names, taking = append(names, c.name), append(taking, c)
	}
	var outcomes []string // in the order of the cases
	titles := map[string][]string{}
	for i, c := range editCases() {
		var cells []string
		for _, who := range taking {
			word, err := c.ask(who.id, processes[who.id], dir, fmt.Sprintf("edit-%s-%d", who.id, i))
			if err != nil {
				return "", fmt.Errorf("%s, %s: %w", c.title, who.name, err)
			}
			cells = append(cells, word)
		}
		became := strings.Join(cells, " | ")
		if titles[became] == nil {
			outcomes = append(outcomes, became)
		}
		titles[became] = append(titles[became], c.title)
	}
	var b strings.Builder
	table(&b, names...)
	for _, became := range outcomes {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(titles[became], "; "), became)
	}
	return b.String(), nil
}

// ask makes the file and has it edited.
func (c editCase) ask(id string, p *process, dir, name string) (string, error) {
	asked, ok := editCall(id, name, c)
	if !ok {
		return "–", nil
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(c.was), 0o644); err != nil {
		return "", err
	}
	if c.prepare != nil {
		if err := c.prepare(file); err != nil {
			return "", err
		}
	}
	r, err := p.call(asked, true)
	if err != nil {
		return "", err
	}
	return c.became(r, file)
}
