package redact

import (
	"slices"
	"sync"
)

const (
	// maxLearned is the number of secrets that are remembered, those that were found last.
	maxLearned = 100
	// minLearned and maxLearnedLen are the lengths of a secret that is remembered: a shorter one, such as a password
	// of two words, may stand elsewhere by chance.
	minLearned    = 16
	maxLearnedLen = 1 << 10
)

// learned are secrets that were found by their kind. Its zero value is empty. It is safe for concurrent use.
type learned struct {
	mu      sync.Mutex
	list    []secret
	version int // of list, which is never changed in place
}

// secret is a value that is masked wherever it stands.
type secret struct{ value, kind string }

// add remembers a secret.
func (l *learned) add(value []byte, kind string) {
	if len(value) < minLearned || len(value) > maxLearnedLen || !isSecret(string(value)) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.ContainsFunc(l.list, func(s secret) bool { return s.value == string(value) }) {
		return
	}
	list := append(slices.Clone(l.list), secret{string(value), kind})
	l.list = list[max(0, len(list)-maxLearned):]
	l.version++
}

// now returns the secrets, and a number that is another one when they are.
func (l *learned) now() ([]secret, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list, l.version
}
