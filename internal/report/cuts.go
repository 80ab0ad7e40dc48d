package report

import (
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// open is a result that was cut and not followed yet.
type open struct {
	mark  *Mark
	call  *Call
	next  int    // the offset that continues it; 0 if it names none
	limit int    // of results, of a search
	full  string // the file with its full output
}

// cuts says which results that were cut were followed by a call for what is missing.
type cuts struct {
	files    map[string][]*open // by thread and the name of the file that a call must name to follow
	searches map[uint64][]*open // by what such a search has in common
}

// opens matches commands that show a part of a file.
var opens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s;&|(])(?:awk|cat|cut|grep|head|less|more|rg|sed|tail)\s`)
})

func (c *cuts) judge(j *judges, e *event) {
	c.follow(j, e)
	if !e.rec.Truncated && !e.rec.LimitReached || e.unknown() {
		return
	}
	o := &open{call: e.Call, next: e.facts.NextOffset}
	if e.rec.LimitReached {
		o.limit = e.facts.Limit
	}
	files := 0
	wait := func(name string) {
		if name != "" && name != "." {
			key := c.fileKey(e.thread, name)
			c.files[key] = append(c.files[key], o)
			files++
		}
	}
	if full := filepath.ToSlash(e.rec.Full); full != "" {
		o.full = full
		wait(path.Base(full))
		wait(inDir + path.Base(path.Dir(full)))
	}
	switch {
	case e.rec.Tool == "read":
		wait(fileOf(e.args.text("path")))
	case isSearch(e.rec.Tool):
		key := c.searchKey(j, e)
		c.searches[key] = append(c.searches[key], o)
		files++
	}
	if files == 0 {
		return // there was no way to see more
	}
	o.mark = e.mark(Mark{Kind: kindMissed, How: e.Tool, Bytes: e.Hidden})
}

// inDir stands before the name of a directory where a search of it follows a result.
const inDir = "in\x00"

func (c *cuts) fileKey(t thread, name string) string {
	return strconv.Itoa(t.session) + "\x00" + t.conversation + "\x00" + name
}

// searchKey is the same for the same search, whatever part of its results it shows.
func (c *cuts) searchKey(j *judges, e *event) uint64 {
	return j.hash(e.thread, e.rec.Tool, e.args.key("offset", "limit"))
}

// follow closes the results that a call follows.
func (c *cuts) follow(j *judges, e *event) {
	switch {
	case isSearch(e.rec.Tool):
		key := c.searchKey(j, e)
		offset, limit := e.args.number("offset"), e.args.number("limit")
		c.searches[key] = c.close(c.searches[key], e, func(o *open) string {
			switch {
			case offset > 0 && offset == o.next:
				return "next page"
			case limit > o.limit && o.limit > 0:
				return "higher limit"
			}
			return ""
		})
	case e.rec.Tool == "read":
		first, lines := max(e.args.number("offset"), 1), strings.Count(e.text, "\n")+1
		c.closeFile(e, fileOf(e.args.text("path")), func(o *open) string {
			switch {
			case o.call.Tool != "read":
				return "full output"
			case o.next < 0 && e.args.number("offset") == o.next, first <= o.next && o.next <= first+lines:
				return "next page"
			}
			return ""
		})
	}
	if e.rec.Tool == "grep" && e.Code == "" {
		dir, glob := fileOf(e.args.text("path")), e.args.text("glob")
		c.closeFile(e, inDir+path.Base(dir), func(o *open) string {
			in := path.Dir(o.full)
			if (in == dir || strings.HasSuffix(in, "/"+dir)) && selects(glob, path.Base(o.full)) {
				return "full output"
			}
			return ""
		})
	}
	if tool := e.rec.Tool; tool == "read" || tool == "grep" || tool == "bash" {
		opened := tool != "bash" || opens().MatchString(e.args.text("command"))
		for name := range words(e.args.raw) {
			c.closeFile(e, name, func(o *open) string {
				switch {
				case o.call.Tool != "read":
					return "full output"
				case tool == "bash" && opened:
					return "by a command"
				}
				return ""
			})
		}
	}
}

// selects reports whether a file of that name is searched with a glob of grep.
func selects(glob, name string) bool {
	selected, some := false, false
	for pattern := range strings.SplitSeq(glob, ",") {
		pattern, not := strings.CutPrefix(strings.TrimSpace(pattern), "!")
		matches, _ := path.Match(path.Base(pattern), name)
		if not && matches {
			return false
		}
		selected, some = selected || matches && !not, some || !not && pattern != ""
	}
	return selected || !some
}

func (c *cuts) closeFile(e *event, name string, how func(*open) string) {
	key := c.fileKey(e.thread, name)
	if list := c.files[key]; len(list) > 0 {
		c.files[key] = c.close(list, e, how)
	}
}

// close closes those of the open results that how has a word for. A call that ran beside one does not follow it.
func (c *cuts) close(list []*open, e *event, how func(*open) string) []*open {
	still := list[:0]
	for _, o := range list {
		if o.mark.Kind == kindFetched {
			continue // by another name
		}
		if way := how(o); way != "" && e.Time >= o.call.Time+o.call.Ms-1 {
			o.mark.Kind, o.mark.How, o.mark.Other = kindFetched, way, e.Number
			continue
		}
		still = append(still, o)
	}
	return still
}

// maxWords is in how many bytes of arguments names of files are looked for.
const maxWords = 16 << 10

// words yields what may be the name of a file in arguments: letters, digits, and what else names have, with and without
// the directory.
func words(raw []byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		text := string(raw[:min(len(raw), maxWords)])
		for _, word := range strings.FieldsFunc(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
		}) {
			if base := path.Base(word); !yield(base) {
				return
			} else if clean := path.Clean(word); clean != base && !yield(clean) {
				return
			}
		}
	}
}
