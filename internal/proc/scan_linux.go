package proc

import (
	"cmp"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// depth is how thorough a scan is.
type depth int

const (
	// scanNewer looks at processes whose pid is larger than the shell's, and is made after
	// every call. Listing /proc from that pid on and reading the limit of a process takes
	// 1 to 2 µs for each; on an idle machine only the shell is listed.
	scanNewer depth = iota
	// scanAll looks at all processes; of those with a smaller pid it reads only the mark.
	scanAll
	// scanDeep reads the state of all processes, and the environment and the descriptors of
	// those that started later than the shell, which takes 30 to 60 µs for each.
	scanDeep
)

// candidate is a process that may be a descendant.
type candidate struct {
	stat
	owner *tree // the tree that it belongs to, or nil
}

// owners finds the tree of a process by the signs of a descendant.
type owners struct {
	members  map[int]*tree    // pids in the control groups
	marks    map[uint64]*tree // marks in the limits, and in the environment
	sessions map[int]*tree
	known    map[ident]*tree
	pipes    map[string]*tree
	marked   bool         // every tree has its mark in the limits
	start    uint64       // the start time of the oldest shell
	pid      int          // the smallest pid of a shell
	older    map[int]bool // pids of processes that started before all shells; nil to remember none
}

func ownersOf(trees []*tree) owners {
	o := owners{
		members: make(map[int]*tree), marks: make(map[uint64]*tree), sessions: make(map[int]*tree),
		known: make(map[ident]*tree), pipes: make(map[string]*tree),
		marked: true, start: trees[0].start, pid: trees[0].pid,
	}
	for _, t := range trees {
		if t.cgroup != nil && t.cgroup.populated() {
			t.cgroup.pids(func(pid int) { o.members[pid] = t })
		}
		o.marks[t.mark] = t
		if !t.reaped {
			o.sessions[t.pid] = t
		}
		for id := range t.known {
			o.known[id] = t
		}
		for _, link := range t.pipeLinks {
			o.pipes[link] = t
		}
		o.marked = o.marked && t.marked
		o.start, o.pid = min(o.start, t.start), min(o.pid, t.pid)
	}
	return o
}

// markOf returns the mark in a process's limits, or another number if there is none.
func markOf(pid int) uint64 {
	var limit unix.Rlimit
	unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit)
	return limit.Cur
}

// scanner finds the processes of trees. It remembers what one scan learns for the next.
type scanner struct {
	zombies   map[ident]bool  // found by the last scan
	unrelated map[ident]uint8 // number of scans that found a process to belong to no tree
	older     map[int]bool    // pids of processes that started before all shells; valid for quickCall after then
	then      time.Time       // taken before the first of them was read
}

// forget drops what holds only for the trees of earlier scans.
func (s *scanner) forget() { s.unrelated, s.older = nil, nil }

// scan finds the live descendants of trees among the processes pids, and updates the known
// processes of each tree. A scan is incomplete if a process ended before scan could look at it:
// that process may have been a descendant that started another one. A complete scan misses
// nothing, because pids are assigned and listed in ascending order.
func (s *scanner) scan(trees []*tree, pids []int, how depth) (complete bool) {
	for _, t := range trees {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	o, all, complete := s.find(trees, pids, how)
	for _, t := range trees {
		t.known = make(map[ident]bool)
	}
	zombies := make(map[ident]bool)
	for _, p := range all {
		if !p.alive() && (how == scanDeep || o.sessions[p.pid] == nil) {
			zombies[p.ident] = true
			complete = complete && s.zombies[p.ident]
		}
		switch {
		case p.owner == nil:
		case p.alive():
			p.owner.known[p.ident] = p.stays()
		case p.parent == os.Getpid() && p.pid != p.owner.pid:
			// This orphan became a child of the host program, where nothing else waits for it.
			p.reap()
		}
	}
	s.zombies = zombies
	return complete
}

// find finds the owners of processes like scan, but changes nothing in the trees. The caller holds their mu.
func (s *scanner) find(trees []*tree, pids []int, how depth) (o owners, all []candidate, complete bool) {
	o = ownersOf(trees)
	// Reading the state of every process is most of the cost of a scan, and one end takes three scans or more. A pid
	// that was read cannot belong to another process before pids wrap around.
	if now := time.Now(); s.older == nil || now.Sub(s.then) >= quickCall {
		s.older, s.then = make(map[int]bool), now
	}
	o.older = s.older
	all, complete = o.candidates(pids, how)
	inheritOwners(all)
	if how == scanDeep || !o.marked {
		s.search(&o, all, how == scanDeep)
		inheritOwners(all)
	}
	return o, all, complete
}

// candidates lists the processes that started after the shells, each with its owner if
// something in the process itself identifies one; complete is as in scan.
func (o *owners) candidates(pids []int, how depth) (all []candidate, complete bool) {
	complete = true
	self := os.Getpid()
	for _, pid := range pids {
		if pid == self {
			continue
		}
		owner := cmp.Or(o.members[pid], o.marks[markOf(pid)])
		if owner == nil && (o.older[pid] || how != scanDeep && o.marked && pid < o.pid) {
			continue
		}
		s, ok := readStat(pid)
		if !ok {
			complete = complete && pid < o.pid && owner == nil
		}
		if ok && s.start < o.start && o.older != nil {
			o.older[pid] = true
		}
		if !ok || s.start < o.start {
			continue
		}
		all = append(all, candidate{s, cmp.Or(owner, o.known[s.ident], o.sessions[s.session])})
	}
	return all, complete
}

func (t *tree) scan(how depth) (complete bool, err error) {
	var pids []int
	if how == scanNewer {
		pids, err = listPids(t.pid)
	}
	// At least the shell must be listed, as a zombie. Otherwise this /proc (gVisor's, for example) does not seek like
	// Linux's.
	if how != scanNewer || err != nil || !slices.Contains(pids, t.pid) {
		pids, err = listAll()
	}
	if err != nil {
		return false, err
	}
	return t.scanner.scan([]*tree{t}, pids, how), nil
}

// inheritOwners gives a process the owner of its parent, or of another process in its session: a process cannot join
// the session of another.
func inheritOwners(all []candidate) {
	parents, sessions := make(map[int]*tree), make(map[int]*tree)
	for changed := true; changed; {
		changed = false
		for i := range all {
			c := &all[i]
			c.owner = cmp.Or(c.owner, parents[c.parent], sessions[c.session])
			if c.owner != nil && parents[c.pid] == nil {
				parents[c.pid], sessions[c.session] = c.owner, c.owner
				changed = true
			}
		}
	}
}

// search searches processes without an owner for a mark in their environment and, if pipes is
// set, for the output pipes. A child of the host program that holds such a pipe belongs to
// another call and is between fork and exec.
func (s *scanner) search(o *owners, all []candidate, pipes bool) {
	if s.unrelated == nil {
		s.unrelated = make(map[ident]uint8)
	}
	self := os.Getpid()
	for i := range all {
		c := &all[i]
		if c.owner != nil || !c.alive() || s.unrelated[c.ident] > 1 {
			continue
		}
		for _, mark := range envMarks(c.pid) {
			c.owner = cmp.Or(c.owner, o.marks[mark])
		}
		if c.owner == nil && pipes && c.parent != self {
			c.owner = writesTo(c.pid, o.pipes)
		}
		if c.owner == nil {
			// Each process is searched in two scans: during exec it has no environment.
			s.unrelated[c.ident]++
		}
	}
}
