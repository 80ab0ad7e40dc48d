package jsoncut

import (
	"bytes"
	"slices"
)

// path is a place in the document, for all elements of an array alike, and what was seen there. Its methods take nil
// for a place that is not known.
type path struct {
	parent *path
	key    string // the key of its values; "" in an array
	in     kind   // object or array
	next   map[string]*path
	all    *path // of all elements of an array, and of all members of an object that is a map

	seen    int
	kinds   [kinds]int
	values  tally // of scalars
	shapes  tally // of keys
	members int   // of objects
	says    int   // values that say that something failed
	class   class // of the key
}

// paths are the places that were seen.
type paths struct {
	top   path
	count int
}

const (
	maxPaths = 2048 // beyond that many, places are not told apart
	mapKeys  = 32   // keys from which on an object may be a map: structs hardly have as many
	anyKeys  = 256  // keys from which on it is one, whatever it holds

	// mostAlike is the share of the values of a map, in percent, that are of one kind: some may be null, or missing in
	// another form.
	mostAlike = 90

	// An object is a struct where its place has at most so many keys for each key that an object has: each is in a third
	// of the objects. A few more are allowed, so that one with few keys may lack most of them.
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

// note counts a node that is complete.
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

// becomesMap reports whether it is clear now that an object is a map: its keys are names of things, and all its values
// are alike.
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

// isStruct reports whether the keys of the objects at a place are those of a struct: most of them are in most objects.
func (p *path) isStruct() bool {
	objects := p.kinds[object]
	return (p.all == nil || p.in != object) && len(p.next)*objects <= keysForEach*p.members+keysMore*objects
}

// retell notes a node again where its place has changed.
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

// tally counts values while they are few.
type tally struct {
	hash [fewValues]uint32
	n    [fewValues]int32
	used int
	free bool // they are many
}

const (
	fewValues = 16

	// nearlyAll is the share, in percent, that the most frequent value has where new ones take the place of the rarest.
	// Where none has as much, the values are free.
	nearlyAll = 75

	// commonFrom is how often a value was met that is common: twice may be chance.
	commonFrom = 3

	// A value tells by being rare where there are at least so many values for each that is different. Few are needed where
	// one of them is half of all; otherwise more are, and the different ones must be words, or no more than a few.
	forEachOfHalf, forEach, fewNumbers = 3, 6, 4
)

// sum returns how many values were counted, and how often the most frequent of them was met.
func (t *tally) sum() (all, most int) {
	for _, n := range t.n[:t.used] {
		all, most = all+int(n), max(most, int(n))
	}
	return all, most
}

// of returns how often a value was met.
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
	// rareAmong is how many there must be for one of them to be rare: of fewer, one is a good part.
	rareAmong = 6
	// rareEach is for how many more one more of them is rare, too: a thing that fails may do so twice in a long list.
	rareEach = 30
)

// rare reports whether n of all is unlike the others.
func rare(n, all int) bool { return all >= rareAmong && n <= 1+all/rareEach }

// hash returns a number that equal texts share, and URLs of one server.
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

// keys returns a number that objects with the same keys share.
func (n *node) keys() (sum uint32) {
	for _, kid := range n.kids {
		sum += kid.name.hash() * 2654435761
	}
	return sum
}
