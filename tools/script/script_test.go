package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

// newSuite returns a suite with a script tool, over a workspace with these files.
func TestMain(m *testing.M) { suitetest.Main(m) }

func newSuite(t testing.TB, cfg config.Config, o script.Options, files map[string]string) *tools.Suite {
	t.Helper()
	cfg.Workspace = t.TempDir()
	for name, content := range files {
		path := filepath.Join(cfg.Workspace, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	s, err := tools.New(cfg, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	addTo(t, s, o)
	return s
}

func addTo(t testing.TB, s *tools.Suite, o script.Options) {
	t.Helper()
	tool, err := script.New(s, o)
	require.NoError(t, err)
	require.NoError(t, s.Add(tool))
}

func run(t testing.TB, s *tools.Suite, code string) tools.Result {
	t.Helper()
	return runIn(t.Context(), t, s, code)
}

func runIn(ctx context.Context, t testing.TB, s *tools.Suite, code string) tools.Result {
	t.Helper()
	raw, err := json.Marshal(map[string]string{"code": code})
	require.NoError(t, err)
	res, err := s.Call(ctx, script.Name, raw)
	require.Equal(t, ctx.Err(), err)
	return res
}

func TestReturns(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, map[string]string{"a.txt": "one\ntwo\n"})
	for code, want := range map[string]string{
		`return 1 + 1`:                           `2`,
		`return "a\nb"`:                          "a\nb",
		`return {a: [1, "x", null]}`:             `{"a":[1,"x",null]}`,
		`return Array(200).fill(1).length`:       `200`,
		`return Symbol.iterator`:                 `Symbol(Symbol.iterator)`,
		`return null`:                            `null`,
		`return ""`:                              `(the script printed and returned nothing)`,
		``:                                       `(the script printed and returned nothing)`,
		`print("a", {b: 1}, [2], undefined, 3n)`: "a {\"b\":1} [2] undefined 3\n",
		`console.log(new TypeError("no")); console.error("x"); return 5`: "TypeError: no\nx\n5",
		`return Object.keys(tools).join(" ")`:                            "read bash grep find ls write edit job",
		`return (await tools.read({path: "a.txt"})).text`:                "one\ntwo\n",
		`return (await tools.read()).text.length`:                        "",
		`try { await tools.read({path: "b.txt"}) } catch (e) { return [e.name, e.code, e instanceof Error, e.message.slice(0, 11)] }`: `["ToolError","not_found",true,"not_found: "]`,
		`return typeof setTimeout + typeof require + typeof fetch + typeof std + typeof os + typeof __call`:                           strings.Repeat("undefined", 6),
		`tools.read = 1; tools = 2; print = 3; delete globalThis.tools; return (await tools.read({path: "a.txt"})).totalLines`:        "2",
		`JSON.parse = JSON.stringify = Map = null; Object.prototype.then = 3; return (await tools.ls({})).names`:                      "",
	} {
		res := run(t, s, code)
		switch {
		case strings.Contains(code, "tools.read()"):
			require.Equal(t, tools.CodeInvalidInput, res.Code, code)
			require.Contains(t, res.Text, "path is required", code)
		case strings.Contains(code, "JSON.parse"):
			require.False(t, res.IsError, res.Text)
			require.Contains(t, res.Text, "a.txt")
		default:
			require.False(t, res.IsError, "%s: %s", code, res.Text)
			require.Equal(t, want, res.Text, code)
		}
	}
	long := run(t, s, `return Array(100).fill("twelve")`).Text
	require.Equal(t, 102, strings.Count(long, "\n")+1, "what is long has a line for each value")
}

// The limits of a call in a script are those of scripts, and what it returns is bounded as any result.
func TestLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789\n", 20_000)
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Minute}, map[string]string{"a.txt": long})
	require.Equal(t, "220000", run(t, s, `return (await tools.read({path: "a.txt"})).text.length`).Text)
	require.Equal(t, "20000", run(t, s, `return (await tools.grep({pattern: "5"})).lines.length`).Text)
	res := run(t, s, `return (await tools.read({path: "a.txt"})).text`)
	require.Less(t, len(res.Text), 32<<10)
	require.Regexp(t, `\.clarvis/tool-\w+\.log`, res.Text)
	require.Equal(t, "true", run(t, s, fmt.Sprintf(`let all = "", offset = 1;
while (offset) {
  const page = await tools.read({path: %q, offset, limit: 7000});
  all += page.text;
  offset = page.nextOffset;
}
return all === (await tools.read({path: "a.txt"})).text`, res.FullOutputPath())).Text)
}

// What a script did is told, whether it succeeds or fails.
func TestDeeds(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, script.Options{}, map[string]string{"a.txt": "one\n"})
	res := run(t, s, `await tools.edit({path: "a.txt", old_string: "one", new_string: "two"});
await tools.write({path: "b.txt", content: "b"});
await tools.bash({command: "exit 3"});
await tools.bash({command: "sleep 60", background: true});
await tools.edit({path: "a.txt", old_string: "nosuch", new_string: "x"});
await tools.write({path: "c.txt", content: "c"});`)
	require.Equal(t, tools.CodeNotFound, res.Code)
	require.Contains(t, res.Text, `not_found: line 5, column 13 (await tools.edit({path: "a.txt", old_string: "nosuch", new_string: "x"});): old_string`)
	require.Contains(t, res.Text, "The script did this:\n- changed a.txt: 1 line added, 1 removed\n- changed b.txt: created, 1 line added\n"+
		"- ran exit 3 (exit code 3)\n- started job 1: sleep 60")
	require.NoFileExists(t, filepath.Join(s.Workspace(), "c.txt"))

	res = run(t, s, `for (let i = 0; i < 30; i++) await tools.write({path: "f" + i, content: "x"}); for (let i = 0; i < 7; i++) await tools.bash({command: "false"})`)
	require.Equal(t, 20, strings.Count(res.Text, "\n- changed f"))
	require.Contains(t, res.Text, "\n- ran 2 more commands that failed\n- 15 more changes like these")

	res = run(t, s, `tools.edit({path: "a.txt", old_string: "nosuch", new_string: "x"}); tools.read({path: "a.txt"}).then(print); return 1`)
	require.False(t, res.IsError)
	require.Contains(t, res.Text, "- line 1: edit failed, and nothing awaits it: not_found: old_string")
	res = run(t, s, `const a = tools.read({path: "none"}), b = tools.read({path: "a.txt"}); await b; await a.catch(() => {}); return 1`)
	require.Equal(t, "1", res.Text)
}

