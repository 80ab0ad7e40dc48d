package receipt

import (
	"container/list"
	"hash/maphash"
	"slices"
	"sync"
)

const (
	// maxShownLines bounds the lines that are remembered of a file for a reader. With more, only the latest page is.
	maxShownLines = 16 << 10
	// maxShown bounds the size of all entries together: half a million lines. The least recently used are dropped
	// first.
	maxShown      = 8 << 20
	shownLineSize = 16
	// insisted is the number of pages after a receipt within which a second call for the same unchanged lines gets the
	// lines themselves.
	insisted = 4
	// entrySize is the size of an entry without its names and lines.
	entrySize = 512
)

var seed = maphash.MakeSeed()

// run is the lines from start up to but not including end, counted from 1.
type run struct{ start, end int }

// LineSum identifies the text of a line, with its newline.
type LineSum uint64

func LineSumOf(line string) LineSum { return LineSum(maphash.String(seed, line)) }

// Page is a run of lines of a file in a result.
type Page struct {
	Path  string    // of the file, without links
	Name  string    // the name used to read it; if Repeated, the former name
	First int       // number of the first line, from 1
	Sums  []LineSum // of the lines
	Total int       // lines of the file
	// Repeated says that some of the lines were only named, because they were shown before.
	Repeated bool
}

func (p Page) end() int { return p.First + len(p.Sums) }

func (r run) overlaps(p Page) bool { return r.start < p.end() && p.First < r.end }

// Same is lines of a page that were shown before and have not changed.
type Same struct {
	First, Last int
	Was         int // the former number of First
}

// Before is the part of a page that was shown before.
type Before struct {
	Same  []Same // in order
	Name  string // the name used to read the file then
	Total int    // number of lines when last read
}

// Pages remembers, for each of several readers, the last shown lines of files with their numbers, in bounded memory.
// Its zero value is empty. It is safe for concurrent use.
type Pages struct {
	mu      sync.Mutex
	readers map[string]*pageReader
	order   list.List // of shownEntry pointers, the most recently used first
	held    int
	puts    int // number of calls of Put
	forgets int // how often something was forgotten on request
}

type pageReader struct {
	files map[string]*list.Element
	pages int // number of pages put
}

type shownEntry struct {
	reader, path string
	name         string // the name used to read the lines
	total        int
	lines        []shownLine // in order
	put          int         // Pages.puts at the last page

	receipt   run // around the lines that were last named without being shown
	receiptAt int // pageReader.pages at that time
}

// shownLine is a line and the number under which it was shown.
type shownLine struct {
	number int
	sum    LineSum
}

func (e *shownEntry) size() int {
	return entrySize + len(e.reader) + len(e.path) + len(e.name) + shownLineSize*len(e.lines)
}

// Moment is the beginning of a call of a reader.
type Moment struct {
	reader        string
	puts, forgets int
}

// Begin returns the present moment. What is shown to the reader later does not count for the call that begins.
func (s *Pages) Begin(reader string) Moment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Moment{reader, s.puts, s.forgets}
}

// Forgot reports whether something was forgotten on request since the moment.
func (s *Pages) Forgot(m Moment) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forgets != m.forgets
}

func (s *Pages) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgets++
	s.readers, s.held = nil, 0
	s.order.Init()
}

func (s *Pages) ForgetReader(reader string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgets++
	if r := s.readers[reader]; r != nil {
		for _, at := range r.files {
			s.remove(at)
		}
	}
}

func (s *Pages) remove(at *list.Element) {
	e := s.order.Remove(at).(*shownEntry)
	s.held -= e.size()
	r := s.readers[e.reader]
	if delete(r.files, e.path); len(r.files) == 0 {
		delete(s.readers, e.reader)
	}
}

func (s *Pages) find(reader, path string) (*pageReader, *list.Element) {
	r := s.readers[reader]
	if r == nil {
		return nil, nil
	}
	return r, r.files[path]
}

// Before returns what was shown of a page before a moment. ok is false if nothing was, or if the page must be shown
// again: the reader asks for lines that a receipt has just named.
func (s *Pages) Before(m Moment, p Page) (before Before, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, at := s.find(m.reader, p.Path)
	if at == nil || s.forgets != m.forgets {
		return before, false
	}
	e := at.Value.(*shownEntry)
	if e.put > m.puts || r.pages-e.receiptAt < insisted && e.named(p) {
		return before, false
	}
	s.order.MoveToFront(at)
	return Before{e.same(p), e.name, e.total}, true
}

// named reports whether lines of a page were named last, and have not changed since.
func (e *shownEntry) named(p Page) bool {
	from, upto := max(p.First, e.receipt.start), min(p.end(), e.receipt.end)
	for n := from; n < upto; n++ {
		at := e.at(n)
		if at == len(e.lines) || e.lines[at] != (shownLine{n, p.Sums[n-p.First]}) {
			return false
		}
	}
	return from < upto
}

