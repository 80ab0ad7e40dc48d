package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// fieldsOf returns the fields of a result as a description gives them: "lines[].path: string".
func fieldsOf(form, at string) (list []string) {
	depth, from := 0, 1
	field := func(text string) {
		name, kind, typed := strings.Cut(strings.TrimSpace(text), ": ")
		name = at + strings.TrimSuffix(name, "?")
		switch inner, many := strings.CutSuffix(kind, "[]"); {
		case !typed:
			list = append(list, name+": string")
		case many && inner[0] == '{':
			list = append(list, fieldsOf(inner, name+"[].")...)
		case many:
			list = append(list, name+"[]: "+inner)
		case kind[0] == '{':
			list = append(list, fieldsOf(kind, name+".")...)
		default:
			list = append(list, name+": "+strings.Replace(kind, "any", "object", 1))
		}
	}
	for i, c := range form {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 1 && c == ',' || depth == 0 {
			field(form[from:i])
			from = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return list
}

// shape is JavaScript that prints the fields of what a call returns, or of the details of what it throws, likewise.
const shape = `const walk = (v, at) => {
  if (Array.isArray(v)) v.forEach((x) => walk(x, at + "[]"));
  else if (v && typeof v === "object" && !/^(skipped|details)$/.test(at)) for (const k in v) walk(v[k], (at && at + ".") + k);
  else print(at + ": " + typeof v);
};
walk(await tools.%s(%s).catch((e) => e.code === "too_large" ? e.details : Promise.reject(e)), "");`

// picture is a tool with everything that one can return.
type picture struct{ data []byte }

func (p picture) Name() string            { return "picture" }
func (p picture) Description() string     { return "Draws." }
func (p picture) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (p picture) Call(context.Context, json.RawMessage) (tools.Result, error) {
	return tools.Result{
		Text: strings.Repeat("drawn\n", 2000), Details: map[string]any{"width": 1},
		Images: []tools.Image{{MIMEType: "image/png", Data: p.data}},
	}, nil
}

// What a script gets is what the description says, of every tool, and nothing else.
func TestResultsAreAsDescribed(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	png, err := os.ReadFile("../../internal/report/browser/pictures/report-light.png")
	require.NoError(t, err)
	files := map[string]string{
		"a.txt": strings.Repeat("x\n", 3000), "line.txt": "x" + strings.Repeat("-", 30_000), "a.png": string(png),
		".gitignore": "*.log\n", "a.log": "x", "many/hidden.txt": "x",
	}
	for i := range 60 {
		files[fmt.Sprintf("many/%s%d.md", strings.Repeat("m", 90), i)] = "m"
	}
	cfg := config.Config{Tools: config.ToolNames(), Hidden: []string{"hidden.txt"}, Bash: config.Bash{SplitStreams: true}}
	s := newSuite(t, cfg, script.Options{MaxBytes: 3000, MaxCPU: time.Minute}, files)
	view, err := s.With(tools.View{Tools: config.ToolNames()})
	require.NoError(t, err)
	require.NoError(t, view.Add(picture{png}))
	addTo(t, view, script.Options{MaxBytes: 3000, MaxCPU: time.Minute})
	calls := map[string][]string{
		"read": {
			`{path: "a.txt", limit: 5}`, `{path: "line.txt", column: 1}`, `{path: "a.png"}`, `{paths: ["a.txt", "none"]}`,
		},
		"bash": {
			`{command: "echo hi; kill -9 $$"}`, `{command: "echo one two; read x; read x; echo $x", background: true}`,
			`{command: "seq 5000; seq 5000 >&2"}`,
		},
		"grep":        {`{pattern: "x", limit: 5}`, `{pattern: "x", output_mode: "count"}`, `{pattern: "x", path: "line.txt"}`},
		"find":        {`{pattern: "*"}`, `{pattern: "*", limit: 1}`},
		"ls":          {`{path: "many"}`},
		"write":       {`{path: "b.txt", content: "b"}`},
		"edit":        {`{path: "c.txt", old_string: "", new_string: "c"}`},
		"apply_patch": {`{patch: "*** Begin Patch\n*** Add File: d.txt\n+d\n*** Delete File: c.txt\n*** Update File: b.txt\n*** Move to: e.txt\n@@\n-b\n+e\n*** End Patch"}`},
		"job": {
			`{}`, `{id: 1, until: "one"}`, `{id: 1, input: "x\n", wait_ms: 60000}`, `{id: 1, input: "` + strings.Repeat("y", 5000) + `\n", wait_ms: 60000}`,
		},
		"picture": {`{}`},
	}
	description := view.Tools()[len(view.Tools())-1].Description()
	for _, found := range regexp.MustCompile(`\n(?:tools\.(\w+)\(.*\)|Results not given here): (\{.*\})`).FindAllStringSubmatch(description, -1) {
		name := found[1]
		if name == "" {
			name = "picture"
		}
		var has []string
		for _, args := range calls[name] {
			res := run(t, view, fmt.Sprintf(shape, name, args))
			require.False(t, res.IsError, "%s: %s", name, res.Text)
			printed, _, _ := strings.Cut(res.Text, "\n\n")
			has = append(has, strings.Split(strings.TrimSpace(printed), "\n")...)
		}
		if name == "job" && (runtime.GOOS != "linux" || !testkit.HasProc()) {
			has = append(has, "waitsForInput: boolean") // which only /proc tells
		}
		slices.Sort(has)
		says := fieldsOf(found[2], "")
		slices.Sort(says)
		require.Equal(t, says, slices.Compact(has), name)
		delete(calls, name)
	}
	require.Empty(t, calls, "tools that are not described")
}

// long is a file of so many lines of 35 bytes.
func long(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %06d %s\n", i, strings.Repeat("x", 22))
	}
	return b.String()
}

// A result that is not whole is an error that says how to go on, unless the call asked for a part.
func TestNothingIsCutInSilence(t *testing.T) {
	testkit.Alone(t)
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, script.Options{MaxBytes: 100 << 10, MaxCPU: time.Minute}, map[string]string{
		"long.txt": long(12_000), "line.txt": strings.Repeat("y", 300<<10),
	})
	require.NoError(t, s.Add(tools.Func("say", "Says.", func(context.Context, struct{}) (string, error) { return long(12_000), nil })))
	for _, tt := range []struct{ call, says string }{
		{`read({path: "long.txt"})`, `2925 lines of 12000 fit into the 102400 bytes of a result. e.details has them. Go on with offset: 2926`},
		{`read({path: "long.txt", offset: null})`, `Go on with offset: 2926`},
		{`read({path: "long.txt", show: "page"})`, `Go on with offset: 2926`},
		{`read({paths: ["long.txt", "line.txt"]})`, `e.details.files has what does. Read them one by one`},
		{`read({path: "line.txt"})`, `line 1 is over the 102400 bytes of a result. Read it in pieces, from offset: 1, column: 1 on`},
		{`grep({pattern: "x"})`, `there are more than the \d+ matches that fit into a result \(at most 102400 bytes, and 100000 matches\). e.details has these`},
		{`grep({pattern: "y", path: "line.txt"})`, `some lines are too long, and cut`},
		{`bash({command: "cat long.txt"})`, `The command has run, and all of it is in \.clarvis/bash-\w+\.log: read or grep that`},
		{`say({})`, `The call was made, and all of it is in \.clarvis/tool-\w+\.log`},
	} {
		res := run(t, s, `try { await tools.`+tt.call+`; return "in silence" } catch (e) { return e.code + " " + e.message + JSON.stringify(e.details).length }`)
		require.Regexp(t, "^too_large too_large: "+`.*`+tt.says+`.*\. A call with .*partial: true returns what fits\d+$`, res.Text, tt.call)
	}
	for _, call := range []string{
		`read({path: "long.txt", offset: 1})`, `read({path: "long.txt", limit: 50000})`, `read({path: "long.txt", max_lines: "50000"})`,
		`read({path: "long.txt", show: "digest"})`, `read({path: "line.txt", column: 5})`, `read({path: "long.txt:1-50000", partial: true})`,
		`grep({pattern: "x", limit: 100000})`, `grep({pattern: "x", offset: 0})`, `bash({command: "cat long.txt", show: "head"})`,
		`grep({pattern: "x", partial: true})`, `say({partial: true})`, `say({partial: "true"})`,
	} {
		require.Equal(t, "true", run(t, s, `return (await tools.`+call+`).cut`).Text, call)
	}
	require.Equal(t, "true", run(t, s, `const r = await tools.grep({pattern: "x", partial: true}); return r.matches === r.lines.length && r.matches === r.nextOffset`).Text)
	for _, call := range []string{`read({path: "long.txt", limit: 5})`, `grep({pattern: "line", limit: 5, partial: false})`, `find({pattern: "*", limit: 1, partial: null})`} {
		require.Equal(t, "false", run(t, s, `const r = await tools.`+call+`; return "cut" in r || !r.nextOffset`).Text, call)
	}
	require.Contains(t, run(t, s, `await tools.ls({partial: "some"})`).Text, `partial must be true or false, but it is "some"`)
}