// At most so many calls run at once, in the order in which they were made.
func TestParallel(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{Parallel: 3}, nil)
	begun, release := make(chan int), make(chan struct{})
	require.NoError(t, s.Add(tools.Func("wait", "Waits.", func(ctx context.Context, p struct {
		N int `json:"n"`
	}) (string, error) {
		begun <- p.N
		<-release
		return fmt.Sprint(p.N), nil
	}, config.Effects{})))
	done := make(chan tools.Result)
	go func() {
		done <- run(t, s, `return (await Promise.all([0, 1, 2, 3, 4].map((n) => tools.wait({n})))).map((r) => r.text)`)
	}()
	first := []int{<-begun, <-begun, <-begun}
	require.ElementsMatch(t, []int{0, 1, 2}, first)
	select {
	case n := <-begun:
		t.Fatalf("call %d is one too many", n)
	case release <- struct{}{}:
	}
	require.Equal(t, 3, <-begun)
	for range 3 {
		release <- struct{}{}
	}
	require.Equal(t, 4, <-begun)
	release <- struct{}{}
	require.Equal(t, `["0","1","2","3","4"]`, (<-done).Text)
}

// image shows the pictures of a result, and nothing else.
func TestImage(t *testing.T) {
	t.Parallel()
	picture, err := os.ReadFile("../../internal/report/browser/pictures/report-light.png")
	require.NoError(t, err)
	s := newSuite(t, config.Config{}, script.Options{}, map[string]string{"a.png": string(picture)})
	require.Empty(t, run(t, s, `await tools.read({path: "a.png"})`).Images)
	res := run(t, s, `image(await tools.read({path: "a.png"}))`)
	require.Len(t, res.Images, 1, res.Text)
	require.Equal(t, "image/png", res.Images[0].MIMEType)
	for _, code := range []string{`image("a.png")`, `image()`, `image({image: 1})`, `image({images: [{image: 7}]})`} {
		require.Contains(t, run(t, s, code).Text, "image() takes a result of read that has images", code)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, nil)
	for _, o := range []script.Options{{Parallel: -1}, {MaxCalls: -1}, {MaxBytes: 5}, {MaxMemory: 5}, {MaxCPU: -1}, {Timeout: -1}} {
		_, err := script.New(s, o)
		require.ErrorContains(t, err, "script: Options.")
	}
	for args, want := range map[string]string{
		`{}`: "code is required", `{"code": 5, "x": 1}`: "script has no argument x", `{"code": "1", "timeout_ms": 900000}`: "must be between 1 and 600000",
		`{"code": "1", "timeout_ms": 2000000000}`:          "timeout_ms is 2000000000, but must be between 1 and 600000",
		`{"code": "` + strings.Repeat(" ", 300_000) + `"}`: "over the limit of 262144",
	} {
		res, err := s.Call(t.Context(), "script", json.RawMessage(args))
		require.NoError(t, err)
		require.Equal(t, tools.CodeInvalidInput, res.Code)
		require.Contains(t, res.Text, want)
	}
	many := newSuite(t, config.Config{}, script.Options{}, nil)
	for i := range 200 {
		require.NoError(t, many.Add(tools.Func(fmt.Sprintf("tool_with_a_long_name_%d", i), "x", func(context.Context, struct{}) (string, error) { return "", nil })))
	}
	tool, err := script.New(many, script.Options{})
	require.NoError(t, err)
	require.Less(t, len(tool.Description()), 4<<10)
	require.Regexp(t, `and \d+ other tools`, tool.Description())
}

// A long value that is returned is cut as JSON; what is printed keeps its end, and a failure both.
func TestCut(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Hour}, nil)
	res := run(t, s, `return {items: Array.from({length: 5000}, (_, i) => ({id: i, state: i === 4321 ? "failed" : "ok"}))}`)
	body, _, _ := strings.Cut(res.Text, "\n\n[")
	require.True(t, json.Valid([]byte(body)), body)
	require.Contains(t, body, `4321`)
	require.Contains(t, res.Text, "Full output: ")
	res = run(t, s, `for (let i = 0; i < 5000; i++) print("line", i); return "the end"`)
	require.Regexp(t, `line 4999\nthe end`, res.Text)
	require.NotContains(t, res.Text, "line 1\n")
	res = run(t, s, `for (let i = 0; i < 5000; i++) print("line", i); await tools.write({path: "a", content: "a"}); throw new Error("no")`)
	require.Contains(t, res.Text, "Error: no")
	require.Contains(t, res.Text, "- changed a: created")
	details := run(t, s, `await tools.ls({}); return [1]`).Details.(tools.TruncatedDetails).Details
	require.Equal(t, script.Details{Calls: 1, JSON: true}, details)
}
