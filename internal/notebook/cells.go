package notebook

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// part is a part of the JSON that becomes another text.
type part struct {
	from, to int
	text     string
}

// replaced returns data with other parts, which do not overlap.
func replaced(data []byte, parts []part) []byte {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	done := 0
	for _, p := range parts {
		out = append(append(out, data[done:p.from]...), p.text...)
		done = p.to
	}
	return append(out, data[done:]...)
}

// Cell returns the JSON of a cell, of those of the notebook.
func (b *Notebook) Cell(data []byte, cell int) []byte {
	from, to := b.span(data, cell)
	return data[from:to]
}

// span returns where a cell is in the JSON.
func (b *Notebook) span(data []byte, cell int) (from, to int) {
	c := b.Cells[cell]
	return c.to - len(bytes.TrimLeft(data[c.from:c.to], "[, \t\r\n")), c.to
}

// HasRun reports whether a cell, of those of the notebook, has outputs or an execution count.
func (b *Notebook) HasRun(data []byte, cell int) bool { return len(b.results(data, cell)) > 0 }

// results returns the parts of a cell that its last run left, as they are in one that has not run.
func (b *Notebook) results(data []byte, cell int) (parts []part) {
	from, to := b.span(data, cell)
	members(data[from:to], func(name string, value []byte, at int) {
		never := ""
		switch {
		case strings.EqualFold(name, "outputs") && value[0] == '[' && len(bytes.TrimSpace(value[1:len(value)-1])) > 0:
			never = "[]"
		case strings.EqualFold(name, "execution_count") && string(value) != "null":
			never = "null"
		default:
			return
		}
		parts = append(parts, part{from + at, from + at + len(value), never})
	})
	return parts
}

// members calls fn for each member of an object in JSON, with the offset of its value.
func members(object []byte, fn func(name string, value []byte, at int)) {
	d := json.NewDecoder(bytes.NewReader(object))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return
		}
		name, _ := key.(string)
		fn(name, value, int(d.InputOffset())-len(value))
	}
}

// Deleted returns the JSON, data, of a notebook without a cell.
func (b *Notebook) Deleted(data []byte, cell int) []byte {
	from, to := b.span(data, cell)
	switch {
	case cell+1 < len(b.Cells):
		to, _ = b.span(data, cell+1)
	case cell > 0:
		from = b.Cells[cell-1].to
	case !b.CellsLeft:
		from, to = b.from, b.to
	}
	return replaced(data, []part{{from, to, ""}})
}

// Moved returns the JSON, data, of a notebook with a cell in the place of another. What is between cells stays.
func (b *Notebook) Moved(data []byte, cell, to int) []byte {
	order := make([]int, len(b.Cells))
	for i := range order {
		order[i] = i
	}
	order = slices.Insert(slices.Delete(order, cell, cell+1), to, cell)
	var parts []part
	for i, old := range order {
		if i != old {
			from, end := b.span(data, i)
			parts = append(parts, part{from, end, string(b.Cell(data, old))})
		}
	}
	return replaced(data, parts)
}

// Inserted returns the JSON, data, of a notebook with a new cell in front of the one with the index at, or behind all.
func (b *Notebook) Inserted(data []byte, at int, kind, source string) []byte {
	l := b.layout(data)
	made := b.made(data, l, at, kind, source)
	if len(b.Cells) == 0 {
		return replaced(data, []part{{b.from, b.to, l.outer + made + l.end}})
	}
	if at == 0 {
		from, _ := b.span(data, 0)
		return replaced(data, []part{{from, from, made + "," + b.lead(data, min(1, len(b.Cells)-1))}})
	}
	to := b.Cells[at-1].to
	return replaced(data, []part{{to, to, "," + b.lead(data, at-1) + made}})
}

// lead returns the white space in front of a cell.
func (b *Notebook) lead(data []byte, cell int) string {
	from, _ := b.span(data, cell)
	return string(data[len(bytes.TrimRight(data[:from], " \t\r\n")):from])
}

// layout is the white space of a notebook.
type layout struct {
	outer, inner, line, end string // in front of a cell, its members, a line of its source, and the end of the list
	colon, comma            string // between a name and its value, and between values on a line
	list                    bool   // a source is a list of lines
}

