package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/bench/peers/programs/serve"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/testkit/peercut"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// lossyVariable makes the test's program that of the lossy contender.
const lossyVariable = "SPILLWAY_LOSSY"

func TestMain(m *testing.M) {
	if os.Getenv(lossyVariable) != "" {
		serve.Main(func(dir string) (serve.Suite, error) {
			s, err := tools.New(config.Config{Workspace: dir}, all.Parts()...)
			return lossy{s}, err
		})
		return
	}
	// Under the race detector each helper process would take a second to end.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	code := m.Run()
	for _, dir := range []string{sharedDir, programsDir} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// lossy does everything wrong that the comparison looks for.
type lossy struct{ suite *tools.Suite }

func (l lossy) Close() { l.suite.Close() }

func (l lossy) Call(tool string, args json.RawMessage) (string, bool) {
	if strings.Contains(string(args), "sleep") {
		cmd := exec.Command("bash", "-c", strings.Replace(string(mustCommand(args)), "&", ">/dev/null 2>&1 &", 1))
		out, err := cmd.CombinedOutput()
		return string(out), err != nil
	}
	res, err := l.suite.Call(context.Background(), tool, args)
	if err != nil {
		return err.Error(), true
	}
	body, _ := split(res.Text)
	cut := len(body) / 2
	for cut > 0 && strings.Contains(string(args), "wide") && utf8.RuneStart(body[cut]) {
		cut--
	}
	return body[:cut], false
}

func mustCommand(args json.RawMessage) string {
	var a struct{ Command string }
	if err := json.Unmarshal(args, &a); err != nil {
		panic(err)
	}
	return a.Command
}

// tiny is over the limits that matter, and no more: the race detector makes it slow.
var tiny = sizes{logLines: 5000, longLine: 400_000, files: 350, matches: 1500, entries: 1200, printed: 60_000, amid: 30_000, wideChars: 80_000}

var sharedDir, programsDir string

// contenders are those written in Go, built once.
var contenders = sync.OnceValues(func() ([]*contender, error) {
	var err error
	if programsDir, err = os.MkdirTemp("", "peers"); err != nil {
		return nil, err
	}
	return goContenders(programsDir)
})

func inGo(t *testing.T) []*contender {
	list, err := contenders()
	testkit.NoError(t, err)
	return slices.Clone(list)
}

// shared is a small world for the tests that only read it.
var shared = sync.OnceValues(func() (*world, error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	sharedDir = dir
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	return newWorld(dir, tiny)
})

func smallWorld(t *testing.T) *world {
	if runtime.GOOS != "linux" {
		t.Skip("peak memory and processes are read from Linux's /proc")
	}
	w, err := shared()
	testkit.NoError(t, err)
	return w
}

// allOf runs the scenarios that want says yes to, one round each.
func allOf(t *testing.T, w *world, list []*contender, want func(scenario) bool) (rows []row) {
	for _, s := range scenarios(w) {
		if !want(s) {
			continue
		}
		r, err := run(s, w, list, 1, io.Discard)
		testkit.NoError(t, err)
		rows = append(rows, r)
	}
	return rows
}

// The contenders written in Go are called and judged, and the report has all of it.
func TestComparison(t *testing.T) {
	w := smallWorld(t)
	list := inGo(t)
	quick := func(s scenario) bool { return s.name != "bash/background" && s.name != "bash/setsid" }
	rows := allOf(t, w, list, quick)
	// The naive one would wait for the processes.
	for _, r := range allOf(t, w, list[:2], func(s scenario) bool { return !quick(s) }) {
		r.results["naive"] = &result{absent: "not asked"}
		rows = append(rows, r)
	}
	unbounded := 0
	for _, row := range rows {
		for id, r := range row.results {
			if r.absent == "" && (r.ms <= 0 || r.peak <= 1 || r.bytes == 0 && row.name != "grep/none") {
				t.Errorf("%s, %s was not measured: %v", row.name, id, r)
			}
		}
		if r := row.results["spillway"]; !r.good() {
			t.Errorf("%s, Spillway: %v", row.name, r)
		}
		if !row.results["naive"].Bounded {
			unbounded++
		}
	}
	if unbounded < 5 {
		t.Errorf("only %d results are found to be without a bound", unbounded)
	}
	testReport(t, outcome{list, rows, "edited\n", 1, "0.00"})
}

// testReport writes the report and looks at it.
func testReport(t *testing.T, o outcome) {
	docs := t.TempDir()
	page, measured := filepath.Join(docs, pageName), filepath.Join(docs, dataName)
	write := func() error { return o.write(docs, measured) }
	if err := write(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a page: %v", err)
	}
	const before, after = "before\n<!-- peers -->\n", "<!-- /peers -->\nafter\n<!-- edits -->\nedited\n<!-- /edits -->\n"
	testkit.NoError(t, os.WriteFile(page, []byte("no markers"), 0o644))
	if err := write(); err == nil || !strings.Contains(err.Error(), "no section peers") {
		t.Errorf("without markers: %v", err)
	}
	testkit.NoError(t, os.WriteFile(page, []byte(before+"old\n"+after), 0o644))
	if err := write(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a place for the calls: %v", err)
	}
	testkit.NoError(t, os.WriteFile(measured, []byte("<!-- costs -->\n<!-- /costs -->\n"), 0o644))
	testkit.NoError(t, write())
	data, err := os.ReadFile(page)
	text := string(data)
	if err != nil || !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) || strings.Contains(text, "old") {
		t.Fatalf("%v: %s", err, text)
	}
	calls, err := os.ReadFile(measured)
	testkit.NoError(t, err)
	for _, row := range o.rows {
		if strings.Count(string(calls), "| "+row.group()+": "+row.title+" |") != 2 {
			t.Errorf("%s is not in both tables", row.name)
		}
	}
	chart, err := os.ReadFile(filepath.Join(docs, svgName))
	if err != nil || len(chart) > 60_000 {
		t.Errorf("%v, %d bytes", err, len(chart))
	}
	for d := xml.NewDecoder(strings.NewReader(string(chart))); err == nil; {
		_, err = d.Token()
	}
	if err != io.EOF {
		t.Error(err)
	}
}

