package proc

import (
	"os"
	"slices"
)

// depth is how closely a scan looks.
type depth int

const (
	// scanNewer looks at processes whose pid is larger than the shell's: the scan after
	// every call. Listing /proc from that pid on and reading the limit of a process costs
	// 1 to 2 µs for each; on an idle machine there is none but the shell itself.
	scanNewer depth = iota
	// scanAll looks at all processes, but for marks only at those with a smaller pid.
	scanAll
	// scanDeep looks at the state of all processes, and at the environment and the
	// descriptors of those that started later than the shell: 30 to 60 µs for each.
	scanDeep
)

// candidate is a process that may be a descendant.
type candidate struct {
	stat
	member bool
}

// scan returns the descendants that are alive, but for those that may not be signalled.
// It is not complete if a process had ended before it could be looked at: that may have
// been a descendant which has started another one. In a complete scan this cannot go
// unnoticed, as pids are given and listed in ascending order.
func (t *tree) scan(how depth) (alive []stat, complete bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lockedLearnStart()
	all, complete := t.candidates(how)
	t.spread(all)
	deep := how == scanDeep
	if deep || !t.marked {
		t.look(all, deep)
		t.spread(all)
	}

	t.known = make(map[ident]bool)
	zombies := make(map[ident]bool)
	for _, c := range all {
		if !c.alive() && (c.pid != t.pid || how == scanDeep) {
			zombies[c.ident] = true
			complete = complete && t.zombies[c.ident]
		}
		switch {
		case !c.member:
		case c.alive():
			t.known[c.ident] = true
			if !t.foreign[c.ident] {
				alive = append(alive, c.stat)
			}
		case c.parent == os.Getpid() && c.pid != t.pid:
			// Orphans become children of the host program. This one is the command's, so
			// that no one else waits for it.
			c.reap()
		}
	}
	t.zombies = zombies
	return alive, complete
}

// candidates lists the processes that started after the shell, with those marked as
// members that are for reasons of their own; complete is as in scan.
func (t *tree) candidates(how depth) (all []candidate, complete bool) {
	complete = true
	inGroup := make(map[int]bool)
	if t.cgroup != nil {
		t.cgroup.pids(inGroup)
	}
	self := os.Getpid()
	for _, pid := range t.pids(how) {
		if pid == self {
			continue
		}
		member := inGroup[pid] || t.hasMark(pid)
		if !member && how != scanDeep && t.marked && pid < t.pid {
			continue
		}
		s, ok := readStat(pid)
		if !ok {
			complete = complete && pid < t.pid && !member
		}
		if !ok || s.start < t.start {
			continue
		}
		member = member || t.known[s.ident] || !t.reaped && s.session == t.pid
		all = append(all, candidate{s, member})
	}
	return all, complete
}

// pids lists the pids to look at.
func (t *tree) pids(how depth) []int {
	if how == scanNewer && !t.reaped {
		// The shell is there at least, as a zombie. If it is not in the list, then this
		// /proc (gVisor's, for example) does not seek like that of Linux.
		pids, err := listPids(t.pid)
		if err == nil && slices.Contains(pids, t.pid) {
			return pids
		}
	}
	pids, _ := listPids(0)
	return pids
}

// spread makes members of the children of members, and of the processes in a session
// with one: a session is entered by birth only.
func (t *tree) spread(all []candidate) {
	parents, sessions := make(map[int]bool), make(map[int]bool)
	for changed := true; changed; {
		changed = false
		for i := range all {
			c := &all[i]
			if !c.member && !parents[c.parent] && !sessions[c.session] {
				continue
			}
			if !parents[c.pid] {
				c.member, changed = true, true
				parents[c.pid], sessions[c.session] = true, true
			}
		}
	}
}

// look looks into processes that are not known to be members: for the mark in their
// environment and, if pipes is set, for the output pipes. A child of the host program
// that has one is another call's, between fork and exec.
func (t *tree) look(all []candidate, pipes bool) {
	if t.strangers == nil {
		t.strangers = make(map[ident]uint8)
	}
	self := os.Getpid()
	for i := range all {
		c := &all[i]
		if c.member || !c.alive() || t.strangers[c.ident] > 1 {
			continue
		}
		c.member = hasEnv(c.pid, t.envMark) || pipes && c.parent != self && writesTo(c.pid, t.pipeLinks)
		if !c.member {
			// Looked at twice, as a process in the middle of exec has no environment.
			t.strangers[c.ident]++
		}
	}
}

// learnStart reads the shell's start time, which must happen before it is reaped.
func (t *tree) learnStart() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lockedLearnStart()
}

func (t *tree) lockedLearnStart() {
	if t.start == 0 && !t.reaped {
		if s, ok := readStat(t.pid); ok {
			t.start = s.start
		}
	}
}
