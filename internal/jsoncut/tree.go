package jsoncut

type kind uint8

const (
	object kind = iota
	array
	str
	number
	literal
	null
	kinds
)

// holds reports whether values of the kind are containers.
func (k kind) holds() bool { return k <= array }

var brackets = [...]string{object: "{}", array: "[]"}

// node is a value of the document, as far as it is kept.
type node struct {
	kind   kind
	name   text // its key in an object
	text   text // of a scalar
	index  int  // its place in the container
	parent *node
	kids   []*node // the kept children, in order
	count  int     // number of all children
	path   *path
	first  line // where it begins
	last   line // where it ends
	says   int  // how clearly it reports a failure by itself
	hash   uint32
	shape  uint32 // of the keys of an object

	at     int  // its rank in the order of showing; math.MaxInt if not shown
	wide   bool // worth showing at length
	stands bool // it or something in it stands out
}

// line is a place: the line, from 1, in the text and in a copy with a line for each value, and the character in the
// former, from 1.
type line struct{ raw, pretty, column int }

// columnIn returns the column of a place if it is on the same line of the text as another one; else 0.
func (l line) columnIn(other line) int {
	if l.raw != other.raw {
		return 0
	}
	return l.column
}

// Bounds on what is kept of a document.
const (
	keptBytes = 4 << 20 // of the whole, by size
	keptKids  = 64      // of an array, and twice that while it is open
	keptKeys  = 4       // times as many of an object, whose members differ more than elements
	keptDepth = 64      // deeper values are only counted
	ends      = 2       // first children of a container that are always kept

	// A container is pruned when it has so many times what it keeps, so that pruning costs little for each child, and
	// at least the given number of children.
	pruneArray, pruneObject, pruneLeast = 2, 2 * keptKeys, 4
)

type builder struct {
	root, current *node
	spare         *node
	name          text // the key of the next value
	skipped       int  // open containers below keptDepth
	depth         int
	size          int // of all nodes
	tightened     int // how often the number of kept children was halved
	paths         paths
	lines, pretty int  // that ended before
	column        int  // characters of the line before the current ones
	several       bool // the document has more than one line
}

func (b *builder) line() line { return line{b.lines + 1, b.pretty + 1, b.column + 1} }

// open adds a container and makes it the current one.
func (b *builder) open(c byte) {
	if b.depth++; b.skipped > 0 {
		b.skipped++
		return
	}
	k := array
	if c == '{' {
		k = object
	}
	n := b.add(k)
	if b.depth > keptDepth {
		b.skipped = 1
	}
	b.current = n
}

func (b *builder) scalar(k kind, t text) {
	if b.skipped > 0 {
		if b.skipped == 1 {
			b.current.count++
		}
		return
	}
	if k == literal && t.head[0] == 'n' {
		k = null
	}
	n := b.add(k)
	n.text = t
	n.last = n.first
	b.size += len(t.head) + len(t.tail)
	n.hash = t.hash()
	n.judge()
	n.path.note(n)
	b.closed(n)
}

// recycle drops the last scalar of a long array if that loses nothing, so that its memory is reused.
func (b *builder) recycle() {
	p := b.current
	if b.skipped > 0 || p.kind != array || len(p.kids) <= b.keep() || len(p.kids) <= ends {
		return
	}
	if last := p.kids[len(p.kids)-1]; !last.kind.holds() && last.score() == 0 {
		b.size -= last.bytes()
		p.kids = p.kids[:len(p.kids)-1]
		b.spare = last
	}
}

func (b *builder) add(k kind) *node {
	n := b.spare
	if b.spare = nil; n == nil {
		n = new(node)
	}
	*n = node{kind: k, parent: b.current, first: b.line()}
	if n.parent != nil && n.parent.kind == object {
		n.name = b.name
	}
	b.size += nodeBytes + len(n.name.head) + len(n.name.tail)
	if n.parent == nil {
		b.root = n
		n.path = &b.paths.top
		return n
	}
	n.index = n.parent.count
	n.parent.count++
	n.parent.kids = append(n.parent.kids, n)
	n.path = b.paths.of(n)
	return n
}

