package shapes

// maxShapes bounds the shapes known at a time, and maxTexts the bytes of their first lines together.
const (
	maxShapes = 4096
	maxTexts  = 384 << 10
)

// maxPlaces is how many failing lines of a shape are kept, and maxResults how many if each names another thing.
const (
	maxPlaces  = 3
	maxResults = 32
)

// shape is what is known of the lines of one shape.
type shape struct {
	hash        uint64
	count       int
	met         int // of these, compared ones
	first, last int // line numbers
	text        int // where the first line begins in table.texts
	length      int // how much of it is there
	size        int // the size of that line in bytes
	kind        kind
	exact       bool // each line must be judged by itself
	passed      bool // it reports a success
	whole       bool // it is a sum of everything that ran
	hushed      bool // its level is for debugging
	odd         bool // it has no layout
	result      bool // its words describe a test, and make no shape of their own
	twin        bool // only a word of state shows the failure
	late        bool // found only after its first line
}

type table struct {
	shapes []shape
	texts  []byte
	index  []uint16 // open addressing: 1 + the index in shapes, or 0

	seen   int // number of lines
	lost   int // lines whose shapes were forgotten
	before int // value of seen at the last forget

	gone [fails + 1]int // lost lines by kind

	twins twins
}

func (t *table) slot(hash uint64) int { return int(hash>>32) & (len(t.index) - 1) }

func (t *table) find(hash uint64) int {
	if t.index == nil {
		return -1
	}
	for at := t.slot(hash); t.index[at] != 0; at = (at + 1) & (len(t.index) - 1) {
		if i := int(t.index[at]) - 1; t.shapes[i].hash == hash {
			return i
		}
	}
	return -1
}

// full reports whether there may be no room for another shape.
func (t *table) full() bool { return len(t.shapes) == maxShapes || len(t.texts)+maxLine > maxTexts }

func (t *table) add(hash uint64, j judgement, text []byte, size, line int) int {
	if t.index == nil {
		t.index = make([]uint16, 2*maxShapes)
	}
	s := shape{hash: hash, first: line, size: size, text: len(t.texts), length: len(text)}
	s.kind, s.exact, s.passed, s.whole, s.hushed = j.kind, j.exact, j.passed, j.whole, j.hushed
	s.result = j.family == aVerdict || j.family == aMark
	t.texts = append(withRoom(t.texts, len(text), maxTexts), text...)
	t.shapes = append(withRoom(t.shapes, 1, maxShapes), s)
	t.enter(len(t.shapes) - 1)
	return len(t.shapes) - 1
}

// compare finds out whether a shape that is new, or had no good twin so far, is a failing twin.
func (t *table) compare(i int, tokens []token) {
	if t.shapes[i].passed || t.shapes[i].kind > warns {
		return
	}
	t.twins.meet(tokens, i, func(twin int) {
		s := &t.shapes[twin]
		s.kind, s.twin, s.late = fails, true, twin != i
	})
}

// withRoom returns a list with room for n more elements, and a capacity of at most most.
func withRoom[T any](list []T, n, most int) []T {
	if len(list)+n <= cap(list) {
		return list
	}
	return append(make([]T, 0, min(max(2*len(list), len(list)+n), most)), list...)
}

func (t *table) enter(i int) {
	at := t.slot(t.shapes[i].hash)
	for t.index[at] != 0 {
		at = (at + 1) & (len(t.index) - 1)
	}
	t.index[at] = uint16(i + 1)
}

// count counts n lines of a shape. The last one is number line, and met of them were compared.
func (t *table) count(i, n, met, line int) {
	s := &t.shapes[i]
	s.count += n
	s.met += met
	s.last = line
	t.seen += n
}

// settled reports whether further lines of a shape only need to be counted.
func (t *table) settled(i int) bool {
	s := &t.shapes[i]
	return s.kind == nothing || s.count >= s.places()
}

// places returns how many failing lines of a shape are kept.
func (s *shape) places() int {
	if s.result {
		return maxResults
	}
	return maxPlaces
}

// common reports whether a shape has so many lines that none of them stands out.
func (t *table) common(i int) bool {
	n := t.shapes[i].count
	return n > 16 && n > t.seen/500
}

// forget drops the shapes with the fewest lines, at least half of all. It reports whether nearly all lines since the
// last call differed from each other.
func (t *table) forget() (unlike bool) {
	lost := 0
	for few := 1; 2*len(t.shapes) > maxShapes || 2*len(t.texts) > maxTexts; few *= 2 {
		kept, texts := t.shapes[:0], t.texts[:0]
		for _, s := range t.shapes {
			if s.count <= few {
				lost += s.count
				t.gone[s.kind] += s.count
				continue
			}
			text := t.texts[s.text : s.text+s.length]
			s.text = len(texts)
			texts = append(texts, text...)
			kept = append(kept, s)
		}
		t.shapes, t.texts = kept, texts
	}
	clear(t.index)
	t.twins = twins{}
	var buffer [maxTokens]token
	for i := range t.shapes {
		t.enter(i)
		t.compare(i, tokenize(t.line(&t.shapes[i]).Text, &buffer))
	}
	recent := t.seen - t.before
	t.lost, t.before = t.lost+lost, t.seen
	return 2*lost > recent
}

func (t *table) line(s *shape) Line {
	return Line{Number: s.first, Bytes: s.size, Text: t.texts[s.text : s.text+s.length]}
}