// The chart is that of the page's tables.
func TestRedraw(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	text, err := section.Read(dataName, "costs")
	testkit.NoError(t, err)
	names, rows, err := tabled(text)
	if err != nil || len(names) != 4 || len(rows) < 18 {
		t.Fatalf("%v: %d names, %d rows", err, len(names), len(rows))
	}
	chart, err := os.ReadFile(filepath.Join(docs, svgName))
	if err != nil || string(chart) != svg(names, rows) {
		t.Errorf("%v; docs/peers.svg is not drawn from measured.md: go -C internal/bench/peers run . -redraw", err)
	}
	if _, _, err := tabled(strings.Replace(text, "| read: a file of 3 KB |", "| read: a file of 4 KB |", 1)); err == nil {
		t.Error("the tables differ, and it is not seen")
	}
}

// What is bold in the second table is wrong with a result; a call that was refused is there, too.
func TestTabled(t *testing.T) {
	_, rows, err := tabled("| ms, MiB | a | b | c | d |\n|---|\n| ls: x | **1.5**, 10 | 2, 20 | 3, 30 | – |\n\n" +
		"| to the model | a | b | c | d |\n|---|\n| ls: x | 1 B | 2 B, rest **lost** (1) | 3 B, **refused** | – |\n")
	want := []spot{{1.5, 10, true, nil}, {2, 20, true, []string{"rest lost"}}, {3, 30, true, []string{"refused"}}, {}}
	if err != nil || len(rows) != 1 || !reflect.DeepEqual(rows[0].spots, want) {
		t.Errorf("%v: %+v", err, rows)
	}
	words := []string{"1.5 ms, 10 MiB", "2 ms, 20 MiB: rest lost", "3 ms, 30 MiB: refused", "cannot be asked for"}
	for i, s := range want {
		if s.words() != words[i] {
			t.Errorf("%q, want %q", s.words(), words[i])
		}
	}
}

// What is wrong with a contender is found, in every scenario.
func TestLossyContender(t *testing.T) {
	w := smallWorld(t)
	self, err := os.Executable()
	testkit.NoError(t, err)
	bad := &contender{id: "spillway", name: "lossy", command: program(self, lossyVariable+"=1")}
	for _, row := range allOf(t, w, []*contender{bad}, func(s scenario) bool { return s.name != "grep/none" }) {
		r := row.results["spillway"]
		if r.good() {
			t.Errorf("%s: nothing is found wrong: %v", row.name, r)
		}
		switch row.name {
		case "bash/background", "bash/setsid":
			if r.Left != "left behind" {
				t.Errorf("%s: the process was not found: %v", row.name, r)
			}
		case "bash/wide", "grep/wide":
			if r.Sound {
				t.Errorf("%s: the broken character was not found: %v", row.name, r)
			}
			fallthrough
		default:
			if r.Rest != lost {
				t.Errorf("%s: the loss was not found: %v", row.name, r)
			}
		}
	}
}