// What the errors say to do leads to all of it.
func TestGoingOn(t *testing.T) {
	testkit.Alone(t)
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, script.Options{MaxBytes: 100 << 10, MaxCPU: time.Minute}, map[string]string{
		"long.txt": long(12_000), "line.txt": strings.Repeat("y", 300<<10),
	})
	for code, want := range map[string]string{
		`let lines = 0;
for (let offset = 1; offset;) {
  const r = await tools.read({path: "long.txt", offset}).catch((e) => print(e.message));
  lines += r.text.split("\n").length - 1;
  offset = r.nextOffset;
}
return lines`: "12000",
		`let n = 0, offset = 0;
do { const r = await tools.grep({pattern: "x", offset}); n += r.lines.length; offset = r.nextOffset } while (offset);
return n`: "12000",
		`let all = "", r;
try { r = await tools.read({path: "long.txt"}) } catch (e) { r = e.details }
for (; all += r.text, r.nextOffset; r = await tools.read({path: "long.txt", offset: r.nextOffset}));
return all.length`: fmt.Sprint(len(long(12_000))),
		`try { await tools.bash({command: "cat long.txt"}) } catch (e) {
  return (await tools.grep({pattern: "line 011999", path: e.details.outputPath})).lines[0].line }`: "12000",
		`let all = "", r;
try { await tools.read({path: "line.txt"}) } catch (e) { r = e.details }
while (r.nextColumn) { r = await tools.read({path: "line.txt", offset: r.nextOffset, column: r.nextColumn}); all += r.text }
return [all.length, all.includes("\n")]`: fmt.Sprintf("[%d,false]", 300<<10),
		`return (await tools.grep({pattern: "x", output_mode: "count"})).lines[0].count`: "12000",
	} {
		require.Equal(t, want, run(t, s, code).Text, code)
	}
}

