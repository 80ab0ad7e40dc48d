package loop

import (
	"context"
	"slices"

	"github.com/spillway-go/spillway/tools"
)

const (
	// DefaultContext is the number of tokens that a model is taken to have room for.
	DefaultContext = 200_000
	// bytesPerToken and imageBytes are rough: a provider that counts tokens knows better.
	bytesPerToken = 4
	imageBytes    = 1600 * bytesPerToken
)

// Shelved is a line that a model sees from now on in place of the result of an earlier call.
type Shelved struct {
	ID   string // of the call
	Line string
}

// memory is what the model has in its context, and is sent again with each of its turns. Once that
// is half full, the oldest results are shelved until a quarter is left: many at once, because a
// provider's cache ends at the first change.
type memory struct {
	suite *tools.Suite
	room  int // bytes

	held    int      // bytes in the context
	all     int      // bytes that would be there if nothing were shelved
	results []Answer // those that are there in full, the oldest first

	shelved  int   // results
	sent     int64 // bytes, in all turns
	sentElse int64 // bytes that would have been sent if nothing were shelved
}

func newMemory(suite *tools.Suite, tokens int) *memory {
	if tokens <= 0 {
		tokens = DefaultContext
	}
	return &memory{suite: suite, room: tokens * bytesPerToken}
}

// copied returns the memory as it is, for restore.
func (m *memory) copied() memory {
	c := *m
	c.results = slices.Clone(m.results)
	return c
}

// restore brings back what was in the context once. What was shelved meanwhile may be shelved again.
func (m *memory) restore(was memory) {
	m.held, m.all, m.results = was.held, was.all, was.results
}

// add counts what was said.
func (m *memory) add(bytes int) {
	m.held += bytes
	m.all += bytes
}

// turn counts what a turn of the model costs.
func (m *memory) turn() {
	m.sent += int64(m.held)
	m.sentElse += int64(m.all)
}

// addResults takes in the results of a turn and, if it is time, shelves older ones: these the
// model has not seen yet. After an error what could not be shelved stays in the context.
func (m *memory) addResults(ctx context.Context, results []Answer) (lines []Shelved, err error) {
	for _, a := range results {
		m.add(resultBytes(a.Result))
	}
	if m.held > m.room/2 {
		lines, err = m.shelve(ctx)
	}
	m.results = append(m.results, results...)
	return lines, err
}

func (m *memory) shelve(ctx context.Context) (lines []Shelved, err error) {
	for len(m.results) > 0 && m.held > m.room/4 {
		oldest := m.results[0]
		line, err := m.suite.Shelve(ctx, oldest.Result)
		if err != nil {
			return lines, err
		}
		m.results = m.results[1:]
		if saved := resultBytes(oldest.Result) - len(line); saved > 0 {
			lines = append(lines, Shelved{oldest.Call.ID, line})
			m.held -= saved
			m.shelved++
		}
	}
	return lines, nil
}

func resultBytes(res tools.Result) int { return len(res.Text) + len(res.Images)*imageBytes }
