package jsoncut

import (
	"cmp"
	"math"
	"slices"
)

// order decides which values of a document are shown first.
type order struct {
	root    *node
	telling []telling
	next    int
}

// telling marks an anomalous value: a scalar or an empty container.
type telling struct {
	*node
	score int
}

const (
	firstTelling = 16      // values that stand out, with those beside them, before everything else
	sameTelling  = 3       // values that stand out for the same reason, before the others
	beside       = 8       // scalars in the same object
	inContainer  = 6       // values in a container that stands out
	tellsFrom    = odd - 5 // how much of a container's score reaches the next level
	sampled      = 32      // containers that show both ends before everything else
	sampleOf     = 4       // scalars of an element at an end
	shortArray   = 8       // largest array that is shown like other containers

	// Other anomalous values in the same object raise the score of a value, and others at the same place lower it, up
	// to a bound: neither outweighs the value itself.
	company, mostCompany = 5, 20
	mostUsual            = 25
)

func (o *order) sort() {
	o.find(o.root, 0)
	o.weigh()
	slices.SortStableFunc(o.telling, func(a, b telling) int { return cmp.Compare(b.score, a.score) })
	o.spread()
	first := o.telling[:min(len(o.telling), firstTelling)]
	o.tell(first)
	o.sample()
	for rest := o.telling[len(first):]; len(rest) > 0; {
		n := min(len(rest), firstTelling)
		o.tell(rest[:n])
		rest = rest[n:]
	}
	o.fill()
	o.root.settle()
}

// fill shows everything else, from the outside in, but no more of long arrays.
func (o *order) fill() {
	level := []*node{o.root}
	for len(level) > 0 {
		var deeper []*node
		for _, n := range level {
			o.show(n)
			for i, kid := range n.kids {
				if n.kind == object || n.count <= shortArray || kid.index < ends || i == len(n.kids)-1 || kid.stands {
					deeper = append(deeper, kid)
				}
			}
		}
		level = deeper
	}
}

// find collects anomalous values. above is the score of a container around n.
func (o *order) find(n *node, above int) {
	n.at, n.wide, n.stands = math.MaxInt, false, false
	score := n.score()
	if n.kind.holds() && len(n.kids) > 0 {
		for i, kid := range n.kids {
			inherited := 0
			if s := max(score, above); s >= tellsFrom && i < inContainer {
				inherited = s - 1
			}
			o.find(kid, inherited)
		}
		return
	}
	if score = max(score, above); score >= tellsFrom {
		n.wide = true
		for up := n; up != nil && !up.stands; up = up.parent {
			up.stands = true
		}
		o.telling = append(o.telling, telling{n, score})
	}
}

// weigh lowers scores at places with many anomalous values, and raises them in objects with several.
func (o *order) weigh() {
	places, objects := map[*path]int{}, map[*node]int{}
	for _, t := range o.telling {
		places[t.path]++
		objects[t.parent]++
	}
	for i := range o.telling {
		t := &o.telling[i]
		t.score += min(company*(objects[t.parent]-1), mostCompany) - min(places[t.path], mostUsual)
	}
}

// spread moves values behind the others if they stand out for the same reason as earlier ones.
func (o *order) spread() {
	type reason struct {
		path *path
		hash uint32
	}
	seen := map[reason]int{}
	var first, rest []telling
	for _, t := range o.telling {
		r := reason{t.path, t.hash}
		if seen[r]++; seen[r] <= sameTelling {
			first = append(first, t)
		} else {
			rest = append(rest, t)
		}
	}
	o.telling = append(first, rest...)
}

// tell shows anomalous values with the names of what they belong to, and then the values beside them.
func (o *order) tell(list []telling) {
	for _, t := range list {
		o.show(t.node)
		for n := t.node; n.parent != nil; n = n.parent {
			if n.parent.kind == array && n.kind == object {
				o.show(n.identity())
			}
		}
		if t.parent != nil && t.parent.kind == object {
			for _, n := range t.parent.kids {
				if n.kind == str && tells[plainKey(n.name.head)] {
					n.wide = true
					o.show(n)
				}
			}
		}
	}
	for _, t := range list {
		shown := 0
		if t.parent == nil || t.parent.kind != object {
			continue
		}
		for _, n := range t.parent.kids {
			if !n.kind.holds() && shown < beside {
				n.wide = n.wide || n.says > 0 || tells[plainKey(n.name.head)]
				o.show(n)
				shown++
			}
		}
	}
}

// tells are the keys of texts that belong to a failure.
var tells = set("message reason description detail details summary title rule ruleid code address")

// sample shows something of both ends of the outermost containers.
func (o *order) sample() {
	level, containers := []*node{o.root}, 0
	for len(level) > 0 && containers < sampled {
		var deeper []*node
		for _, n := range level {
			if containers++; containers > sampled {
				return
			}
			for i, kid := range n.kids {
				switch {
				case n.kind == object && (n == o.root || i < sampleOf), kid.index < ends, i == len(n.kids)-1:
					o.show(kid)
					if kid.kind == object {
						o.show(kid.identity())
					}
					deeper = append(deeper, kid)
				}
			}
		}
		level = deeper
	}
}

// show ranks a scalar, or a container without children, next.
func (o *order) show(n *node) {
	if n == nil || n.at < math.MaxInt || n.kind.holds() && len(n.kids) > 0 {
		return
	}
	n.at = o.next
	o.next++
}

// settle gives each container the rank of its first shown value.
func (n *node) settle() int {
	for _, kid := range n.kids {
		n.at = min(n.at, kid.settle())
	}
	return n.at
}

// names are the keys that identify an object, the best first.
var names = []string{
	"name", "title", "address", "filepath", "file", "path", "fullname", "id", "key", "number", "arn", "uid", "importpath",
	"instanceid", "functionname", "dbinstanceidentifier", "ruleid", "nodeid", "url",
}

// identity returns the scalar that names an object: its own, or one of an object in it.
func (n *node) identity() *node {
	var best *node
	rank := len(names)
	look := func(in *node) {
		for _, kid := range in.kids {
			if kid.kind != str && kid.kind != number {
				continue
			}
			if at := slices.Index(names[:rank], plainKey(kid.name.head)); at >= 0 {
				best, rank = kid, at
			}
		}
	}
	if look(n); best != nil {
		return best
	}
	for _, kid := range n.kids {
		if kid.kind == object {
			if look(kid); best != nil {
				return best
			}
		}
	}
	for _, kid := range n.kids {
		if kid.kind == str {
			return kid
		}
	}
	return nil
}