// What nobody shortens for a model is whole, whatever the options are.
func TestResultsAreWhole(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	line := strings.Repeat("0123456789", 1000)
	cfg := config.Config{
		Read: config.Read{MaxLineChars: 20, LineNumbers: true}, Grep: config.Grep{MaxLineChars: 20},
		Bash: config.Bash{Strategy: "digest", Policy: truncation.Policy{Limits: truncation.Limits{Chars: 2000}, Marker: "[cut]"}},
	}
	s := newSuite(t, cfg, script.Options{MaxCPU: time.Minute}, map[string]string{"a.txt": line + "\n"})
	for call, want := range map[string]string{
		`(await tools.read({path: "a.txt"})).text`:                  line + "\n",
		`(await tools.grep({pattern: "8$|9"})).lines[0].text`:       line,
		`(await tools.bash({command: "cat a.txt a.txt"})).text`:     line + "\n" + line + "\n",
		`(await tools.bash({command: "seq 1 500", show: ""})).text`: "",
	} {
		if want == "" {
			require.Equal(t, "500", run(t, s, `return `+call+`.trim().split("\n").length`).Text, call)
			continue
		}
		require.Equal(t, "true", run(t, s, `return `+call+` === `+fmt.Sprintf("%q", want)).Text, call)
	}
}

