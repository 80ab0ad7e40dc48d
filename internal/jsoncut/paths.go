package jsoncut

import (
	"bytes"
	"slices"
)

// path is a place in the document, shared by all elements of an array, with statistics of its values. A nil path is an
// unknown place.
type path struct {
	parent *path
	key    string // the key of its values; "" in an array
	in     kind   // object or array
	next   map[string]*path
	all    *path // for all elements of an array, and for all members of an object that is a map

	seen    int
	kinds   [kinds]int
	values  tally // of scalars
	shapes  tally // of sets of keys
	members int   // total members of its objects
	says    int   // values that report a failure
	class   class // of the key
}

type paths struct {
	top   path
	count int
}

const (
	maxPaths = 2048 // further places are not distinguished
	mapKeys  = 32   // from this many keys an object may be a map: structs hardly have as many
	anyKeys  = 256  // from this many keys it is a map, whatever it holds

	// mostAlike is the share of a map's values, in percent, that must be of one kind: some may be null, or missing in
	// another form.
	mostAlike = 90

	// Objects are structs if their place has at most so many keys for each key of an object, plus a few, so that an
	// object with few keys may lack most of them.
	keysForEach, keysMore = 3, 2
)

// of returns the place of a node in its parent.
func (p *paths) of(n *node) *path {
	in := n.parent.path
	if in == nil {
		return nil
	}
	if n.parent.kind == array || in.all != nil && in.in == object {
		if in.all == nil {
			if in.in = n.parent.kind; p.count >= maxPaths {
				return nil
			}
			p.count++
			in.all = &path{parent: in}
		}
		return in.all
	}
	if at := in.next[string(n.name.head)]; at != nil {
		return at
	}
	key := string(n.name.head)
	if n.kind.holds() { // in a tree, all levels are alike
		other := array
		if n.kind == array {
			other = object
		}
		for up := in; up != nil; up = up.parent {
			if up.key == key && key != "" && up.kinds[other] == 0 {
				return up
			}
		}
	}
	if p.count >= maxPaths {
		return nil
	}
	p.count++
	if in.next == nil {
		in.next = map[string]*path{}
	}
	at := &path{parent: in, key: key, class: classOf(n.name.head)}
	in.next[key] = at
	return at
}

// note counts a complete node.
func (p *path) note(n *node) {
	if p == nil {
		return
	}
	p.seen++
	p.kinds[n.kind]++
	if n.says > 0 {
		p.says++
	}
	switch n.kind {
	case object:
		p.members += n.count
		if n.path.all == nil || n.path.in != object {
			n.shape = n.keys()
			p.shapes.add(n.shape)
		}
	case array, null:
	default:
		p.values.add(n.hash)
	}
}

// becomesMap reports whether an object is clearly a map by now: its keys are names, and its values are alike.
func (p *path) becomesMap(n *node) bool {
	if p == nil || p.all != nil || len(p.next) < mapKeys || len(p.next)&(len(p.next)-1) != 0 || n.count != len(n.kids) {
		return false
	}
	few := n.count < mapKeys
	if objects := p.kinds[object]; len(p.next) < anyKeys && (objects == 0 && few || objects > 0 && p.isStruct()) {
		return false
	}
	var of [kinds]int
	most := 0
	for _, kid := range n.kids {
		of[kid.kind]++
		most = max(most, of[kid.kind])
	}
	if len(p.next) < anyKeys && 100*most < mostAlike*len(n.kids) {
		return false
	}
	p.in = object
	p.all = &path{parent: p}
	p.next = nil
	return true
}

// isStruct reports whether the objects at a place are structs: most of their keys are in most of them.
func (p *path) isStruct() bool {
	objects := p.kinds[object]
	return (p.all == nil || p.in != object) && len(p.next)*objects <= keysForEach*p.members+keysMore*objects
}

// retell counts a node again after its place has changed.
func (b *builder) retell(n *node) {
	n.path = b.paths.of(n)
	if n.isOpen(b.current) {
		return
	}
	n.path.note(n)
	for _, kid := range n.kids {
		b.retell(kid)
	}
}

// tally counts different values while there are few.
type tally struct {
	hash [fewValues]uint32
	n    [fewValues]int32
	used int
	free bool // there are too many
}

const (
	fewValues = 16

	// nearlyAll is the share of the most frequent value, in percent, from which new values may replace the rarest.
	// Below that, the values count as free.
	nearlyAll = 75

	// commonFrom is how often a common value must occur: twice may be chance.
	commonFrom = 3

	// The number of values for each different one from which a rare value is an anomaly: fewer if one value makes up
	// half of all; otherwise more, and the different ones must be words or very few.
	forEachOfHalf, forEach, fewNumbers = 3, 6, 4
)

// sum returns the number of counted values, and the count of the most frequent.
func (t *tally) sum() (all, most int) {
	for _, n := range t.n[:t.used] {
		all, most = all+int(n), max(most, int(n))
	}
	return all, most
}

// of returns how often a value occurred.
func (t *tally) of(hash uint32) int {
	if i := slices.Index(t.hash[:t.used], hash); i >= 0 {
		return int(t.n[i])
	}
	return 0
}

func (t *tally) add(hash uint32) {
	if t.free {
		return
	}
	if i := slices.Index(t.hash[:t.used], hash); i >= 0 {
		t.n[i]++
		return
	}
	if t.used == len(t.hash) {
		once := slices.Index(t.n[:], 1)
		if all, most := t.sum(); 100*most < nearlyAll*all || once < 0 {
			t.free = true
			return
		}
		copy(t.hash[once:], t.hash[once+1:])
		copy(t.n[once:], t.n[once+1:])
		t.used--
	}
	t.hash[t.used], t.n[t.used] = hash, 1
	t.used++
}

// common reports whether a value is one of few, and not rare.
func (t *tally) common(hash uint32) bool {
	return !t.free && t.of(hash) >= commonFrom && !t.rare(hash, true)
}

// rare reports whether a value is rare among few common ones: very few, unless they are words.
func (t *tally) rare(hash uint32, words bool) bool {
	all, most := t.sum()
	if t.free || !rare(t.of(hash), all) {
		return false
	}
	return 2*most >= all && forEachOfHalf*t.used <= all || forEach*t.used <= all && (words || t.used <= fewNumbers)
}

const (
	// rareAmong is how many values there must be for one to be rare: among fewer, one is a large share.
	rareAmong = 6
	// rareEach is for how many more values one more may still be rare: the same failure may occur twice in a long
	// list.
	rareEach = 30
)

// rare reports whether n of all values are few enough to be anomalies.
func rare(n, all int) bool { return all >= rareAmong && n <= 1+all/rareEach }

// hash returns the same number for equal texts, and for URLs of one server.
func (t text) hash() uint32 {
	h := uint32(2166136261) // FNV-1a
	source := t.head
	if at := bytes.Index(source[:min(len(source), 16)], []byte("://")); at > 0 {
		at += len("://")
		if slash := bytes.IndexByte(source[at:], '/'); slash >= 0 {
			source = source[:at+slash]
		}
	}
	for _, c := range source {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// keys returns the same number for objects with the same keys.
func (n *node) keys() (sum uint32) {
	for _, kid := range n.kids {
		sum += kid.name.hash() * 2654435761
	}
	return sum
}
