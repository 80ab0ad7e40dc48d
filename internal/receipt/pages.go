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
	// maxShown bounds the size of all entries together: half a million lines. The least recently used go first.
	maxShown = 8 << 20
	// shownLineSize is the size of a line.
	shownLineSize = 16
	// insisted is the number of pages after a receipt within which a call for the same lines, unchanged, means them and
	// not another receipt.
	insisted = 4
	// entrySize is the size of an entry without its names and lines.
	entrySize = 512
)

var seed = maphash.MakeSeed()

// run is the lines from start up to but not including end, counted from 1.
type run struct{ start, end int }

// LineSum identifies the text of a line, with its newline.
type LineSum uint64

// LineSumOf returns the sum of a line.
func LineSumOf(line string) LineSum { return LineSum(maphash.String(seed, line)) }

// Page is consecutive lines of a file, as a result shows them.
type Page struct {
	Path  string    // of the file, without links
	Name  string    // by which it was read; of one that is Repeated, then
	First int       // number of the first line, from 1
	Sums  []LineSum // of the lines
	Total int       // lines of the file
	// Repeated says that some of the lines were only named, because they were shown before.
	Repeated bool
}

func (p Page) end() int { return p.First + len(p.Sums) }

func (r run) overlaps(p Page) bool { return r.start < p.end() && p.First < r.end }

// Same is lines of a page that were shown before, which has changed none of them.
type Same struct {
	First, Last int
	Was         int // the number that First had
}

// Before is what was shown before of the lines of a page.
type Before struct {
	Same  []Same // in order
	Name  string // by which the file was read then
	Total int    // lines that it had when it was last read
}

// Pages remembers, for each of several readers, the lines of files that were shown last under their numbers, in bounded
// memory. Its zero value is empty. It is safe for concurrent use.
type Pages struct {
	mu      sync.Mutex
	readers map[string]*pageReader
	order   list.List // of shownEntry pointers, the most recently used first
	held    int
	puts    int // pages that were put
	forgets int // how often something was forgotten on request
}

// pageReader is what was shown to one reader.
type pageReader struct {
	files map[string]*list.Element
	pages int // that were put
}

type shownEntry struct {
	reader, path string
	name         string // by which the lines were read
	total        int
	lines        []shownLine // in order
	put          int         // Pages.puts when the last page was put

	receipt   run // around the lines that were last named without being shown
	receiptAt int // pageReader.pages then
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

// Begin returns the present moment. What is shown to the reader after it does not count for the call that begins.
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

// Forget forgets everything.
func (s *Pages) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgets++
	s.readers, s.held = nil, 0
	s.order.Init()
}

// ForgetReader forgets what was shown to a reader.
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

// find returns the entry of a file, or nil.
func (s *Pages) find(reader, path string) (*pageReader, *list.Element) {
	r := s.readers[reader]
	if r == nil {
		return nil, nil
	}
	return r, r.files[path]
}

// Before returns what was shown of a page before a moment. ok is false if nothing was, or if the page is to be shown
// again all the same: the reader asks for lines that a receipt has named only just now.
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

// Put remembers that a page was shown by a call that began at a moment, unless something was forgotten since.
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

// set puts an entry in the place of an older one, for a reader to whom so many pages were shown.
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
		e.lines = nil // they were shown by another name
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

// at returns the index of the first line that has the number or a higher one.
func (e *shownEntry) at(number int) int {
	i, _ := slices.BinarySearchFunc(e.lines, number, func(l shownLine, n int) int { return l.number - n })
	return i
}

// minSame is the number of lines in a row that count as shown before. Fewer, such as braces, are alike by chance; they
// are shown, unless they are all of the page.
const minSame = 3

// maxCandidates is the number of places to which a line may have moved that are looked at.
const maxCandidates = 16

// same returns the lines of a page that were shown, where they had the same number or have moved together.
func (e *shownEntry) same(p Page) (same []Same) {
	least := min(minSame, len(p.Sums))
	var places map[LineSum][]int // indexes in e.lines
	moved, after := 0, 0         // by how much the last ones have, and the index after them
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

// common returns how many of the sums are those of the lines from an index on, which must follow one another.
func (e *shownEntry) common(sums []LineSum, at int) (n int) {
	for n < len(sums) && at+n < len(e.lines) && e.lines[at+n] == (shownLine{e.lines[at].number + n, sums[n]}) {
		n++
	}
	return n
}

// places returns where each line is.
func (e *shownEntry) places() map[LineSum][]int {
	places := make(map[LineSum][]int, len(e.lines))
	for i, l := range e.lines {
		places[l.sum] = append(places[l.sum], i)
	}
	return places
}

// moved returns the first of the places from an index on at which at least so many lines are the sums, and how many
// are.
func (e *shownEntry) moved(sums []LineSum, places []int, after, least int) (at, n int) {
	first, _ := slices.BinarySearch(places, after)
	for _, at := range places[first:min(len(places), first+maxCandidates)] {
		if n := e.common(sums, at); n >= least {
			return at, n
		}
	}
	return 0, 0
}
