// Package records makes records of sessions that never took place, for the tests of what reads records.
package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// Session returns a record of about n calls by one agent, the same for the same seed: it searches, reads, edits, runs
// tests and a server, and wastes some of its calls in each way.
func Session(n int, seed uint64) []byte {
	s := newSession("k3x9q2mf", seed)
	for s.calls < n {
		s.step()
	}
	return s.out.Bytes()
}

// session is an agent at work.
type session struct {
	out     bytes.Buffer
	random  *rand.Rand
	name    string
	now     time.Time
	calls   int
	version []int // how often each file was changed
	job     int
}

func newSession(name string, seed uint64) *session {
	s := &session{random: rand.New(rand.NewPCG(seed, 7)), name: name, version: make([]int, 24),
		now: time.Date(2026, 11, 25, 9, 30, 0, 0, time.UTC)}
	s.line(record.Line{Kind: "session", Version: 1, Session: name, Time: s.now, Workspace: "/home/ada/shop",
		Options: map[string]string{"MaxBytes": "30KB", "MaxLines": "2000", "Bash.Strategy": "tail", "Grep.Limit": "100"}})
	return s
}

// line writes a line of the record.
func (s *session) line(rec record.Line) {
	encoded, err := json.Marshal(rec)
	if err != nil {
		panic(err)
	}
	s.out.Write(append(encoded, '\n'))
}

// call records a call that begins now, and lets the time pass until it has ended and the model has thought. The text is
// that of rec, which is output unless the call failed, and what the tool says behind it.
func (s *session) call(rec record.Line, said string, args map[string]any, took time.Duration) {
	if rec.Facts == nil {
		rec.Facts = new(record.Facts)
	}
	if lines := strings.Count(strings.TrimSuffix(rec.Text, "\n"), "\n") + 1; rec.Code == "" && rec.Text != "" {
		first, _ := args["offset"].(int)
		rec.Facts.Output = []config.Lines{{At: 1, Count: lines}}
		if rec.Tool == "read" {
			rec.Facts.Output[0].Line, rec.Facts.Output[0].Path = max(first, 1), args["path"].(string)
		}
		rec.ProducedBytes, rec.ProducedLines = max(rec.ProducedBytes, len(rec.Text)), max(rec.ProducedLines, lines)
	}
	rec.Text += said
	s.calls++
	rec.Kind, rec.Session, rec.ID = "call", s.name, fmt.Sprintf("toolu_%04d", s.calls)
	rec.Time, rec.Ms = s.now, float64(took.Microseconds())/1000
	rec.Args, _ = json.Marshal(args)
	rec.ShownBytes, rec.ShownLines = len(rec.Text), strings.Count(rec.Text, "\n")+1
	rec.AtOnce = max(rec.AtOnce, 1)
	s.line(rec)
	s.now = s.now.Add(took + time.Duration(900+s.random.IntN(6000))*time.Millisecond)
}

func (s *session) step() {
	steps := []func(){
		s.search, s.search, s.page, s.page, s.page, s.edit, s.edit, s.test, s.test,
		s.wrong, s.list, s.server, s.together, s.status,
	}
	steps[s.random.IntN(len(steps))]()
}

var verbs = []string{"load", "store", "check", "price", "ship", "refund", "count", "merge"}

// file is the name of a file, and its lines as they are now.
func (s *session) file(i int) (name string, lines []string) {
	name = fmt.Sprintf("%s/%s.go", []string{"cart", "ledger", "server", "store"}[i%4], verbs[i%len(verbs)])
	r := rand.New(rand.NewPCG(uint64(i), uint64(s.version[i])))
	for n := range 180 + 40*(i%9) {
		switch n % 6 {
		case 0:
			lines = append(lines, fmt.Sprintf("func %s%d(ctx context.Context, id int) (total int, err error) {", verbs[(n+i)%len(verbs)], n))
		case 4:
			lines = append(lines, "}")
		case 5:
			lines = append(lines, "")
		default:
			number := n * 7 % 1000
			if n == 90 {
				number = r.IntN(1000)
			}
			lines = append(lines, fmt.Sprintf("\ttotal += rates[id] * %d // %s", number, verbs[n%len(verbs)]))
		}
	}
	return name, lines
}