// Put records that a page was shown by a call that began at a moment, unless something was forgotten since.
func (s *Pages) Put(m Moment, p Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forgets != m.forgets || len(p.Sums) == 0 {
		return
	}
	s.puts++
	e, pages := shownEntry{reader: m.reader, path: p.Path}, 0
	if r, at := s.find(m.reader, p.Path); r != nil {
		pages = r.pages
		if at != nil {
			e = *at.Value.(*shownEntry)
		}
	}
	e.add(p, pages)
	e.put = s.puts
	s.set(&e, pages+1)
}

// Drop forgets the lines of a page that the reader of a call did not get.
func (s *Pages) Drop(m Moment, p Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, at := s.find(m.reader, p.Path); at != nil {
		e := *at.Value.(*shownEntry)
		e.lines = slices.Concat(e.lines[:e.at(p.First)], e.lines[e.at(p.end()):])
		s.set(&e, r.pages)
	}
}

// set replaces an entry. pages is the number of pages shown to its reader.
func (s *Pages) set(e *shownEntry, pages int) {
	if s.readers == nil {
		s.readers = map[string]*pageReader{}
	}
	r := s.readers[e.reader]
	if r == nil {
		r = &pageReader{files: map[string]*list.Element{}}
		s.readers[e.reader] = r
	}
	r.pages = pages
	if at := r.files[e.path]; at != nil {
		s.held -= at.Value.(*shownEntry).size()
		at.Value = e
		s.order.MoveToFront(at)
	} else {
		r.files[e.path] = s.order.PushFront(e)
	}
	s.held += e.size()
	for s.held > maxShown {
		s.remove(s.order.Back())
	}
}

// add adds a page, which is the reader's number pages.
func (e *shownEntry) add(p Page, pages int) {
	if e.name != p.Name {
		e.lines = nil // they were shown under another name
	}
	switch {
	case !p.Repeated && e.receipt.overlaps(p):
		e.receipt = run{}
	case !p.Repeated:
	case e.receipt != run{} && pages-e.receiptAt < insisted:
		e.receipt, e.receiptAt = run{min(e.receipt.start, p.First), max(e.receipt.end, p.end())}, pages
	default:
		e.receipt, e.receiptAt = run{p.First, p.end()}, pages
	}
	e.name, e.total = p.Name, p.Total
	shown := make([]shownLine, len(p.Sums))
	for i, sum := range p.Sums {
		shown[i] = shownLine{p.First + i, sum}
	}
	from, upto := e.at(p.First), e.at(p.end())
	if len(e.lines)-(upto-from)+len(shown) <= maxShownLines {
		shown = slices.Concat(e.lines[:from], shown, e.lines[upto:])
	}
	e.lines = slices.Clip(shown[:min(len(shown), maxShownLines)])
}

// at returns the index of the first line with the number or a higher one.
func (e *shownEntry) at(number int) int {
	i, _ := slices.BinarySearchFunc(e.lines, number, func(l shownLine, n int) int { return l.number - n })
	return i
}

// minSame is the number of consecutive lines that count as shown before. Fewer, such as braces, are equal by chance;
// they are shown, unless they are the whole page.
const minSame = 3

// maxCandidates bounds the places to which a line may have moved that are examined.
const maxCandidates = 16

// same returns the lines of a page that were shown, with the same numbers or moved together.
func (e *shownEntry) same(p Page) (same []Same) {
	least := min(minSame, len(p.Sums))
	var places map[LineSum][]int // indexes in e.lines
	moved, after := 0, 0         // by how much the last lines moved, and the index after them
	for i := 0; i < len(p.Sums); {
		at := e.at(p.First + i - moved)
		n := e.common(p.Sums[i:], max(at, after))
		if n < least || e.lines[max(at, after)].number != p.First+i-moved {
			if places == nil {
				places = e.places()
			}
			if at, n = e.moved(p.Sums[i:], places[p.Sums[i]], after, least); n == 0 {
				i++
				continue
			}
		}
		was := e.lines[at].number
		same = append(same, Same{p.First + i, p.First + i + n - 1, was})
		moved, after = p.First+i-was, at+n
		i += n
	}
	return same
}

// common returns how many of the sums equal those of consecutive lines from an index on.
func (e *shownEntry) common(sums []LineSum, at int) (n int) {
	for n < len(sums) && at+n < len(e.lines) && e.lines[at+n] == (shownLine{e.lines[at].number + n, sums[n]}) {
		n++
	}
	return n
}

func (e *shownEntry) places() map[LineSum][]int {
	places := make(map[LineSum][]int, len(e.lines))
	for i, l := range e.lines {
		places[l.sum] = append(places[l.sum], i)
	}
	return places
}

// moved returns the first of the places from index after on where at least least lines equal the sums, and how many
// do.
func (e *shownEntry) moved(sums []LineSum, places []int, after, least int) (at, n int) {
	first, _ := slices.BinarySearch(places, after)
	for _, at := range places[first:min(len(places), first+maxCandidates)] {
		if n := e.common(sums, at); n >= least {
			return at, n
		}
	}
	return 0, 0
}
