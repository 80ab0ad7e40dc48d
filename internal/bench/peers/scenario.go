package main

import (
	"fmt"
	"io"
)

// scenario is one piece of work, as each contender is asked for it.
type scenario struct {
	name   string            // group/case
	title  string            // in the report
	calls  map[string]call   // by contender
	absent map[string]string // why a contender has no such call
	before func() error      // before each call
	check  func(*prober) error
}

// page reads from a line on. pages of the toolset are asked for by their end as
// well; 500 lines is what its own text proposes.
func page(file string, line int) map[string]call {
	offset := call{"read", map[string]any{"path": file, "offset": line}}
	return map[string]call{
		"spillway":  offset,
		"anthropic": {"read", map[string]any{"file_path": file, "view_range": []int{line, line + 499}}},
		"pi":        offset,
		"naive":     {"read", map[string]any{"path": file}},
	}
}

// whole reads a file without saying which part.
func whole(file string) map[string]call {
	path := call{"read", map[string]any{"path": file}}
	return map[string]call{"spillway": path, "pi": path, "naive": path, "anthropic": {"read", map[string]any{"file_path": file}}}
}

// everybody makes the same call.
func everybody(tool string, args map[string]any) map[string]call {
	c := call{tool, args}
	return map[string]call{"spillway": c, "anthropic": c, "pi": c, "naive": c}
}

func bash(command string) map[string]call {
	return everybody("bash", map[string]any{"command": command})
}

// instead gives the naive agent, which has bash alone, a command.
func instead(calls map[string]call, command string) map[string]call {
	calls["naive"] = call{"bash", map[string]any{"command": command}}
	return calls
}

func grep(pattern, path string) map[string]call {
	return instead(everybody("grep", map[string]any{"pattern": pattern, "path": path}), "grep -rn "+pattern+" "+path)
}

// scenarios are all that is compared.
func scenarios(w *world) []scenario {
	list := append(readScenarios(w), bashScenarios(w)...)
	return append(list, searchScenarios(w)...)
}

func readScenarios(w *world) []scenario {
	deep := w.logLines - w.logLines/20
	log := func(p *prober) error { return p.log(w) }
	text := func(name string) func(p *prober) error {
		return func(p *prober) error {
			want, err := w.read(name)
			if err != nil {
				return err
			}
			return p.text(want)
		}
	}
	size := fmt.Sprintf("%d MB log", w.logLines*100/1_000_000)
	piece := call{"read", map[string]any{"path": "long.json", "offset": 1, "column": w.longLine * 4 / 5}}
	none := "its read cannot show part of a line"
	return []scenario{
		{name: "read/short", title: "a file of 3 KB", calls: whole("short.go"), check: text("short.go")},
		{name: "read/log-start", title: size + ", its first page", calls: page("app.log", 1), before: w.touch, check: log},
		{name: "read/log-deep", title: size + ", a page far in, just changed", calls: page("app.log", deep), before: w.touch, check: log},
		{name: "read/log-deep-again", title: size + ", the same page again", calls: page("app.log", deep), check: log},
		{name: "read/long-line", title: fmt.Sprintf("a file with a line of %d MB", w.longLine/1_000_000), calls: whole("long.json"), check: text("long.json")},
		{name: "read/long-line-piece", title: "a piece far in that line", check: func(p *prober) error {
			p.first = p.first.with("column", 1) // and from there to the end
			return text("long.json")(p)
		}, calls: map[string]call{"spillway": piece, "naive": whole("long.json")["naive"]}, absent: map[string]string{"anthropic": none, "pi": none}},
	}
}

func bashScenarios(w *world) []scenario {
	printed := func(out io.Writer) error { return numbers(out, 1, w.printed) }
	amid := func(out io.Writer) error {
		if err := numbers(out, 1, w.amid); err != nil {
			return err
		}
		if _, err := io.WriteString(out, "ERROR: disk quota exceeded\n"); err != nil {
			return err
		}
		return numbers(out, 1, w.amid)
	}
	wide := func(out io.Writer) error {
		data, err := w.read("wide.txt")
		if err != nil {
			return err
		}
		_, err = out.Write(data)
		return err
	}
	seq := fmt.Sprintf("seq 1 %d", w.amid)
	background := func(p *prober) error { return p.background() }
	return []scenario{
		{name: "bash/echo", title: "`echo hi`", calls: bash("echo hi"), check: func(p *prober) error { return p.text([]byte("hi\n")) }},
		{name: "bash/100MB", title: fmt.Sprintf("`seq 1 %d`, 100 MB", w.printed), calls: bash(fmt.Sprintf("seq 1 %d", w.printed)),
			check: func(p *prober) error { return p.output(printed, "") }},
		{name: "bash/error-inside", title: "an error in the middle of 20 MB", calls: bash(seq + "; echo 'ERROR: disk quota exceeded' >&2; " + seq),
			check: func(p *prober) error { return p.output(amid, "ERROR") }},
		{name: "bash/wide", title: "one line of 1 MB, 4 bytes a character", calls: bash("cat wide.txt"), check: func(p *prober) error { return p.output(wide, "") }},
		{name: "bash/background", title: "`sleep 2 &` in the background", calls: bash(sleeper("", "2")), check: background},
		{name: "bash/setsid", title: "the same with `setsid`", calls: bash(sleeper("setsid ", "2")), check: background},
	}
}

// sleeper is a command that leaves a process behind which holds its output, as a
// server does that was started with &.
func sleeper(prefix, seconds string) string {
	return prefix + "sleep " + seconds + " & echo started"
}

func searchScenarios(w *world) []scenario {
	noFile := map[string]string{"anthropic": "has no such tool"}
	lines := func(want map[string]bool) func(*prober) error {
		return func(p *prober) error { return p.list(want, matchKey) }
	}
	find := everybody("find", map[string]any{"pattern": "**/*.go", "path": "tree"})
	find["anthropic"] = call{"glob", find["pi"].Args}
	ls := everybody("ls", map[string]any{"path": "entries"})
	delete(ls, "anthropic")
	tree := fmt.Sprintf("%d files", w.files)
	return []scenario{
		{name: "grep/few", title: fmt.Sprintf("%d matches in %s", len(w.few), tree), calls: grep("rareWord", "tree"), check: lines(w.few)},
		{name: "grep/many", title: fmt.Sprintf("%d matches in %s", len(w.many), tree), calls: grep("commonWord", "tree"), check: lines(w.many)},
		{name: "grep/none", title: "no match in " + tree, calls: grep("absentWord", "tree"), check: (*prober).nothing},
		{name: "grep/wide", title: "300 lines of 8 KB, 4 bytes a character", calls: grep("wide", "wide-lines.txt"),
			check: func(p *prober) error { return p.wideLines(w) }},
		{name: "find/go", title: fmt.Sprintf("`**/*.go`, %d of %s", len(w.goes), tree), calls: instead(find, "find tree -name '*.go'"),
			check: func(p *prober) error { return p.list(w.goes, pathKey) }},
		{name: "ls/entries", title: fmt.Sprintf("%d entries", w.entries), calls: instead(ls, "ls -A entries"), absent: noFile,
			check: func(p *prober) error { return p.list(w.names, pathKey) }},
	}
}