func (s *session) page() {
	name, lines := s.file(s.random.IntN(len(s.version)))
	if s.random.IntN(3) > 0 {
		s.call(record.Line{Tool: "read", Text: strings.Join(lines, "\n")}, "", map[string]any{"path": name}, 2*time.Millisecond)
		return
	}
	half := len(lines) / 2
	s.call(record.Line{
		Tool: "read", Truncated: true, TruncatedBy: truncation.ByLines, LimitReached: true,
		ProducedBytes: len(strings.Join(lines, "\n")), ProducedLines: len(lines),
		Text: strings.Join(lines[:half], "\n"), Facts: &record.Facts{NextOffset: half + 1, Limit: half, LimitBy: "option"},
	}, fmt.Sprintf("\n\n[Showing lines 1-%d of %d. Use offset=%d to continue]", half, len(lines), half+1), map[string]any{"path": name}, 3*time.Millisecond)
	if s.random.IntN(2) == 0 {
		s.call(record.Line{Tool: "read", Text: strings.Join(lines[half:], "\n")}, "",
			map[string]any{"path": name, "offset": half + 1}, 2*time.Millisecond)
	}
}

func (s *session) search() {
	verb := verbs[s.random.IntN(len(verbs))]
	args := map[string]any{"pattern": verb + `\d+\(`, "glob": "*.go"}
	var text strings.Builder
	for n := range 5 + s.random.IntN(96) {
		fmt.Fprintf(&text, "%s/%s.go:%d: func %s%d(ctx context.Context, id int) (total int, err error) {\n", verb, verb, 6*n+1, verb, 6*n)
	}
	rec, said := record.Line{Tool: "grep", Text: text.String(), Facts: new(record.Facts)}, ""
	switch s.random.IntN(4) {
	case 0:
		rec.LimitReached, rec.ProducedBytes = true, 4*text.Len()
		rec.Facts.NextOffset, rec.Facts.Limit, rec.Facts.LimitBy = 100, 100, "option"
		said = "\n[100 matches limit reached. Use limit=200 for more, or refine pattern. Use offset=100 to continue]"
	case 1:
		rec.Facts.Skipped.Ignored = 3
		said = "\n[Skipped 3 ignored entries: build/, node_modules/, run.log. Use ignored=true to search them]"
	}
	s.call(rec, said, args, time.Duration(8+s.random.IntN(30))*time.Millisecond)
	if rec.LimitReached && s.random.IntN(2) == 0 {
		args["offset"] = 100
		s.call(record.Line{Tool: "grep", Text: text.String()[:text.Len()/2]}, "", args, 12*time.Millisecond)
	}
}

func (s *session) edit() {
	i := s.random.IntN(len(s.version))
	name, _ := s.file(i)
	s.version[i]++
	s.call(record.Line{Tool: "edit", Text: "Replaced 1 place in " + name + "\n@@ -91 +91 @@\n-\told\n+\tnew",
		Facts: changed(tools.FileChange{Path: name, LinesAdded: 1, LinesRemoved: 1})}, "",
		map[string]any{"path": name, "old_string": "\ttotal += 1\n\treturn", "new_string": "\ttotal += 2\n\treturn"}, 4*time.Millisecond)
}

// changed returns the facts of a call that has changed files.
func changed(files ...tools.FileChange) *record.Facts {
	return &record.Facts{Changed: len(files), Changes: files}
}