// installedPi returns pi where it is installed: a test installs nothing.
func installedPi(t *testing.T) (*contender, error) {
	has, _ := installed(filepath.Join("pi", "node_modules", filepath.FromSlash(piPackage), "package.json"))
	if want, err := pinned("pi"); err != nil || has != want {
		return nil, fmt.Errorf("pi-coding-agent %s is not installed; go run . does that where npm is: %w", want, err)
	}
	return newPi(".", t.TempDir())
}

// pi is called, where it is installed.
func TestPi(t *testing.T) {
	c, err := installedPi(t)
	if err != nil {
		t.Skip(err)
	}
	w := smallWorld(t)
	for _, row := range allOf(t, w, []*contender{c}, func(s scenario) bool { return s.group() == "read" || s.name == "bash/100MB" || s.name == "ls/entries" }) {
		r := row.results["pi"]
		if r.absent == "" && (r.ms <= 0 || r.peak <= 1 || r.bytes == 0) {
			t.Errorf("%s was not measured: %v", row.name, r)
		}
		if row.name == "bash/100MB" && r.Rest != recovered {
			t.Errorf("%s: %v", row.name, r)
		}
	}
}

// The rules by which internal/bench/needles shows what other suites show are those of their tools.
func TestCuts(t *testing.T) {
	list := inGo(t)[1:2]
	if pi, err := installedPi(t); err != nil {
		t.Log(err)
	} else {
		list = append(list, pi)
	}
	cuts := map[string]func([]byte) string{"anthropic": peercut.Agenttoolset, "pi": peercut.Pi}
	dir := t.TempDir()
	running := map[string]*process{}
	for _, c := range list {
		p, err := start(c, dir)
		testkit.NoError(t, err)
		defer p.close()
		running[c.id] = p
	}
	for name, text := range map[string]string{
		"short":     "one\n\ttwo\n",
		"unended":   "one\ntwo",
		"coloured":  "\x1b[1;31mone\x1b[0m\r\ntwo\n",
		"lines":     strings.Repeat("line\n", 3000),
		"bytes":     strings.Repeat(strings.Repeat("0123456789", 20)+"\n", 1500),
		"long-line": "one\n" + strings.Repeat("0123456789", 20_000) + "\n",
		"long-last": "one\n" + strings.Repeat("0123456789", 20_000) + "\nlast\n",
		"both":      strings.Repeat("x\n", 40_000) + "last",
	} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		for _, c := range list {
			t.Run(c.id+"/"+name, func(t *testing.T) { sameCut(t, c, running[c.id], name, cuts[c.id]([]byte(text))) })
		}
	}
}

// sameCut asks for the text of a file with bash. Whether the end of agenttoolset's line for the exit code has arrived when
// it cuts is chance: as many more bytes may be shown.
func sameCut(t *testing.T, c *contender, p *process, name, want string) {
	r, err := p.call(call{"bash", map[string]any{"command": "cat " + name}}, true)
	testkit.NoError(t, err)
	body, _ := split(string(r.Text))
	const cut = "[output truncated]\n"
	if strings.HasPrefix(body, cut) != strings.HasPrefix(want, cut) {
		t.Errorf("the tool: %.40q, the rule: %.40q", body, want)
	}
	got, want := strings.TrimRight(strings.TrimPrefix(body, cut), "\n"), strings.TrimRight(strings.TrimPrefix(want, cut), "\n")
	if more := len(got) - len(want); !strings.HasSuffix(got, want) || more > len("0\r\n") || more > 0 && c.id == "pi" {
		t.Errorf("the tool shows %d bytes, the rule %d: %.40q, %.40q", len(got), len(want), got, want)
	}
}

// -sizes prints a row for each suite, and what the tools and the SDK weigh shows.
func TestSizes(t *testing.T) {
	list := append(inGo(t), &contender{id: "pi", name: "pi", runtime: "node"})
	testkit.NoError(t, weigh(programsDir, list))
	printed := programSizes(list)
	t.Log("\n" + printed)
	naive := list[2].program
	for _, c := range list[:2] {
		if p := c.program; p.tools <= naive.tools || p.asking < naive.asking || p.asking < p.tools {
			t.Errorf("%s: %v, without a suite: %v", c.name, p, naive)
		}
	}
	if !strings.HasSuffix(printed, "| pi |  | – | – |\n") {
		t.Error(printed)
	}
}