// layout returns the white space of the notebook, as its first cell that has members shows it, or else its top.
func (b *Notebook) layout(data []byte) layout {
	l := layout{colon: ":", comma: ",", list: true}
	if bytes.Contains(data, []byte(`": `)) {
		l.colon, l.comma = ": ", ", "
	}
	space := func(object []byte) string {
		rest := bytes.TrimLeft(object[1:], " \t\r\n")
		return string(object[1 : len(object)-len(rest)])
	}
	top := space(bytes.TrimLeft(data, " \t\r\n"))
	unit := top[strings.LastIndexByte(top, '\n')+1:]
	if l.end = top; !strings.Contains(top, "\n") {
		l.end, unit = "", ""
	} else {
		l.outer, l.inner = top+unit, top+unit+unit
	}
	if i := slices.IndexFunc(b.Cells, func(c Cell) bool { return data[c.to-1] == '}' }); i >= 0 {
		l.outer, l.inner = b.lead(data, i), space(b.Cell(data, i))
		if deeper, ok := strings.CutPrefix(l.inner, l.outer); ok {
			unit = deeper
		}
	}
	l.line = l.inner + unit
	if !strings.Contains(l.inner, "\n") {
		l.inner, l.line = "", ""
	}
	l.list = len(b.Cells) == 0 || slices.ContainsFunc(b.Cells, func(c Cell) bool {
		s := b.source(data, c)
		return s != nil && s.raw[0] == '['
	})
	return l
}

// between returns what separates two values on lines with that white space in front.
func (l layout) between(space string) string {
	if space == "" {
		return l.comma
	}
	return "," + space
}

// made returns a new cell. Its members are sorted, as Jupyter sorts them.
func (b *Notebook) made(data []byte, l layout, at int, kind, source string) string {
	var all []string
	member := func(name, value string) { all = append(all, `"`+name+`"`+l.colon+value) }
	member("cell_type", `"`+kind+`"`)
	if kind == "code" {
		member("execution_count", "null")
	}
	if ids, ok := b.ids(data); ok {
		member("id", `"`+newID(ids, fmt.Sprintln(at, kind, source))+`"`)
	}
	member("metadata", "{}")
	if kind == "code" {
		member("outputs", "[]")
	}
	var st style
	st.ascii, _ = escaped(data)
	quoted := func(text string) string {
		out := []byte{'"'}
		for _, r := range text {
			out = st.appendEscaped(out, r)
		}
		return string(append(out, '"'))
	}
	value := quoted(source)
	if l.list {
		var lines []string
		for line := range strings.Lines(source) {
			lines = append(lines, quoted(line))
		}
		if value = "[]"; len(lines) > 0 {
			end := l.inner
			value = "[" + l.line + strings.Join(lines, l.between(l.line)) + end + "]"
		}
	}
	member("source", value)
	end := l.outer
	if l.inner == "" {
		end = ""
	}
	return "{" + l.inner + strings.Join(all, l.between(l.inner)) + end + "}"
}

// ids returns the ids of all cells. ok is false for a format in which cells have none (before nbformat 4.5).
func (b *Notebook) ids(data []byte) (ids map[string]bool, ok bool) {
	var top struct {
		Major *int              `json:"nbformat"`
		Minor int               `json:"nbformat_minor"`
		Cells []json.RawMessage `json:"cells"`
	}
	json.Unmarshal(data, &top) // what is of another type is left out
	ids = map[string]bool{}
	for _, c := range top.Cells {
		var cell struct {
			ID *string `json:"id"`
		}
		if json.Unmarshal(c, &cell); cell.ID != nil {
			ids[*cell.ID] = true
		}
	}
	if top.Major == nil {
		return ids, len(ids) > 0
	}
	return ids, *top.Major > 4 || *top.Major == 4 && top.Minor >= 5
}

// newID returns an id that no other cell has. It depends on what is given alone, so that a preview shows the same.
func newID(ids map[string]bool, seed string) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendln(nil, n, seed))
		if id := fmt.Sprintf("%x", sum[:4]); !ids[id] {
			return id
		}
	}
}
