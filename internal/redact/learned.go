package redact

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

const (
	// maxLearned is the number of secrets that are looked for in every form, those that were found last.
	maxLearned = 100
	// maxPlain is the number of those that are remembered, to be looked for as they are. Of a private key, each piece
	// counts.
	maxPlain = 4096
	// minLearned and maxLearnedLen are the lengths of a secret that is remembered: a shorter one, such as a password
	// of two words, may stand elsewhere by chance.
	minLearned    = 16
	maxLearnedLen = 1 << 10
	// pieceLen is the length of the pieces of a line of a private key: what is shown of the key elsewhere may begin
	// and end within a line.
	pieceLen = 16
)

// learned are secrets that were found by their kind. Its zero value is empty. It is safe for concurrent use.
type learned struct {
	mu      sync.Mutex
	list    []remembered
	has     map[string]bool // their values
	version int             // of list
}

// secret is a value that is masked wherever it stands.
type secret struct{ value, kind string }

// remembered is a secret, or a part of a private key, which is not looked for in other forms.
type remembered struct {
	secret
	part bool
}

func (l *learned) add(value []byte, kind string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if bytes.IndexByte(value, '\n') >= 0 || bytes.Contains(value, []byte(`\n`)) {
		l.lines(string(value), kind)
	}
	if len(value) >= minLearned && len(value) <= maxLearnedLen && isSecret(string(value)) {
		l.put(secret{string(value), kind}, false)
	}
}

var escapedLines = strings.NewReplacer(`\n`, "\n", `\r`, "\n")

// lines remembers the lines of a private key, and the pieces of each but the first: many keys begin alike.
func (l *learned) lines(key, kind string) {
	key = escapedLines.Replace(key)
	lines := strings.FieldsFunc(key, func(r rune) bool { return r >= 0x80 || !base64Class[byte(r)] })
	first := true
	for _, line := range lines {
		if len(line) < minKeyLine || distinct([]byte(line)) < 8 {
			continue
		}
		l.put(secret{line, kind}, true)
		for at := 0; !first && len(line) > pieceLen && at+pieceLen <= len(line); at += pieceLen {
			if piece := line[at : at+pieceLen]; distinct([]byte(piece)) >= 8 {
				l.put(secret{piece, kind}, true)
			}
		}
		first = false
	}
}

// put remembers one value. The oldest makes room for it.
func (l *learned) put(s secret, part bool) {
	if l.has[s.value] {
		return
	}
	if l.has == nil {
		l.has = map[string]bool{}
	}
	if len(l.list) == maxPlain {
		delete(l.has, l.list[0].value)
		l.list = l.list[1:]
	}
	l.list, l.has[s.value] = append(l.list, remembered{s, part}), true
	l.version++
}

// now returns the secrets to look for in every form, and a number that is another one when something was remembered.
func (l *learned) now() ([]secret, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, _ := l.split()
	return list, l.version
}

// plain returns the others.
func (l *learned) plain() []secret {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, others := l.split()
	return others
}

// split returns those to look for in every form, the oldest first, and the others.
func (l *learned) split() (list, others []secret) {
	for _, r := range slices.Backward(l.list) {
		if !r.part && len(list) < maxLearned {
			list = append(list, r.secret)
		} else {
			others = append(others, r.secret)
		}
	}
	slices.Reverse(list)
	return list, others
}

// changed reports whether something was remembered since a version.
func (l *learned) changed(version int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.version != version
}
