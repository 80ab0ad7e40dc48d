package shapes

// twins finds failures that only a word of state shows: a line that equals another except for that word, which is a
// good one there.
type twins struct {
	good map[uint64]bool     // lines without their good word, by hash
	bad  map[uint64][]uint16 // the shapes of lines without their bad word, by hash
}

// maxStates is how many words of state in a line are tried.
const maxStates = 4

const stated token = indented + 1

// meet takes the tokens of a new shape, and calls failing with each shape that is found to be a failing twin.
func (t *twins) meet(tokens []token, shape int, failing func(shape int)) {
	tried := 0
	for at, tok := range tokens {
		s := unsaid
		if tok.literal() || tok&shortWord != 0 {
			s = stateOf[tok]
		}
		if s == unsaid || at > 0 && tokens[at-1] == comma { // a column of a table may have any value
			continue
		}
		if next := at + 1; next < len(tokens) && (tokens[next] == ':' || tokens[next] == '=') { // it is a key
			continue
		}
		if tried++; tried > maxStates {
			return
		}
		if t.good == nil {
			t.good, t.bad = map[uint64]bool{}, map[uint64][]uint16{}
		}
		tokens[at] = stated
		key := sum(tokens)
		tokens[at] = tok
		switch {
		case s == good:
			t.good[key] = true
			for _, twin := range t.bad[key] {
				failing(int(twin))
			}
			delete(t.bad, key)
		case t.good[key]:
			failing(shape)
		default:
			t.bad[key] = append(t.bad[key], uint16(shape))
		}
	}
}
