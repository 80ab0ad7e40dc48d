package jsoncut

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

const (
	wideString   = 480 // bytes shown of an anomalous string
	narrowString = 120 // bytes shown of another string
	lineWidth    = 110 // width of containers on one line
	longNumber   = 64  // digits from which a number is left out
	keyNames     = 60  // bytes for the names of left-out keys
	keyName      = 24  // bytes for each of them
	stepName     = 48  // bytes of a key in a path
)

// printer prints the n most important values of a document.
type printer struct {
	n       int
	flat    bool // print on one line
	several bool // the document has more than one line
	bytes   int
	left    struct {
		count, line, column int
		path                string
	}
}

// value returns a value, indented except for its first line.
func (p *printer) value(n *node, depth int) string {
	switch n.kind {
	case object, array:
		return p.container(n, depth)
	case str:
		most := narrowString
		if n.wide {
			most = wideString
		}
		p.bytes += min(n.text.size, most)
		return n.text.quoted(most)
	case number:
		if n.text.size > longNumber {
			return fmt.Sprintf(`"[number of %s digits left out]"`, size.Thousands(n.text.size))
		}
	}
	p.bytes += n.text.size
	return string(n.text.head)
}

func (p *printer) container(n *node, depth int) string {
	brackets := brackets[n.kind]
	parts := p.members(n, depth)
	size, lines := 2*len(parts)+depth, false
	for _, part := range parts {
		size += len(part)
		lines = lines || strings.Contains(part, "\n")
	}
	if p.flat || size <= lineWidth && !lines {
		return brackets[:1] + strings.Join(parts, ", ") + brackets[1:]
	}
	indent := "\n" + strings.Repeat(" ", depth+1)
	return brackets[:1] + indent + strings.Join(parts, ","+indent) + indent[:len(indent)-1] + brackets[1:]
}

// members returns the shown members of a container, with marks for the others.
func (p *printer) members(n *node, depth int) (parts []string) {
	next, after := 0, (*node)(nil)
	var hidden []*node
	gap := func(to int, end line) {
		if n.kind == array && to > next {
			parts = append(parts, p.mark(n, next, to-1, after, end))
		}
	}
	for _, kid := range n.kids {
		if kid.at >= p.n {
			hidden = append(hidden, kid)
			continue
		}
		gap(kid.index, kid.first)
		next, after = kid.index+1, kid
		value := p.value(kid, depth+1)
		if n.kind == object {
			p.bytes += min(kid.name.size, narrowString)
			value = kid.name.quoted(narrowString) + ": " + value
		}
		parts = append(parts, value)
	}
	gap(n.count, n.last)
	if left := n.count - len(parts); n.kind == object && left > 0 {
		parts = append(parts, keysLeft(left, hidden))
	}
	return parts
}

// mark returns the mark for left-out elements, starting with the one behind after, up to end.
func (p *printer) mark(n *node, from, to int, after *node, end line) string {
	where := fmt.Sprintf("%s[%d..%d]", n.where(), from, to)
	if from == to {
		where = fmt.Sprintf("%s[%d]", n.where(), from)
	}
	if count := to - from + 1; count > p.left.count {
		p.left.count, p.left.path, p.left.column = count, where, 0
		begin := n.first
		if after != nil {
			begin = after.last // the next element may begin on the same line
		}
		if p.several && max(begin.column, end.columnIn(begin)) > longLine {
			p.left.column = begin.column
		}
		switch {
		case p.several:
			p.left.line = begin.raw
		case after == nil:
			p.left.line = n.first.pretty + 1
		default:
			p.left.line = after.last.pretty + 1
		}
	}
	return fmt.Sprintf(`"[%s left out: %s]"`, size.Thousands(to-from+1), where)
}

// keysLeft returns the mark for left-out members.
func keysLeft(left int, known []*node) string {
	var names strings.Builder
	named := 0
	for _, n := range known {
		name := string(n.name.head[:units(n.name.head, keyName)])
		if n.name.size > len(name) {
			name += "..."
		}
		if names.Len()+len(name) > keyNames {
			break
		}
		if named++; named > 1 {
			names.WriteString(", ")
		}
		names.WriteString(name)
	}
	if named < left {
		if named > 0 {
			names.WriteString(", ")
		}
		names.WriteString("...")
	}
	word := "keys"
	if left == 1 {
		word = "key"
	}
	return fmt.Sprintf(`"[%s %s left out]": "%s"`, size.Thousands(left), word, names.String())
}

// where returns the path of a value in the form of jq and JSONPath. A long path lacks its middle.
func (n *node) where() string {
	const most = 20 // steps
	var steps []string
	for ; n.parent != nil; n = n.parent {
		steps = append(steps, n.step())
	}
	var b strings.Builder
	b.WriteString("$")
	for i := len(steps) - 1; i >= 0; i-- {
		if left := len(steps) - most; left > 0 && i == len(steps)-most/2 {
			b.WriteString("...")
			i -= left
		}
		b.WriteString(steps[i])
	}
	return b.String()
}

func (n *node) step() string {
	if n.parent.kind == array {
		return "[" + strconv.Itoa(n.index) + "]"
	}
	name := string(n.name.head[:units(n.name.head, stepName)])
	if n.name.size > len(name) {
		name += "..."
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	}) {
		return "['" + name + "']"
	}
	return "." + name
}
