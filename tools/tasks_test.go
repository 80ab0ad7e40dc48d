package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/testkit/shop"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// A task is a question about a workspace, and the calls of a model that knows nothing but
// what the descriptions say, and then does what the last text says.
type task struct {
	question string
	steps    []step
	answer   string // an expression that the last text matches, and none before it
}

// A step is a call. After the first, the text before it leads there: follow matches it, and
// $1, $2 in the arguments are what it found.
type step struct {
	follow, tool, args string
}

func first(tool, args string) step { return step{"", tool, args} }

var tasks = []task{
	// Of the kind on which tools like these were tried with models.
	{"which request failed, in a log over the size limit", []step{
		first("grep", `{"pattern": "status=500"}`),
		{`Use path=(logs/app\.log) to search it`, "grep", `{"pattern": "status=500", "path": "$1"}`}},
		`request=77123 `},
	{"what a whole read of that log says, and its last line", []step{
		first("read", `{"path": "logs/app.log"}`),
		{`offset=(-100) for its last 100 lines`, "read", `{"path": "logs/app.log", "offset": $1}`}},
		`the end of the log`},
	{"what the bundle of one line sets the retry limit to", []step{
		first("grep", `{"pattern": "retryLimit"}`)},
		`retryLimit=17`},
	{"which locale is set some way behind that in the bundle", []step{
		first("grep", `{"pattern": "retryLimit"}`),
		{`too long for one result: use read with.*offset=(\d+) column=(\d+)`, "read", `{"path": "dist/bundle.js", "offset": $1, "column": $2}`}},
		`locale="fr-CA"`},
	{"how the bundle begins", []step{
		first("read", `{"path": "dist/bundle.js"}`),
		{`Or (column)=1 to read it in pieces`, "read", `{"path": "dist/bundle.js", "$1": 1}`}},
		`^/\* build 4711 \*/`},
	{"the price of the crème brûlée, in a file in Latin-1", []step{
		first("grep", `{"pattern": "brûlée"}`)},
		`menu\.txt:2: crème brûlée 7,50`},
	{"the same by reading", []step{
		first("read", `{"path": "notes/menu.txt"}`)},
		`crème brûlée 7,50`},
	{"what an export in UTF-16 without a mark says", []step{
		first("read", `{"path": "notes/export.csv"}`)},
		`total,4200`},
	{"which test failed, in a report that git ignores", []step{
		first("grep", `{"pattern": "^FAIL"}`),
		{`Use (ignored)=true to search`, "grep", `{"pattern": "^FAIL", "$1": true}`}},
		`build/report\.txt:3: FAIL TestRound`},
	{"which test failed, in a run of 120,000 lines", []step{
		first("bash", `{"command": "sh run.sh"}`)},
		`--- FAIL: TestPrices`},
	// Of our own.
	{"where the server's handler is, with a path that lacks its beginning", []step{
		first("grep", `{"pattern": "func Serve", "path": "net/http/server.go"}`),
		{`Did you mean (\S+?)[ ?]`, "grep", `{"pattern": "func Serve", "path": "$1"}`}},
		`func ServeHTTP`},
	{"the last name of a directory of 1,200", []step{
		first("ls", `{"path": "many"}`),
		{`Use offset=(\d+) to continue`, "ls", `{"path": "many", "offset": $1}`},
		{`Use offset=(\d+) to continue`, "ls", `{"path": "many", "offset": $1}`}},
		`file-1199\.txt`},
	{"the 250th match", []step{
		first("grep", `{"pattern": "item", "path": "items.txt"}`),
		{`Use offset=(\d+) to continue`, "grep", `{"pattern": "item", "path": "items.txt", "offset": $1}`},
		{`Use offset=(\d+) to continue`, "grep", `{"pattern": "item", "path": "items.txt", "offset": $1}`}},
		`items\.txt:250: item 250`},
	{"the third page of a file", []step{
		first("read", `{"path": "items.txt"}`),
		{`Use offset=(\d+) to continue`, "read", `{"path": "items.txt", "offset": $1}`},
		{`Use offset=(\d+) to continue`, "read", `{"path": "items.txt", "offset": $1}`}},
		`item 4999`},
	{"what a notebook computed", []step{
		first("read", `{"path": "model.ipynb"}`)},
		`accuracy 0\.93`},
	{"how a cell of it is written in the file", []step{
		first("read", `{"path": "model.ipynb", "raw": true}`)},
		`"execution_count": 12`},
	{"what a slow command prints, with the timeout of other agents' tools", []step{
		first("bash", `{"command": "echo ready", "timeout": 5}`),
		{`(timeout_ms)`, "bash", `{"command": "echo ready", "$1": 5000}`}},
		`^ready`},
	{"the first match, as another agent's grep is called", []step{
		first("grep", `{"pattern": "ITEM 7", "-i": true, "head_limit": 1, "path": "items.txt"}`)},
		`items\.txt:7: item 7`},
	{"two files that are short", []step{
		first("read", `{"paths": ["go.mod", "notes/todo.md"]}`)},
		`(?s)module example\.com/shop.*round the cents`},
	{"a name in other letters", []step{
		first("find", `{"pattern": "readme*"}`),
		{`(READ\w+\.md)`, "read", `{"path": "$1"}`}},
		`# The shop`},
}

