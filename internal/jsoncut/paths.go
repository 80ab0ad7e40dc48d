package jsoncut

import "bytes"

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
	mapKeys  = 32   // keys from which on an object may be a map
	anyKeys  = 256  // keys from which on it is one, whatever it holds
)

func (p *paths) root() *path { return &p.top }

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
	if n.kind <= array { // in a tree, all levels are alike
		for up := in; up != nil; up = up.parent {
			if up.key == key && key != "" && up.kinds[1-n.kind] == 0 {
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
	at := &path{parent: in, key: key}
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
	if len(p.next) < anyKeys && most*10 < len(n.kids)*9 {
		return false
	}
	p.in = object
	p.all = &path{parent: p}
	p.next = nil
	return true
}

// isStruct reports whether the keys of the objects at a place are those of a struct: most of them are in most objects.
func (p *path) isStruct() bool {
	return (p.all == nil || p.in != object) && len(p.next)*p.kinds[object] <= 3*p.members+2*p.kinds[object]
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
	hash [16]uint32
	n    [16]int32
	used int
	free bool // they are many
}

func (t *tally) add(hash uint32) {
	if t.free {
		return
	}
	all, most := 0, 0
	for i := range t.used {
		if t.hash[i] == hash {
			t.n[i]++
			return
		}
		all, most = all+int(t.n[i]), max(most, int(t.n[i]))
	}
	if t.used < len(t.hash) {
		t.hash[t.used], t.n[t.used] = hash, 1
		t.used++
		return
	}
	if most*4 < all*3 {
		t.free = true
		return
	}
	for i := range t.used { // one value is nearly all: the rarest of the others goes
		if t.n[i] == 1 {
			copy(t.hash[i:], t.hash[i+1:])
			copy(t.n[i:], t.n[i+1:])
			t.hash[t.used-1], t.n[t.used-1] = hash, 1
			return
		}
	}
	t.free = true
}

// common reports whether a value is one of few, and not rare.
func (t *tally) common(hash uint32) bool {
	for i := range t.used {
		if t.hash[i] == hash {
			return !t.free && t.n[i] > 2 && !t.rare(hash, true)
		}
	}
	return false
}

// rare reports whether a value is rare among few common ones: very few, unless they are words.
func (t *tally) rare(hash uint32, words bool) bool {
	if t.free {
		return false
	}
	all, n, most := 0, 0, 0
	for i := range t.used {
		all, most = all+int(t.n[i]), max(most, int(t.n[i]))
		if t.hash[i] == hash {
			n = int(t.n[i])
		}
	}
	return rare(n, all) && (most*2 >= all && t.used*3 <= all || t.used*6 <= all && (words || t.used <= 4))
}

// rare reports whether n of all is unlike the others.
func rare(n, all int) bool { return all >= 6 && n <= max(all/50, 1+all/30) && n*5 <= all }

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