// text is without notices, of every tool that has one.
func TestTextHasNoNotices(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Minute}, map[string]string{"a.txt": "one\ntwo\n", "empty.txt": ""})
	for code, want := range map[string]string{
		`return (await tools.read({path: "a.txt", limit: 1})).text`:         "one\n",
		`return (await tools.read({path: "empty.txt"}))`:                    `{"text":"","totalLines":0}`,
		`return (await tools.read({paths: ["a.txt", "a.txt"]})).text`:       "one\ntwo\none\ntwo\n",
		`return (await tools.bash({command: "echo a; echo b >&2; false"}))`: `{"text":"a\nb\n","exitCode":1}`,
		`const {job} = await tools.bash({command: "echo hi; read x; echo got $x", background: true, ready_when: "hi"});
return [(await tools.job({id: job, input: "y\n", wait_ms: 60000})).text, (await tools.job({id: job})).text]`: `["got y\n",""]`,
	} {
		text, _, _ := strings.Cut(run(t, s, code).Text, "\n\nThe script")
		require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(text), code)
	}
}

// What searches skipped is told once, unless the script has looked.
func TestSkipped(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{MaxFileBytes: 5000, Hidden: []string{"secret.txt"}, Rules: config.Rules{Deny: []string{"read(denied.txt)"}}}, script.Options{MaxCPU: time.Minute}, map[string]string{
		".gitignore": "*.log\n", "a.log": "x", "b.log": "x", "a.txt": "x\n", "large.txt": strings.Repeat("x\n", 5000), "a.bin": "x\x00\x01",
		"secret.txt": "x", "denied.txt": "x", "latin1.txt": "caf\xe9 \xff\xfe",
	})
	const all = "skipped 1 large file, 1 binary file, 1 file that rules do not let you read, 1 hidden entry and 2 ignored entries. " +
		"The field skipped of a result has its counts]"
	require.Equal(t, "1\n\n[A search "+all, run(t, s, `return (await tools.grep({pattern: "x"})).lines.length`).Text)
	require.Equal(t, `{"ignored":2,"hidden":1,"refused":1,"large":1,"binary":1}`,
		sorted(t, run(t, s, `return (await tools.grep({pattern: "x"})).skipped`).Text))
	for _, silent := range []string{
		`const {lines, skipped} = await tools.grep({pattern: "x"})`, `JSON.stringify(await tools.grep({pattern: "x"}))`,
		`await tools.grep({pattern: "x", path: "a.txt"})`, `await tools.read({path: "a.txt"})`,
		`for (const r of await Promise.all([tools.grep({pattern: "x"}), tools.find({pattern: "*"})])) r.skipped?.large`,
	} {
		require.NotContains(t, run(t, s, silent).Text, "skipped", silent)
	}
	text := run(t, s, `await tools.grep({pattern: "skipped"}); await tools.find({pattern: "*.txt"}); (await tools.ls({})).skipped; throw new Error("no")`).Text
	require.Regexp(t, `(?s)^invalid_input: .*no\n\n\[2 searches together skipped 1 large file, .*, 2 hidden entries and 2 ignored entries\.`, text)
	require.Equal(t, 1, strings.Count(text, "skipped 1"))

	res := run(t, s, `await tools.grep({pattern: "x"}); return Array.from({length: 9000}, (_, i) => ({id: i}))`)
	body, below, _ := strings.Cut(res.Text, "\n\n[")
	require.True(t, json.Valid([]byte(body)), "it is cut as JSON")
	require.True(t, strings.HasPrefix(below, "Full output: ") && strings.Contains(below, all[:20]), below)
}

