package calls_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shownLine is a line of a file that a model knows.
type shownLine struct {
	path   string
	number int
	text   string
}

// aModel is what a model has read of files, and what it may take receipts for.
type aModel struct {
	t        *testing.T
	known    map[shownLine]bool
	files    map[string][]string // as they are, without newlines
	receipts int
	moved    int
	mixed    int // with lines beside those that are named

	atOnce atomic.Pointer[sync.WaitGroup] // of calls that return when all have their results
}

var (
	receiptOf  = regexp.MustCompile(`Lines? ([0-9, and-]+) of (\S+) (?:have|has) not changed since (?:it was|they were) shown(?: as \S+)?\. Use (?:path=\S+ )?again=true to see (?:it|them)`)
	movedTo    = regexp.MustCompile(`Lines? ([0-9, and-]+) (?:was|were) ([0-9, and-]+) then`)
	someLines  = regexp.MustCompile(`(\d+)(?:-(\d+))?`)
	withNumber = regexp.MustCompile(`(?m)^ *(\d+)\t(.*)$`)
)

// linesIn returns the numbers of lines in an enumeration.
func linesIn(text string) (list []int) {
	for _, m := range someLines.FindAllStringSubmatch(text, -1) {
		first, _ := strconv.Atoi(m[1])
		last, err := strconv.Atoi(m[2])
		if err != nil {
			last = first
		}
		for n := first; n <= last; n++ {
			list = append(list, n)
		}
	}
	return list
}

// take checks a page that a model got, by what it knew before, and adds what it knows then.
func (m *aModel) take(path string, args tools.ReadParams, text string, before, after map[shownLine]bool) {
	file := m.files[path]
	first := max(args.Offset, 1)
	if args.Offset < 0 {
		first = max(len(file)+args.Offset+1, 1)
	}
	want := map[int]bool{}
	for n := first; n <= len(file) && (args.Limit == 0 || n < first+args.Limit); n++ {
		want[n] = true
	}
	got := map[int]bool{}
	said := receiptOf.FindStringSubmatch(text)
	if said == nil {
		page, _, _ := strings.Cut(text, "\n\n[")
		for i, line := range strings.Split(strings.TrimSuffix(page, "\n"), "\n") {
			require.Equal(m.t, file[first+i-1], line)
			got[first+i] = true
		}
	} else {
		m.receipts++
		was := map[int]int{}
		if moved := movedTo.FindStringSubmatch(text); moved != nil {
			m.moved++
			from, to := linesIn(moved[2]), linesIn(moved[1])
			require.Equal(m.t, len(from), len(to), text)
			for i, n := range to {
				was[n] = from[i]
			}
		}
		for _, n := range linesIn(said[1]) {
			number, ok := was[n]
			if !ok {
				number = n
			}
			require.True(m.t, before[shownLine{path, number, file[n-1]}], "line %d of %s, which was %d: %q", n, path, number, text)
			got[n] = true
		}
		body, _, _ := strings.Cut(text, "[Line")
		m.mixed += min(len(body), 1)
		for _, line := range withNumber.FindAllStringSubmatch(body, -1) {
			n, _ := strconv.Atoi(line[1])
			require.Equal(m.t, file[n-1], line[2])
			require.False(m.t, got[n])
			got[n] = true
		}
	}
	require.Equal(m.t, want, got, "%+v: %q", args, text)
	for n := range got {
		after[shownLine{path, n, file[n-1]}] = true
	}
}

// A receipt is for what a text has shown, under its path and number, whatever happens to the files, and whoever cuts
// results or has forgotten them. With what was shown before it is the page.
func TestReceiptsAreTrue(t *testing.T) {
	t.Chdir(t.TempDir()) // the spills of what is cut
	var all, moved, mixed int
	for seed := range uint64(testkit.Some(60)) {
		m := &aModel{t: t, known: map[shownLine]bool{}, files: map[string][]string{}}
		m.session(rand.New(rand.NewPCG(seed, 7)))
		all, moved, mixed = all+m.receipts, moved+m.moved, mixed+m.mixed
	}
	t.Logf("%d receipts, %d of them for lines that had moved, %d with lines that had changed", all, moved, mixed)
	require.Greater(t, all, testkit.Some(60)*10)
	require.Greater(t, moved, testkit.Some(60))
	require.Greater(t, mixed, testkit.Some(60))
}

