package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// finding is what became of the output of a call.
type finding struct {
	Rest    rest   // what became of what was not shown
	Told    bool   // the text says that there is more
	Bounded bool   // no result was longer than boundary
	Sound   bool   // every result was UTF-8, without replaced characters
	Left    string // "left behind" or "ended", of what a command left running; "" if nothing was
	Notes   []string
}

type rest string

const (
	shown     rest = "whole"     // there was no rest
	recovered rest = "recovered" // by doing what the text says
	lost      rest = "lost"
)

// boundary is what a bounded result keeps to: a little over the largest limit that
// a contender has, 256 KiB.
const boundary = 300_000

// steps is how many calls are made at most to get a rest back.
const steps = 5000

// prober asks a contender for what it did not show.
type prober struct {
	p     *process
	who   *contender
	dir   string
	first call
	finding
}

func (p *prober) note(text string) { p.Notes = append(p.Notes, text) }

// lose says what is lost.
func (p *prober) lose(text string) {
	p.Rest = lost
	p.note(text)
}

// ask makes a call and looks at what every result must be.
func (p *prober) ask(c call) (reply, error) {
	r, err := p.p.call(c, true)
	if r.Bytes > boundary {
		p.Bounded = false
	}
	if !sound(r.Text) {
		p.Sound = false
	}
	return r, err
}

// begin makes the call of the scenario.
func (p *prober) begin() (reply, error) {
	r, err := p.ask(p.first)
	p.Told = told(r)
	return r, err
}

// same compares texts but for the newline at their end.
func same(got, want []byte) bool {
	return bytes.Equal(bytes.TrimRight(got, "\n"), bytes.TrimRight(want, "\n"))
}

// text puts the pages of a text together.
func (p *prober) text(want []byte) error {
	r, err := p.begin()
	if err != nil {
		return err
	}
	if !r.Error && same(r.Text, want) {
		p.Rest = shown
		return nil
	}
	var got bytes.Buffer
	c := p.first
	for range steps {
		more, ok := next(c, r)
		if !r.Error {
			body, _ := split(string(r.Text))
			got.WriteString(body)
			if _, piece := more.Args["column"]; body != "" && !piece {
				got.WriteByte('\n')
			}
		}
		if !ok {
			break
		}
		if r, err = p.ask(more); err != nil {
			return err
		}
		c = more
	}
	p.Rest = recovered
	if !same(got.Bytes(), want) {
		p.Rest = lost
		if n := got.Len(); n > 1 && bytes.HasPrefix(want, bytes.TrimRight(got.Bytes(), "\n")) {
			p.note(fmt.Sprintf("the text leads to %s of %s", size(n-1), size(len(want))))
		}
	}
	return nil
}

// log reads pages here and there. If each has the lines that follow its offset and
// says the offset of the one behind, all of them together are the file.
func (p *prober) log(w *world) error {
	bare := whole("app.log")[p.who.id]
	r, err := p.ask(bare)
	if err != nil {
		return err
	}
	if r.Error {
		note := "refuses the call that names no range"
		if _, ok := next(bare, r); ok {
			note += ", and says how to go on"
		}
		p.note(note)
	}
	p.Told, p.Rest = told(r), recovered
	if _, more := next(bare, r); !more { // all at once, or nothing
		want, err := w.read("app.log")
		if p.Rest = lost; same(r.Text, want) {
			p.Rest = shown
		}
		return err
	}
	for _, line := range []int{1, w.logLines / 3, w.logLines - 700, w.logLines - 5} {
		c := page("app.log", line)[p.who.id]
		if r, err = p.ask(c); err != nil {
			return err
		}
		if wrong := wrongPage(w, c, r, line); wrong != "" {
			p.lose(wrong)
		}
	}
	return nil
}

// wrongPage says what is wrong with a page of the log that begins at a line.
func wrongPage(w *world, c call, r reply, line int) string {
	body, _ := split(string(r.Text))
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	for i, text := range lines {
		if r.Error || text != logLine(line+i) {
			return fmt.Sprintf("line %d is not what the file has", line+i)
		}
	}
	behind := line + len(lines)
	if asked, ok := c.Args["view_range"].([]int); ok {
		// Who names the end knows where to go on, if it gets all that it asked for.
		if behind != min(asked[1], w.logLines)+1 {
			return fmt.Sprintf("line %d is missing", behind)
		}
		return ""
	}
	more, ok := next(c, r)
	if ok != (behind <= w.logLines) || ok && more.Args["offset"] != behind {
		return fmt.Sprintf("behind line %d the text leads to %v", behind-1, more.Args["offset"])
	}
	return ""
}

var matchLine = regexp.MustCompile(`^(.*?:)?(\d+):`)

// matchKey is path:line of a line of grep, or line if there is no path.
func matchKey(line string) string {
	m := matchLine.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

func pathKey(line string) string { return line }

// list gathers a list, result after result.
func (p *prober) list(want map[string]bool, key func(string) string) error {
	r, err := p.begin()
	if err != nil {
		return err
	}
	seen, c := map[string]bool{}, p.first
	prefixes := []string{p.dir + "/", "tree/"}
	p.Rest = shown
	for range steps {
		before := len(seen)
		body, _ := split(string(r.Text))
		for line := range strings.SplitSeq(body, "\n") {
			for _, prefix := range prefixes {
				line = strings.TrimPrefix(line, prefix)
			}
			if k := key(line); want[k] {
				seen[k] = true
			}
		}
		more, ok := next(c, r)
		if len(seen) == len(want) || !ok || len(seen) == before {
			break
		}
		p.Rest = recovered
		if r, err = p.ask(more); err != nil {
			return err
		}
		c = more
	}
	if len(seen) < len(want) {
		p.lose(fmt.Sprintf("%d of %d", len(seen), len(want)))
	}
	return nil
}

// nothing is the check of a search without a match.
func (p *prober) nothing() error {
	r, err := p.begin()
	p.Rest, p.Told = shown, true
	if len(r.Text) > 200 || told(r) && p.who.id != "naive" {
		p.Rest = lost
	}
	return err
}

// wideLines gathers the lines of a file, of which the results may show the
// beginnings: if they say so and name read, read must give one in full.
func (p *prober) wideLines(w *world) error {
	want := map[string]bool{}
	for n := range 300 {
		want[fmt.Sprint(n+1)] = true
	}
	number := func(line string) string {
		m := matchLine.FindStringSubmatch(line)
		if m == nil {
			return ""
		}
		return m[2]
	}
	if err := p.list(want, number); err != nil || p.Rest == lost {
		return err
	}
	data, err := w.read("wide-lines.txt")
	if err != nil {
		return err
	}
	r, err := p.ask(p.first)
	if err != nil || !strings.Contains(string(r.Text), "Use read") {
		return err
	}
	r, err = p.ask(call{"read", map[string]any{"path": "wide-lines.txt", "offset": 150, "limit": 1}})
	body, _ := split(string(r.Text))
	if line := strings.Split(string(data), "\n")[149]; body != line {
		p.lose("read does not give the line in full")
	}
	return err
}