const nodeBytes = 256

func (b *builder) close() {
	b.depth--
	if b.skipped > 1 {
		if b.skipped--; b.skipped == 1 {
			b.current.count++
		}
		return
	}
	b.skipped = 0
	n := b.current
	b.current = n.parent
	n.last = b.line()
	n.judge()
	n.path.note(n)
	if n.parent != nil {
		b.closed(n)
	}
}

// closed is called for each complete value.
func (b *builder) closed(n *node) {
	p := n.parent
	if p.kind == object && p.path.becomesMap(p) {
		for _, kid := range p.kids {
			b.retell(kid)
		}
	}
	times := pruneObject
	if p.kind == array {
		times = pruneArray
	}
	if most := b.keep(); len(p.kids) >= times*max(most, pruneLeast) {
		b.size -= p.prune(most)
	}
	for b.size > keptBytes && b.keep() > 0 {
		b.tightened++
		for open := b.current; open != nil; open = open.parent {
			b.size -= open.tighten(b.keep(), b.current)
		}
	}
}

func (b *builder) keep() int { return keptKids >> b.tightened }

// tighten prunes all closed containers in an open one.
func (n *node) tighten(most int, current *node) (freed int) {
	for _, kid := range n.kids {
		if kid.isOpen(current) {
			continue
		}
		freed += kid.tightenClosed(most)
	}
	return freed + n.prune(max(most, 1)) // one is open
}

func (n *node) tightenClosed(most int) (freed int) {
	freed = n.prune(most)
	for _, kid := range n.kids {
		freed += kid.tightenClosed(most)
	}
	return freed
}

// isOpen reports whether the open container is n or in it.
func (n *node) isOpen(current *node) bool {
	for ; current != nil; current = current.parent {
		if current == n {
			return true
		}
	}
	return false
}

// prune keeps at most most children: the first ones, the last one, and those that stand out most.
func (n *node) prune(most int) (freed int) {
	if n.kind == object {
		most *= keptKeys
	}
	if len(n.kids) <= most {
		return 0
	}
	scores := make([]int, len(n.kids))
	for i, kid := range n.kids {
		switch scores[i] = kid.most(); {
		case kid.last == line{}: // it is open
			scores[i] = highest
		case scores[i] >= odd:
			scores[i] += atEnd
		case i == len(n.kids)-1 || kid.index < ends:
			scores[i] += atEnd
		}
	}
	limit, equal := threshold(scores, most)
	if limit == 0 { // drop what does not stand out, or half of it while the statistics are young
		equal = min(equal, most/2)
	}
	kept := n.kids[:0]
	for i, kid := range n.kids {
		switch {
		case scores[i] > limit:
		case scores[i] == limit && equal > 0:
			equal--
		default:
			freed += kid.bytes()
			continue
		}
		kept = append(kept, kid)
	}
	clear(n.kids[len(kept):])
	n.kids = kept
	return freed
}

// highest is above any score; atEnd is added for an element at an end.
const highest, atEnd = 1000, 100

// threshold returns the score above which all children are kept, and how many with that score are.
func threshold(scores []int, most int) (limit, equal int) {
	var of [highest + 1]int
	for _, s := range scores {
		of[min(s, highest)]++
	}
	left := most
	for s := highest; s > 0; s-- {
		if of[s] > left {
			return s, left
		}
		left -= of[s]
	}
	return 0, left
}

// bytes returns the size of a node and everything below it.
func (n *node) bytes() int {
	size := nodeBytes + len(n.name.head) + len(n.name.tail) + len(n.text.head) + len(n.text.tail)
	for _, kid := range n.kids {
		size += kid.bytes()
	}
	return size
}