// session does what a model and others do to three files.
func (m *aModel) session(r *rand.Rand) {
	dir := m.t.TempDir()
	s := newSuite(m.t, config.Config{Workspace: dir, Read: receipts, Observe: func(context.Context, config.Event) {
		if all := m.atOnce.Load(); all != nil {
			all.Done()
			all.Wait()
		}
	}}, nil)
	policy := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 900}}
	cut := tools.Truncate(s.Tools()[0], policy)
	paths := []string{"a", "b", "c"}
	line := func() string { return fmt.Sprintf("a line of one of %d kinds", r.IntN(30)) }
	old := map[string][]string{}
	save := func(path string, lines []string) {
		m.files[path] = lines
		testkit.WriteFile(m.t, filepath.Join(dir, path), strings.Join(lines, "\n")+"\n")
	}
	for _, path := range paths {
		var lines []string
		for range 20 + r.IntN(40) {
			lines = append(lines, line())
		}
		old[path] = lines
		save(path, lines)
	}
	for range 60 {
		path := paths[r.IntN(3)]
		lines := slices.Clone(m.files[path])
		at := r.IntN(len(lines))
		switch r.IntN(14) {
		case 0:
			lines[at] = line()
			save(path, lines)
		case 1:
			save(path, slices.Insert(lines, at, line(), line()))
		case 2:
			if len(lines) > 10 {
				save(path, slices.Delete(lines, at, min(at+1+r.IntN(3), len(lines))))
			}
		case 3: // checked out
			save(path, old[path])
		case 4: // by the suite
			lines[at] = line()
			if !call(m.t, s, "write", tools.WriteParams{Path: path, Content: strings.Join(lines, "\n") + "\n"}).IsError {
				m.files[path] = lines
			}
		case 5:
			if r.IntN(4) == 0 {
				s.Forget()
				m.known = map[shownLine]bool{}
			}
		case 6:
			args := someArgs(r, path, len(lines))
			res, err := cut.Call(m.t.Context(), fmt.Appendf(nil, `{"path": %q, "offset": %d, "limit": %d}`, path, args.Offset, args.Limit))
			require.NoError(m.t, err)
			if !res.Shown().Truncated {
				m.take(path, args, res.Text, m.known, m.known)
			}
		case 7:
			several(m, s, r, paths)
		case 8:
			atOnce(m, s, r, paths)
		default:
			args := someArgs(r, path, len(lines))
			before := maps.Clone(m.known)
			m.take(path, args, call(m.t, s, "read", args).Text, before, m.known)
		}
	}
}

// someArgs are arguments for a page, most of them for a page that is asked for often.
func someArgs(r *rand.Rand, path string, lines int) tools.ReadParams {
	args := tools.ReadParams{Path: path, Again: r.IntN(12) == 0}
	switch r.IntN(5) {
	case 0:
		args.Offset = 1 + r.IntN(lines)
	case 1:
		args.Offset = -1 - r.IntN(lines)
		args.Limit = r.IntN(30)
	case 2:
		args.Offset, args.Limit = 1+r.IntN(lines), 1+r.IntN(lines)
	}
	return args
}

// several reads all files in a call.
func several(m *aModel, s *tools.Suite, r *rand.Rand, paths []string) {
	paths = slices.Clone(paths)
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	text := call(m.t, s, "read", tools.ReadParams{Paths: paths}).Text
	before := maps.Clone(m.known)
	for i, path := range paths {
		_, part, ok := strings.Cut(text, "==> "+path+" <==\n")
		require.True(m.t, ok, text)
		if i < len(paths)-1 {
			part, _, _ = strings.Cut(part, "\n\n==> ")
		}
		m.take(path, tools.ReadParams{}, part, before, m.known)
	}
}

// atOnce makes calls at once, of which none may rely on another, and perhaps forgets everything meanwhile.
func atOnce(m *aModel, s *tools.Suite, r *rand.Rand, paths []string) {
	forgets := r.IntN(4) == 0
	path := paths[r.IntN(len(paths))]
	calls, texts := make([]tools.ReadParams, 2+r.IntN(3)), make([]string, 5)
	for i := range calls {
		calls[i] = someArgs(r, path, len(m.files[path]))
	}
	var all, shown sync.WaitGroup
	shown.Add(len(calls))
	m.atOnce.Store(&shown)
	for i, args := range calls {
		all.Go(func() {
			res, err := s.Read(m.t.Context(), args)
			texts[i] = res.Text
			assert.NoError(m.t, err)
		})
	}
	if forgets {
		all.Go(func() { s.Forget() })
	}
	all.Wait()
	m.atOnce.Store(nil)
	after := maps.Clone(m.known)
	if forgets {
		after = map[shownLine]bool{}
	}
	for i, args := range calls {
		m.take(path, args, texts[i], m.known, after)
	}
	m.known = after
}