// taskFiles builds the workspace of the tasks.
func taskFiles(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, shop.Build(dir, max(testkit.Some(170), 21)))
	return dir
}

var group = regexp.MustCompile(`\$(\d)`)

// bytesBefore are the bytes that each task showed on 23 November 2026.
var bytesBefore = []int{261, 5640, 759, 30864, 30214, 411, 219, 155, 293, 14179, 131, 16979, 7195, 49016, 80, 165, 201, 111, 80, 142}

// TestTasks counts the calls with which each task is solved by doing what the texts say,
// and nothing else, and the bytes that these show. With -update it writes them into testdata/tasks.md, and those whose
// bytes changed by half into docs/models.md.
// Environment variables set options, to compare them.
func TestTasks(t *testing.T) {
	testkit.Alone(t)
	t.Parallel()
	need.Shell(t)
	cfg, err := config.FromEnv(config.Config{Workspace: taskFiles(t)})
	require.NoError(t, err)
	s := newSuite(t, cfg, nil)
	const together = "together"
	const head = "| task | calls | bytes before | bytes |\n|---|---|---|---|\n"
	table, changed := head, head
	row := func(name string, calls, before, shown int) {
		line := fmt.Sprintf("| %s | %d | %s | %s |\n", name, calls, chart.Thousands(before), chart.Thousands(shown))
		table += line
		if 2*max(before-shown, shown-before) > before || name == together {
			changed += line
		}
		t.Logf("%2d calls, %7s bytes, %7s before: %s", calls, chart.Thousands(shown), chart.Thousands(before), name)
	}
	calls, before, shown := 0, 0, 0
	for i, task := range tasks {
		n := task.solve(t, s)
		row(task.question, len(task.steps), bytesBefore[i], n)
		calls, before, shown = calls+len(task.steps), before+bytesBefore[i], shown+n
	}
	row(together, calls, before, shown)
	require.LessOrEqual(t, shown, before+before/100, "the texts are longer than they were")
	if testkit.Some(10) < 10 {
		return // the log is shorter than that of the table
	}
	page, all := filepath.Join("..", "docs", "models.md"), filepath.Join("testdata", "tasks.md")
	if *update {
		require.NoError(t, section.Write(page, "tasks", changed))
		require.NoError(t, os.WriteFile(all, []byte(table), 0o644))
	}
	there, err := section.Read(page, "tasks")
	require.NoError(t, err)
	require.Equal(t, changed, there, "go test ./tools -run TestTasks -update")
	golden, err := os.ReadFile(all)
	require.NoError(t, err)
	require.Equal(t, table, strings.ReplaceAll(string(golden), "\r\n", "\n"), "go test ./tools -run TestTasks -update")
}

// solve makes the calls of a task, and returns the bytes of their texts.
func (task task) solve(t *testing.T, s *tools.Suite) (bytes int) {
	last := ""
	for i, step := range task.steps {
		args := step.args
		if i > 0 {
			found := regexp.MustCompile(step.follow).FindStringSubmatch(last)
			require.NotNil(t, found, "%s: after call %d nothing leads on by %s in:\n%s", task.question, i, step.follow, tail(last))
			args = group.ReplaceAllStringFunc(args, func(g string) string {
				n, _ := strconv.Atoi(g[1:])
				return found[n]
			})
		}
		require.False(t, i > 0 && regexp.MustCompile(task.answer).MatchString(last), "%s: call %d is one too many", task.question, i+1)
		res, err := s.Call(t.Context(), step.tool, json.RawMessage(args))
		require.NoError(t, err)
		last = res.Text
		bytes += len(last)
	}
	require.Regexp(t, task.answer, last, task.question)
	return bytes
}
