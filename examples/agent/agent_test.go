package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools/record"
)

var update = flag.Bool("update", false, "rewrite the golden files; read them before you commit them")

func write(t *testing.T, dir, name, text string) string {
	path := filepath.Join(dir, name)
	testkit.WriteFile(t, path, text)
	return path
}

// shop is a project of 15 files in Go, one of which is larger, with a module of
// somebody else's.
func shop(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/shop\n\ngo 1.26\n\nrequire example.com/tax v1.2.3\n\nreplace example.com/tax => ./tax\n")
	write(t, dir, "tax/go.mod", "module example.com/tax\n\ngo 1.26\n")
	write(t, dir, "tax/tax.go", "package tax\n\nfunc Of(price int) int { return price / 5 }\n")
	write(t, dir, "main.go", "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/tax\"\n)\n\nfunc main() { fmt.Println(tax.Of(100)) }\n")
	for i := range 12 {
		write(t, dir, fmt.Sprintf("pages/page%02d.go", i), fmt.Sprintf("package pages\n\nfunc page%d() {}\n", i))
	}
	var cart strings.Builder
	cart.WriteString("package store\n\n// Cart is what a customer wants to buy.\ntype Cart struct{}\n")
	for i := range 25 {
		fmt.Fprintf(&cart, "\n// add%d adds thing %d.\nfunc (c *Cart) add%d() {}\n", i, i, i)
	}
	write(t, dir, "store/cart.go", cart.String())
	return dir
}

// same compares a transcript with the golden file of that name.
func same(t *testing.T, name, got string) {
	golden := filepath.Join("testdata", name)
	if *update {
		write(t, ".", golden, got)
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// timeless takes the times out of a transcript.
func timeless(text string) string {
	return regexp.MustCompile(`, (<1ms|[\d.]+m?s)\n`).ReplaceAllString(text, ", TIME\n")
}

// named gives all files of full outputs the same name.
func named(text string) string {
	return regexp.MustCompile(`bash-[b-z2-9]{8}`).ReplaceAllString(text, "bash-XXXXXXXX")
}

// steady takes out of a transcript what is different at every run, and behind the
// command what is different with every version of Go.
func steady(text, dir string) string {
	text = strings.ReplaceAll(text, dir, "DIR")
	text = timeless(named(text))
	before, after, _ := strings.Cut(text, "● bash")
	after, table, _ := strings.Cut(after, "\n\nstore/cart.go")
	after = regexp.MustCompile(`\d+(\.\d+)?(KB|MB|B)?`).ReplaceAllString(after, "N")
	table = regexp.MustCompile(`[\d.]+(KB|MB|B)`).ReplaceAllString(table, "SIZE")
	return before + "● bash" + after + "\n\nstore/cart.go" + regexp.MustCompile(` +`).ReplaceAllString(table, " ")
}

// The scripted model finds its way by what the results say, and nothing else.
func TestScript(t *testing.T) {
	dir := shop(t)
	file := write(t, t.TempDir(), "agent.json", `{"grep": {"limit": 10}}`)
	var out, stderr bytes.Buffer
	code := loop.Run(t.Context(), parse, []string{"-workspace", dir, "-config", file}, &out, &stderr)
	require.Equal(t, 0, code, "%s%s", &out, &stderr)
	require.Empty(t, stderr.String())

	same(t, "script.golden", steady(out.String(), dir))

	spilled, err := filepath.Glob(filepath.Join(dir, ".clarvis", "bash-*.log"))
	require.NoError(t, err)
	require.Len(t, spilled, 1)
	full, err := os.ReadFile(spilled[0])
	require.NoError(t, err)
	require.Contains(t, string(full), `"Path": "example.com/tax"`)
}

// With other limits the way is another, and the answer the same.
func TestScriptWithOtherLimits(t *testing.T) {
	const answer = "\nstore/cart.go holds most: 25 functions in 79 lines, around Cart.\n" +
		"It needs 1 module of others: example.com/tax v1.2.3 (1 package). The project has 2 go.mod in all.\n"
	for name, options := range map[string]string{
		"defaults":    `{}`,
		"few matches": `{"grep": {"limit": 1}}`,
		"few bytes":   `{"maxBytes": 1200}`,
		"few lines":   `{"maxLines": 30}`,
		"short lists": `{"grep": {"maxLines": 6}}`,
		"empty lines": `{"read": {"maxLines": 8}}`, // the last ones of pages
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, t.TempDir(), "agent.json", options)
			var out, stderr bytes.Buffer
			require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-workspace", shop(t), "-config", file}, &out, &stderr), "%s", &stderr)
			require.Contains(t, out.String(), answer)
		})
	}
}