// sorted returns the counts in the order of the notice.
func sorted(t *testing.T, text string) string {
	t.Helper()
	var counts map[string]int
	require.NoError(t, json.Unmarshal([]byte(text), &counts), text)
	var list []string
	for _, name := range []string{"ignored", "hidden", "refused", "large", "binary", "notUTF8", "unreadable"} {
		if n := counts[name]; n > 0 {
			list = append(list, fmt.Sprintf("%q:%d", name, n))
		}
	}
	return "{" + strings.Join(list, ",") + "}"
}

// Pictures count as all that a script reads, and one over that is not held.
func TestPicturesAreBounded(t *testing.T) {
	t.Parallel()
	png, err := os.ReadFile("../../internal/report/browser/pictures/report-light.png")
	require.NoError(t, err)
	room := int64(len(png))*3 + 2000
	s := newSuite(t, config.Config{}, script.Options{MaxAllBytes: room, MaxCPU: time.Minute}, map[string]string{"a.png": string(png)})
	res := run(t, s, `let n = 0, last;
for (; n < 300; n++) try { last = await tools.read({path: "a.png"}) } catch (e) { print(e.message); break }
for (let i = 0; i < 100; i++) try { image(last) } catch (e) { return [n, i, e.message] }`)
	require.Contains(t, res.Text, "too_large: the results of the calls of this script, pictures included, are over")
	require.Contains(t, res.Text, `3,`)
	require.Contains(t, res.Text, "image() has shown 64 pictures, which is the most")
}

// What a script gives to jobs is told, and a command that succeeded is not.
func TestJobDeeds(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Minute}, nil)
	res := run(t, s, `await tools.bash({command: "echo quiet"});
const {job} = await tools.bash({cmd: "echo go; read x; exec sleep 60", background: true, ready_when: "go"});
await tools.job({id: job, input: "yes\n", wait_ms: 1});
await tools.job({job_id: job, signal: "SIGTERM", wait_ms: 60000});
await tools.job({id: 7, signal: "kill"}).catch(() => {});
await tools.job({id: job, input: "late"}).catch(() => {});
return [1]`)
	require.Equal(t, "[1]\n\nThe script did this:\n- started job 1: echo go; read x; exec sleep 60\n- gave job 1 the input \"yes\\n\"\n"+
		"- sent job 1 the signal terminate", res.Text)
	res = run(t, s, `await tools.bash({command: "touch a"}); return [1]`)
	require.Equal(t, "[1]", res.Text)
	require.FileExists(t, filepath.Join(s.Workspace(), "a"))
}

// The end of a job of a script is told once, to the model that ran the script, unless the script has seen it.
func TestEndOfJob(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, script.Options{MaxCPU: time.Minute}, nil)
	ctx := tools.WithConversation(t.Context(), "model")
	ls := func() string {
		res, err := s.Call(ctx, "ls", nil)
		require.NoError(t, err)
		return res.Text
	}
	runIn(ctx, t, s, `await tools.bash({command: "exec sleep 60", background: true})`)
	require.NotContains(t, ls(), "ended")
	require.NoError(t, s.Jobs()[0].Stop(ctx))
	require.Contains(t, ls(), "Job 1 has ended")
	require.NotContains(t, ls(), "ended")

	res := runIn(ctx, t, s, `await tools.bash({command: "exec sleep 60", background: true}); await tools.job({id: 2, signal: "kill", wait_ms: 60000})`)
	require.NotContains(t, res.Text, "has ended")
	require.NotContains(t, ls(), "ended", "the script has seen it")
	require.Contains(t, runIn(tools.WithConversation(ctx, "other"), t, s, `return 1`).Text, "2 jobs have ended")
}
