package gitindex

import (
	"fmt"
	"slices"
	"strings"
)

// link is what a split index says of the one that it shares entries of.
type link struct {
	base    string // the hash of that index, "" if there is none
	deleted []int  // positions in it of entries that are gone, ascending
	changed []int  // positions in it of entries that are replaced, in their order, by the first of the split index
}

func parseLink(data string, hash int) (l link, err error) {
	r := reader{rest: data}
	base, err := r.take(hash)
	if err != nil {
		return l, err
	}
	if strings.Trim(base, "\x00") != "" {
		l.base = base
	}
	if len(r.rest) == 0 {
		return l, nil
	}
	if l.deleted, err = r.bitmap(); err == nil {
		l.changed, err = r.bitmap()
	}
	return l, err
}

// bitmap reads a compressed bitmap (EWAH), and returns the positions of its ones.
func (r *reader) bitmap() (ones []int, err error) {
	head, err := r.take(8)
	if err != nil {
		return nil, err
	}
	bits, count := number(head), number(head[4:])
	if int64(count)*8 > int64(len(r.rest)) || bits > MaxBytes/minEntry+64 {
		return nil, fmt.Errorf("%w: a bitmap does not end", ErrMalformed)
	}
	words, _ := r.take(int(count) * 8)
	if _, err = r.take(4); err != nil { // where the last marker is
		return nil, err
	}
	at := 0
	add := func(word uint64) error {
		for bit := range 64 {
			if word>>bit&1 != 0 {
				ones = append(ones, at+bit)
			}
		}
		if at += 64; at > int(bits)+64 {
			return fmt.Errorf("%w: a bitmap is longer than it says", ErrMalformed)
		}
		return nil
	}
	for len(words) > 0 {
		marker := long(words)
		words = words[8:]
		fill, run, literal := -(marker & 1), marker>>1&(1<<32-1), marker>>33
		for ; run > 0 && err == nil; run-- {
			err = add(fill)
		}
		for ; literal > 0 && err == nil; literal-- {
			if len(words) < 8 {
				return nil, fmt.Errorf("%w: a bitmap ends too early", ErrMalformed)
			}
			err = add(long(words))
			words = words[8:]
		}
		if err != nil {
			return nil, err
		}
	}
	return ones, nil
}

func long(s string) uint64 { return uint64(number(s))<<32 | uint64(number(s[4:])) }

// merge returns the entries of a split index: those of the one that it shares, but for what the link says, and its own.
func (l link) merge(base, own []Entry) ([]Entry, error) {
	beyond := func(positions []int) bool { return len(positions) > 0 && positions[len(positions)-1] >= len(base) }
	if beyond(l.deleted) || beyond(l.changed) || len(l.changed) > len(own) {
		return nil, fmt.Errorf("%w: it replaces entries that there are not", ErrMalformed)
	}
	for i, position := range l.changed {
		replaced := own[i]
		if replaced.Path != "" {
			return nil, fmt.Errorf("%w: an entry that replaces another has a path", ErrMalformed)
		}
		replaced.Path = base[position].Path
		base[position] = replaced
	}
	entries := make([]Entry, 0, len(base)+len(own)-len(l.changed))
	for i, e := range base {
		if len(l.deleted) > 0 && l.deleted[0] == i {
			l.deleted = l.deleted[1:]
			continue
		}
		entries = append(entries, e)
	}
	entries = append(entries, own[len(l.changed):]...)
	slices.SortStableFunc(entries, compare)
	return entries, nil
}

// compare orders entries as git does.
func compare(a, b Entry) int {
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	return a.Stage - b.Stage
}
