// Package told remembers what a reader was told, so that nobody pays for it twice.
package told

import (
	"hash/maphash"
	"sync"
)

// maxHeld is the number of sets that a Store remembers, those told last. Each takes less than 100 bytes: names are
// hashed, with a key that no other process knows.
const maxHeld = 4096

var seed = maphash.MakeSeed()

// Set is a set of names. Its zero value is empty.
type Set struct {
	sum uint64 // of the hashes: the order of the names does not matter
}

// SetOf returns the set of some names.
func SetOf(names ...string) (s Set) {
	for _, name := range names {
		s.Add(name)
	}
	return s
}

// Add adds a name, which must not be in the set.
func (s *Set) Add(name string) { s.sum += maphash.String(seed, name) }

// Message is what a reader may have been told.
type Message struct {
	Reader string // who is told
	Path   string // what it is about
	Kind   string // what the names of Set have in common
	Set    Set
}

// Store remembers messages. Its zero value remembers none. It is safe for concurrent use.
type Store struct {
	mu    sync.Mutex
	slots map[key]int // where in order a message is
	order []key       // a ring
	next  int         // the slot of order that the next message takes, if all are taken
}

type key struct{ reader, message uint64 }

func keyOf(m Message) key {
	return key{maphash.String(seed, m.Reader), maphash.Comparable(seed, m)}
}

// First remembers a message, and reports whether it is new. Of several calls at once, one is the first.
func (s *Store) First(m Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := keyOf(m)
	if _, known := s.slots[k]; known {
		return false
	}
	if s.slots == nil {
		s.slots = map[key]int{}
	}
	slot := s.next
	if len(s.order) < maxHeld {
		slot = len(s.order)
		s.order = append(s.order, k)
	} else {
		if old := s.order[slot]; s.slots[old] == slot {
			delete(s.slots, old)
		}
		s.order[slot], s.next = k, (slot+1)%maxHeld
	}
	s.slots[k] = slot
	return true
}

// Knows reports whether a message is remembered.
func (s *Store) Knows(m Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.slots[keyOf(m)]
	return known
}

// Drop forgets a message, which did not arrive.
func (s *Store) Drop(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.slots, keyOf(m))
}

// ForgetReader forgets what a reader was told.
func (s *Store) ForgetReader(reader string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := maphash.String(seed, reader)
	for k := range s.slots {
		if k.reader == hash {
			delete(s.slots, k)
		}
	}
}

// Forget forgets everything.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots, s.order, s.next = nil, nil, 0
}