// Where there is nothing to find, the model says so.
func TestScriptWithoutGo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "main.py", "print(1)\n")
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-workspace", dir}, &out, &stderr))
	require.Contains(t, out.String(), "There are no functions in Go here, and I know nothing else:\nNo matches found. No file matches the glob")
}

// The model whose edit was ambiguous finds in the error what it needs for the next.
func TestRepair(t *testing.T) {
	dir, err := brokenProject()
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-workspace", dir, "-provider", "repair"}, &out, &stderr), "%s", &stderr)
	same(t, "repair.golden", strings.ReplaceAll(named(timeless(out.String())), dir, "DIR"))

	program, err := os.ReadFile(filepath.Join(dir, "bill.sh"))
	require.NoError(t, err)
	broken, err := projects.ReadFile("project/bill.sh")
	require.NoError(t, err)
	want := strings.Replace(string(broken), "three_for_two() {\n\tsum=$((sum + count *", "three_for_two() {\n\tsum=$((sum + (count - count / 3) *", 1)
	require.NotEqual(t, string(broken), want)
	require.Equal(t, want, string(program))
}

// Without -workspace the project is a temporary one, of which nothing is left.
func TestRepairLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-provider", "repair"}, &out, &stderr), "%s", &stderr)
	require.Contains(t, out.String(), "\nThe test passes: three_for_two in bill.sh counted")
	require.NotContains(t, out.String(), "full outputs in", "they are gone")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// The record has the calls that the transcript has; a file that cannot be one ends the program before it begins.
func TestRecord(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "test.sh", "echo ok f\n")
	path := filepath.Join(t.TempDir(), "record.jsonl")
	args := []string{"-workspace", dir, "-provider", "repair"}
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, append(args, "-record", path), &out, &stderr), "%s", &stderr)
	t.Setenv("SPILLWAY_RECORD", path)
	require.Equal(t, 0, loop.Run(t.Context(), parse, args, &out, &stderr), "%s", &stderr)
	kinds := map[string]int{}
	for line, err := range record.Read(path) {
		require.NoError(t, err)
		kinds[line.Kind]++
		require.Equal(t, line.Kind == "call", strings.Contains(out.String(), "● "+line.Tool+" "))
	}
	require.Equal(t, 2, kinds["session"])
	require.Equal(t, strings.Count(out.String(), "● "), kinds["call"])

	require.Equal(t, loop.ExitUsage, loop.Run(t.Context(), parse, append(args, "-record", dir), &out, &stderr))
	require.Contains(t, stderr.String(), "Record is "+dir)
}

