// Package told remembers what a reader was told, so that the model does not pay for it twice.
package told

import (
	"hash/maphash"
	"sync"
)

// maxHeld bounds the sets that a Store remembers; the oldest are dropped. Each takes less than 100 bytes, because
// names are hashed, with a key that no other process knows.
const maxHeld = 4096

var seed = maphash.MakeSeed()

// Set is a set of names. Its zero value is empty.
type Set struct {
	sum uint64 // of the hashes, so that the order of names does not matter
}

// SetOf returns the set of some names.
func SetOf(names ...string) (s Set) {
	for _, name := range names {
		s.Add(name)
	}
	return s
}

// Add adds a name, which must not be in the set yet.
func (s *Set) Add(name string) { s.sum += maphash.String(seed, name) }

type Message struct {
	Reader string // who is told
	Path   string // what it is about
	Kind   string // what the names in Set have in common
	Set    Set
}

// Store remembers messages. Its zero value remembers none. It is safe for concurrent use.
type Store struct {
	mu    sync.Mutex
	slots map[key]int // index of each message in order
	order []key       // a ring
	next  int         // the slot for the next message, if all are taken
}

type key struct{ reader, message uint64 }

func keyOf(m Message) key {
	return key{maphash.String(seed, m.Reader), maphash.Comparable(seed, m)}
}

// First records a message, and reports whether it is new. For concurrent calls, it is new once.
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

func (s *Store) Knows(m Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.slots[keyOf(m)]
	return known
}

// Drop forgets a message that did not arrive.
func (s *Store) Drop(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.slots, keyOf(m))
}

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

func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots, s.order, s.next = nil, nil, 0
}