// The same sizes make the same world.
func TestWorld(t *testing.T) {
	few := sizes{logLines: 100, longLine: 1000, files: 70, matches: 200, entries: 10, wideChars: 100}
	var worlds [2]*world
	for i := range worlds {
		var err error
		if worlds[i], err = newWorld(t.TempDir(), few); err != nil {
			t.Fatal(err)
		}
	}
	a, b := worlds[0], worlds[1]
	for _, name := range []string{"short.go", "long.json", "wide.txt", "wide-lines.txt", "app.log"} {
		one, err := a.read(name)
		testkit.NoError(t, err)
		other, err := b.read(name)
		if err != nil || string(one) != string(other) {
			t.Errorf("%s differs, %v", name, err)
		}
	}
	if !maps.Equal(a.few, b.few) || !maps.Equal(a.many, b.many) || !maps.Equal(a.goes, b.goes) {
		t.Error("the trees differ")
	}
	if len(a.few) != 7 || len(a.many) != 200 || len(a.goes) != 53 || len(a.names) != 10 {
		t.Errorf("%d %d %d %d", len(a.few), len(a.many), len(a.goes), len(a.names))
	}
}

func TestNext(t *testing.T) {
	read := call{"read", map[string]any{"path": "a"}}
	for _, c := range []struct {
		text   string
		failed bool
		want   string // the next call in JSON, "" for none
	}{
		{"a\nb", false, ""},
		{"[Use offset=3 to continue]\nis a line of the file", false, ""},
		{"a\n\n[Showing lines 1-1 of 9. Use offset=2 to continue]", false, `{"tool":"read","args":{"offset":2,"path":"a"}}`},
		{"a\n\n[1 line truncated. Use offset=1 column=41 to read on in line 1]", false, `{"tool":"read","args":{"column":41,"offset":1,"path":"a"}}`},
		{"a\n\n[100 matches limit reached. Use limit=200 for more, or refine pattern. 50.0KB limit reached]", false, `{"tool":"read","args":{"limit":200,"path":"a"}}`},
		{"[Line 1 is 5MB, exceeds 30KB limit. Use bash to read: head -c 3 a]", false, `{"tool":"bash","args":{"command":"head -c 3 a"}}`},
		{"[Line 1 is 5MB, exceeds 30KB limit. Use bash to read: head -c 3 a. Or column=1 to read it in pieces]", false, `{"tool":"read","args":{"column":1,"path":"a"}}`},
		{"a\n\n[Use offset=15 to continue. Read the first with path=a offset=1 column=1]", false, `{"tool":"read","args":{"offset":15,"path":"a"}}`},
		{"read: a is too long, use view_range: [1, 500].", true, `{"tool":"read","args":{"path":"a","view_range":[1,500]}}`},
		{"read: a is too long, use view_range: [1, 500].", false, ""},
	} {
		got, ok := next(read, reply{Text: []byte(c.text), Error: c.failed})
		data, err := json.Marshal(got)
		testkit.NoError(t, err)
		if ok != (c.want != "") || ok && string(data) != c.want {
			t.Errorf("%q: %s, %v", c.text, data, ok)
		}
	}
}

// Spillway's edits are exact, and every suite is asked for each.
func TestEdits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("links and modes are those of Linux")
	}
	out, err := edits(t.TempDir(), inGo(t))
	testkit.NoError(t, err)
	cases := 0
	for _, line := range strings.Split(strings.TrimSpace(out), "\n")[2:] {
		titles, became, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		cases += len(strings.Split(titles, "; "))
		ours, _, _ := strings.Cut(became, " | ")
		if ours != "done" && ours != "refused, as it must be" {
			t.Error(line)
		}
	}
	if cases != len(editCases()) {
		t.Errorf("%d cases:\n%s", cases, out)
	}
}

// What an edit made of a file is seen.
func TestBecame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	lost := func(string) bool { return false }
	for _, c := range []struct {
		is, want string // the file afterwards, and what it should be
		failed   bool
		kept     func(string) bool
		became   string
	}{
		{is: "2", want: "2", became: "done"},
		{is: "2", want: "2", kept: lost, became: "done, **not kept**"},
		{is: "3", want: "2", became: "**wrong bytes**"},
		{is: "1", want: "2", became: "**wrong bytes**"},
		{is: "1", want: "2", failed: true, became: "**refused**"},
		{is: "2", want: "2", failed: true, became: "**wrong bytes**"},
		{is: "1", failed: true, became: "refused, as it must be"},
		{is: "1", became: "**wrong bytes**"},
	} {
		testkit.NoError(t, os.WriteFile(file, []byte(c.is), 0o600))
		got, err := editCase{was: "1", want: c.want, kept: c.kept}.became(reply{Error: c.failed}, file)
		if err != nil || got != c.became {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}

func TestSound(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a😀": true, "a\xf0\x9f": false, "a\uFFFD": false} {
		if sound([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}