// In other projects the model says what it does not know.
func TestRepairElsewhere(t *testing.T) {
	const fails = "echo 'FAIL f: want 1, got 2'\n"
	for want, files := range map[string]map[string]string{
		"No test fails here that I know how to mend:": {"test.sh": "echo ok f\n"},
		"The test names what I cannot find:":          {"test.sh": fails},
		"I do not understand this function:":          {"test.sh": fails, "f.sh": "f() {\n\techo 2\n}\n"},
		"I do not see which of these I want:":         {"test.sh": fails, "f.sh": "f() {\n\n\tcount * cents\n\tcount * cents\n}\n"},
		"It is still wrong:":                          {"test.sh": fails, "f.sh": "f() {\n\tcount * cents\n}\n"},
		"It is still wrong:\n(no output)":             {"test.sh": "test -e again && exit 1; touch again\n" + fails, "f.sh": "f() {\n\tcount * cents\n}\n"},
	} {
		dir := t.TempDir()
		for name, text := range files {
			write(t, dir, name, text)
		}
		var out, stderr bytes.Buffer
		require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-workspace", dir, "-provider", "repair"}, &out, &stderr), "%s", &stderr)
		require.Contains(t, out.String(), "\n"+want+"\n")
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"agent: a scripted model knows one question":   {"Hello"},
		`agent: -provider "anthropic" is not known: `:  {"-provider", "anthropic"},
		"agent: flag provided but not defined":         {"-x"},
		"agent: tools: workspace /no/such/directory: ": {"-workspace", "/no/such/directory"},
	} {
		var out, stderr bytes.Buffer
		require.Equal(t, loop.ExitUsage, loop.Run(t.Context(), parse, args, &out, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Empty(t, out.String())
	}
}

// runRecall returns the transcript of a run with room for so many tokens.
func runRecall(t *testing.T, tokens string) string {
	t.Setenv("TMPDIR", t.TempDir())
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-provider", "recall", "-context", tokens}, &out, &stderr), "%s", &stderr)
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left, "the workspace is removed")
	return regexp.MustCompile(`result-[b-z2-9]{8}`).ReplaceAllString(timeless(out.String()), "result-XXXXXXXX")
}

// Old results are shelved at half of the context, and a question about one of them is answered as without that.
func TestRecall(t *testing.T) {
	const answer = "\nOrder 2718 was not packed. It was refused: the card expired in May.\n"
	shelving, full := runRecall(t, "0"), runRecall(t, "1000000")
	same(t, "recall.golden", shelving)

	require.Contains(t, shelving, answer)
	require.Contains(t, full, answer)
	require.Contains(t, shelving, "● grep pattern=\"order 2718 \" path=\".clarvis/result-XXXXXXXX.txt\"\n")
	require.NotContains(t, full, "grep")
	require.NotContains(t, full, "shelved")
	m := regexp.MustCompile(`\n7 results shelved: ([\d.]+)KB sent to the model in all turns, not ([\d.]+)KB\n`).FindStringSubmatch(shelving)
	require.NotNil(t, m)
	sent, _ := strconv.ParseFloat(m[1], 64)
	all, _ := strconv.ParseFloat(m[2], 64)
	require.Less(t, sent, 0.55*all, "nearly half is saved, of a context that is twice as large as its room")
}

// The model waits for a server and for tests that run beside it, once for each, and leaves
// nothing behind.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-provider", "serve"}, &out, &stderr), "%s", &stderr)
	same(t, "serve.golden", regexp.MustCompile(`(job-)[b-z2-9]{8}`).ReplaceAllString(timeless(out.String()), "${1}X"))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "the workspace is removed")
}

// What goes wrong is said, whatever it is.
func TestServeGivesUp(t *testing.T) {
	for want, results := range map[string][]string{
		"The greeter does not start:": {"mkfifo: ask: File exists"},
		"The tests do not start:":     {"[Job 1 is running.", exit.WithCode(1)},
		"It does not greet you:":      {"[Job 1 is running.", "[Job 2 is running.", "timeout: "},
		"The tests fail:":             {"[Job 1 is running.", "[Job 2 is running.", "Hello, Ada.", "[Job 2 exited with code 1."},
		"It does not stop:":           {"[Job 1 is running.", "[Job 2 is running.", "Hello, Ada.", "[Job 2 exited with code 0.", "[Job 1 is running."},
	} {
		s := newServe()
		s.step("")
		var reply loop.Reply
		for _, result := range results {
			reply = s.step(result)
		}
		require.Equal(t, give(want, results[len(results)-1]), reply)
	}
}