func (s *session) test() {
	full := fmt.Sprintf("bash-%08x.log", s.random.Uint32())
	var text strings.Builder
	command := []string{"go test -v ./...", "go test -v ./ledger -run Rollback", "go test -v ./cart", "make check", "go vet ./... && go test -v ./store"}[s.random.IntN(5)]
	for n := range 40 + s.random.IntN(260) {
		fmt.Fprintf(&text, "=== RUN   TestLedger/step_%d\n--- PASS: TestLedger/step_%d (0.0%ds)\n", n, n, s.random.IntN(9))
	}
	total := text.Len() * 40
	text.WriteString("FAIL\nexit status 1")
	facts := &record.Facts{}
	if command == "make check" { // which formats and generates
		facts = changed(tools.FileChange{Path: "cart/price.go", LinesAdded: 2, LinesRemoved: 2}, tools.FileChange{Path: "store/mock.go", Created: true, LinesAdded: 214})
	}
	facts.Exit = &record.Exit{How: record.EndedExit, Code: 1}
	said := fmt.Sprintf("\n\n[Showing lines 23400-24002 of 24002 (30KB limit). Lines before it that stand out: "+
		"1203 \"--- FAIL: TestRollback (0.02s)\". Full output: .clarvis/%s]\n\nCommand exited with code 1", full)
	s.call(record.Line{
		Tool: "bash", Text: text.String(), Truncated: true, TruncatedBy: truncation.ByBytes, ProducedBytes: total, ProducedLines: 24002,
		Full: "/home/ada/shop/.clarvis/" + full, Facts: facts, Standout: []truncation.Line{{Number: 1203, Text: "--- FAIL: TestRollback (0.02s)"}},
	}, said, map[string]any{"command": command}, time.Duration(4000+s.random.IntN(9000))*time.Millisecond)
	if s.random.IntN(2) == 0 {
		s.call(record.Line{Tool: "read", Text: "--- FAIL: TestRollback (0.02s)\n    ledger_test.go:412: balance = 1190, want 1200"}, "",
			map[string]any{"path": ".clarvis/" + full, "offset": 1203, "limit": 2}, 2*time.Millisecond)
	}
}

func (s *session) wrong() {
	missing := map[string]any{"path": fmt.Sprintf("cart/crat%d.go", s.random.IntN(9))}
	s.call(record.Line{Tool: "read", Code: tools.CodeNotFound,
		Text: "not_found: cart/crat.go does not exist. Did you mean cart/cart.go?"}, "", missing, time.Millisecond)
	switch s.random.IntN(3) {
	case 0:
		s.call(record.Line{Tool: "read", Text: "package cart"}, "", map[string]any{"path": "cart/cart.go"}, time.Millisecond)
	case 1:
		s.call(record.Line{Tool: "read", Code: tools.CodeNotFound,
			Text: "not_found: cart/crat.go does not exist. Did you mean cart/cart.go?"}, "", missing, time.Millisecond)
	}
}

func (s *session) list() {
	s.call(record.Line{Tool: "ls", Text: "cart/\ngo.mod\nledger/\nmain.go\nserver/\nstore/"}, "", map[string]any{"path": "."}, time.Millisecond)
}

func (s *session) status() {
	s.call(record.Line{Tool: "bash", Text: " M cart/price.go\n M ledger/load.go"}, "", map[string]any{"command": "git status --short"}, 15*time.Millisecond)
}

// server starts a job and waits for it a few times.
func (s *session) server() {
	s.job++
	began, id := s.now, fmt.Sprintf("toolu_%04d", s.calls+1)
	state := fmt.Sprintf("[Job %d is running. Use job id=%d to wait for it, read on or stop it. Output: .clarvis/job-%d.log]", s.job, s.job, s.job)
	goesOn := func() *record.Facts { return &record.Facts{Exit: &record.Exit{How: record.EndedJob, Code: -1}} }
	s.call(record.Line{Tool: "bash", Text: "listening on :8080", Facts: goesOn()}, "\n\n"+state,
		map[string]any{"command": "go run ./server", "background": true, "ready_when": "listening"}, 900*time.Millisecond)
	for range 1 + s.random.IntN(3) {
		s.call(record.Line{Tool: "job", Facts: goesOn()}, "(no new output)\n\n"+state, map[string]any{"id": s.job, "wait_ms": 5000}, 5*time.Second)
	}
	s.call(record.Line{Tool: "job", Text: "bye"}, fmt.Sprintf("\n\n[Job %d ended by signal SIGTERM (sent by job). Output: .clarvis/job-%d.log]", s.job, s.job),
		map[string]any{"id": s.job, "signal": "terminate"}, 40*time.Millisecond)
	s.line(record.Line{Kind: "job", Session: s.name, Time: s.now, ID: id, Job: s.job, State: "ended by signal SIGTERM (sent by job)",
		Ms: float64(s.now.Sub(began).Milliseconds()), ProducedBytes: 2048})
}

// together makes three calls at once.
func (s *session) together() {
	at := s.now
	for i := range 3 {
		s.now = at
		name, lines := s.file(i)
		s.call(record.Line{Tool: "read", Text: strings.Join(lines[:60], "\n"), AtOnce: 3 - i}, "",
			map[string]any{"path": name, "limit": 60}, time.Duration(40+20*i)*time.Millisecond)
	}
}
