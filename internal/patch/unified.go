package patch

import (
	"slices"
	"strings"
)

// headers are what the lines before the hunks of a file begin with in a unified diff.
var headers = []string{"diff ", "index ", "Index: ", "====", "old mode ", "new mode ", "new file mode ",
	"deleted file mode ", "similarity index ", "dissimilarity index ", "rename from ", "rename to ", "copy from ",
	"copy to ", "Binary files ", "GIT binary patch", "--- "}

func isUnified(line string) bool {
	return slices.ContainsFunc(headers, func(h string) bool { return strings.HasPrefix(line, h) })
}

// endsUnified reports whether a line begins the next file of a unified diff. A removed line that begins with -- and an
// added one that begins with ++ look the same: the numbers of the hunk tell the two apart.
func (r *reader) endsUnified(line string) bool {
	if !r.unified || !isUnified(line) {
		return false
	}
	if !strings.HasPrefix(line, "--- ") {
		return true
	}
	inHunk := r.counted && r.old == 1 && r.new == 1 // these two lines are its last
	return !inHunk && r.startsHunk(1)
}

// startsHunk reports whether the line n lines ahead is the +++ of a unified diff, with a hunk below it.
func (p *parser) startsHunk(n int) bool {
	return strings.HasPrefix(p.peek(n), "+++ ") && strings.HasPrefix(p.peek(n+1), "@@")
}

// unified reads a file of a unified diff.
func (p *parser) unified() error {
	f := File{Line: p.at + 1}
	both := "" // the two names after diff --git, for a file without --- and +++
	for ; p.more() && isUnified(p.peek(0)); p.at++ {
		line := p.peek(0)
		value := func(header string) (value string, ok bool) {
			value, ok = strings.CutPrefix(line, header)
			return strings.TrimSpace(value), ok
		}
		switch {
		case strings.HasPrefix(line, "--- "):
			return p.names(f)
		case strings.HasPrefix(line, "diff "):
			if both != "" {
				return p.empty(f, both)
			}
			both = strings.TrimSpace(strings.TrimPrefix(line, "diff --git "))
		}
		if mode, ok := value("new file mode "); ok {
			if f.Op = Add; mode != "100644" {
				return p.expected("new file mode 100644. Use bash with chmod for other modes, and with ln for links")
			}
		} else if _, ok := value("deleted file mode "); ok {
			f.Op = Delete
		} else if from, ok := value("rename from "); ok {
			f.Path = from
		} else if to, ok := value("rename to "); ok {
			f.To = to
		} else if slices.Contains([]string{"old", "copy", "Binary", "GIT"}, strings.Fields(line)[0]) {
			return p.expected("text that is changed, added, removed or moved. Use bash for modes, copies and binary files")
		}
	}
	return p.empty(f, both)
}

// names reads --- and +++ and the hunks below them.
func (p *parser) names(f File) error {
	if !strings.HasPrefix(p.peek(1), "+++ ") {
		p.at++
		return p.expected("+++ PATH after --- PATH")
	}
	name := func(line string) string {
		name, _, _ := strings.Cut(line[4:], "\t") // a time may follow
		return strings.TrimSpace(name)
	}
	before, after := name(p.peek(0)), name(p.peek(1))
	if before == "" || after == "" {
		return p.expected("a path")
	}
	p.at += 2
	from, to := unprefixed(before, after)
	switch {
	case before == "/dev/null":
		f.Op, f.Path, f.To = Add, to, ""
	case after == "/dev/null":
		f.Op, f.Path, f.To = Delete, from, ""
	case f.Op != Update:
		return &Error{f.Line, "expected --- /dev/null for a new file, or +++ /dev/null for a deleted one"}
	case f.Path == "" || f.To == "": // there was no rename
		if f.Path, f.To = from, to; from == to {
			f.To = ""
		}
	}
	if from == "" || to == "" {
		return &Error{f.Line, "expected a path after a/ and b/"}
	}
	var err error
	if f.Hunks, err = p.body(f, true); err != nil {
		return err
	}
	if f.Op == Add {
		return p.added(f)
	}
	if len(f.Hunks) == 0 {
		return p.expected("@@ -LINE,LINES +LINE,LINES @@")
	}
	p.found = append(p.found, f)
	return nil
}

// added adds a new file, with the content of its hunk.
func (p *parser) added(f File) error {
	if len(f.Hunks) > 1 {
		return &Error{f.Hunks[1].Line, "expected one hunk for a new file"}
	}
	for _, h := range f.Hunks {
		if len(h.Old()) > 0 {
			return &Error{h.Line, "expected only lines that begin with +, because the file is new"}
		}
		f.Content = strings.Join(h.New(), "\n")
		if !h.Unended.New {
			f.Content += "\n"
		}
	}
	f.Hunks = nil
	p.found = append(p.found, f)
	return nil
}

// empty adds a file without hunks, which is empty or only moved.
func (p *parser) empty(f File, both string) error {
	if f.Path == "" || f.To == "" || f.Op != Update {
		if n := len(both) / 2; f.Op == Update || both == "" || both[n] != ' ' {
			return p.expected("--- PATH and +++ PATH")
		} else if f.Path, f.To = unprefixed(both[:n], both[n+1:]); f.Path != f.To {
			return p.expected("--- PATH and +++ PATH")
		}
		f.To = ""
	}
	p.found = append(p.found, f)
	return nil
}

// unprefixed removes git's prefixes a/ and b/ from the two names of a file, unless one of them lacks its prefix and is
// not /dev/null.
func unprefixed(before, after string) (string, string) {
	cut := func(name, prefix string) (string, bool) {
		if rest, ok := strings.CutPrefix(name, `"`+prefix); ok {
			return `"` + rest, true
		}
		rest, ok := strings.CutPrefix(name, prefix)
		return rest, ok || name == "/dev/null"
	}
	a, inA := cut(before, "a/")
	b, inB := cut(after, "b/")
	if inA && inB {
		return a, b
	}
	return before, after
}
