//go:build linux

package hostile_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

type args = map[string]any

var cases = concat(longLines, patterns, globs, ignoreFiles, gitConfigs, trees, paths, odd, pictures, files, changes, commands, jobs, sandboxes, spills, notebooks, patches, edits, added, scripts)

// notebooks are near the limit of a file, and of as many values as fit into that.
var notebooks = []hostile{
	notebook("cells", `{"cells": [`, "{},", `{}]}`),
	notebook("lines of a cell", `{"cells": [{"source": [`, `"",`, `""]}]}`),
	notebook("outputs", `{"cells": [{"outputs": [`, "{},", `{}]}]}`),
	notebook("kinds of data", `{"cells": [{"outputs": [{"data": {`, `"":0,`, `"":0}}]}]}`),
	notebook("levels", `{"cells": `, "[", "\n"),
	notebook("unknown keys", `{`, `"a":[0],`, `"cells": [{}]}`),
	notebook("escape sequences", `{"cells": [{"outputs": [{"text": "`, `\u001b[9C\r`, `"}]}]}`),
}

func notebook(what, before, often, after string) hostile {
	return hostile{
		name:  "a notebook of many " + what,
		build: fill("a.ipynb", piece{before, 1}, piece{often, int64((20_000_000 - len(before) - len(after)) / len(often))}, piece{after, 1}),
		calls: []call{{tool: "read", args: args{"path": "a.ipynb"}}, {tool: "read", args: args{"path": "a.ipynb", "offset": -1}}},
	}
}

// edits go through a file of 20 MB as often as they can, or have as many places as fit into one.
var edits = []hostile{
	editOf("one character", "a", args{"old_string": "a", "new_string": "b", "replace_all": true},
		args{"old_string": strings.Repeat("a", 1_000_000) + "b", "new_string": "c"}, args{"old_string": strings.Repeat("a", 1_000_000), "new_string": "c"}),
	editOf("lines that are all alike", "  x\n", args{"old_string": strings.Repeat("\tx\n", 200_000), "new_string": "y"},
		args{"old_string": strings.Repeat("\tx\n", 200_000) + "y", "new_string": "y"}, args{"old_string": "      x", "new_string": strings.Repeat("y", 1_000_000), "replace_all": true}),
	editOf("empty lines", "\n", args{"old_string": strings.Repeat("\n", 100_000) + "x", "new_string": "y"}, args{"old_string": "x\n\ny", "new_string": "y"}),
	editOf("spaces", " ", args{"old_string": strings.Repeat(" ", 100_000) + "\n", "new_string": "y"}, args{"old_string": "x " + strings.Repeat(" \n", 10_000), "new_string": "y"}),
	editOf("carriage returns", "\r", args{"old_string": "\n", "new_string": "x\ny", "replace_all": true}, args{"old_string": "\n\nx", "new_string": "y"}),
	editOf("accents", "\u0301", args{"old_string": "e\u0301\u0301x", "new_string": "y"}, args{"old_string": "é", "new_string": "y", "replace_all": true}),
	{
		name: "edits of over a million places", build: fill("f", piece{letters + "\n", 950_000}),
		calls: []call{
			{tool: "edit", args: args{"path": "f", "edits": lettersReplaced}},
			{tool: "edit", args: args{"path": "f", "edits": repeated(args{"old_string": "a", "new_string": "b", "replace_all": true}, 100)}},
			{tool: "edit", args: args{"path": "f", "old_string": "a", "new_string": "b", "replace_all": true}},
			{tool: "edit", args: args{"path": "f", "edits": repeated(args{"old_string": "x", "new_string": "y"}, 100)}},
		},
	},
	{
		name: "edits of as many places as there may be", build: fill("f", piece{letters + "\n", edit.MostPlaces / 20}, piece{"uv\n", 6_500_000}),
		calls: []call{
			{tool: "edit", args: args{"path": "f", "edits": lettersReplaced}},
			{tool: "edit", args: args{"path": "f", "edits": repeated(args{"old_string": "a", "new_string": "b", "replace_all": true}, 100)}},
			{tool: "edit", args: args{"path": "f", "old_string": "-", "new_string": "_", "replace_all": true}},
		},
	},
	{
		name: "edits and writes in another encoding", build: fill("f", piece{"\x93", 6_600_000}, piece{"a", 100_000}),
		calls: []call{
			{tool: "edit", args: args{"path": "f", "old_string": "a", "new_string": "é", "replace_all": true, "encoding": "windows-1252"}},
			{tool: "edit", args: args{"path": "f", "old_string": strings.Repeat("“", 100_000) + "é", "new_string": "x", "encoding": "windows-1252"}},
			{tool: "edit", args: args{"path": "f", "old_string": "é", "new_string": "x", "replace_all": true, "encoding": "gb18030"}},
			{tool: "edit", args: args{"path": "f", "old_string": "\"\"", "new_string": "x", "replace_all": true, "encoding": "shift_jis"}},
			{tool: "write", args: args{"path": "f", "content": long{"日\n", 2_000_000}, "encoding": "shift_jis"}},
			{tool: "write", args: args{"path": "f", "content": long{"日\n", 2_000_000}, "encoding": "iso-2022-jp"}},
			{tool: "write", args: args{"path": "f", "content": long{"ƀƀ\n", 1_600_000}, "encoding": "gb18030"}},
		},
	},
	editOf("quotes", "“", args{"old_string": "\"\"", "new_string": "y", "replace_all": true}, args{"old_string": "\"x", "new_string": "y"}),
}

// letters are the line of a file in which each of 20 edits finds as many places as there are lines.
const letters = "abcdefghijklmnopqrst"

var lettersReplaced = func() (edits []args) {
	for _, letter := range letters {
		edits = append(edits, args{"old_string": string(letter), "new_string": "-" + string(letter), "replace_all": true})
	}
	return edits
}()

func editOf(what, often string, changes ...args) hostile {
	h := hostile{name: "an edit of many " + what, build: fill("f", piece{often, int64(19_999_000 / len(often))})}
	for _, a := range changes {
		a["path"] = "f"
		h.calls = append(h.calls, call{tool: "edit", args: a})
	}
	return h
}

func concat(lists ...[]hostile) (all []hostile) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var longLines = []hostile{
	{
		name:  "context around a line of 300 MB",
		build: fill("f", piece{"x\n", 1}, piece{"a", 300 << 20}, piece{"\nneedle\n", 1}, piece{"b", 300 << 20}, piece{"\n", 1}),
		calls: []call{
			{tool: "grep", args: args{"pattern": "needle", "path": "f", "context": 2}},
			{tool: "grep", args: args{"pattern": "[an]eedle", "path": "f", "context": 2, "ignore_case": true}},
			{tool: "grep", args: args{"pattern": "a{3}b?$", "path": "f"}},
			{tool: "grep", args: args{"pattern": "needle", "path": "f", "multiline": true}},
			{tool: "read", args: args{"path": "f", "offset": 2}},
			{tool: "read", args: args{"path": "f", "offset": 2, "column": 200 << 20}},
			{tool: "read", args: args{"path": "f", "offset": -1}},
		},
	},
	{
		name:  "a line of 40 GB, most of it a hole",
		build: fill("f", piece{"x\n", 8192}, piece{hole, 40 << 30}, piece{"\nneedle\n", 1}),
		calls: []call{
			{tool: "grep", args: args{"pattern": "needle", "path": "f", "context": 3}},
			{tool: "grep", args: args{"pattern": "ne+dle", "path": "f", "context": 3}},
			{tool: "grep", args: args{"pattern": "needle", "path": "f", "multiline": true}},
			{tool: "grep", args: args{"pattern": "needle", "path": "f", "output_mode": "count"}},
			{tool: "read", args: args{"path": "f", "offset": 8000}},
			{tool: "read", args: args{"path": "f", "offset": 8193, "column": 9, "encoding": "iso-2022-jp"}},
			{tool: "grep", args: args{"pattern": "needle", "path": "f", "encoding": "gb18030"}},
			{tool: "read", args: args{"path": "f", "offset": -1}},
			{tool: "read", args: args{"path": "f", "offset": 8193, "column": int64(30 << 30)}},
		},
	},
	{
		name:  "a match far into lines of 9 MB",
		build: fill("f", piece{"ab ", 3_000_000}, piece{"needle\n", 1}, piece{"ab ", 3_000_000}, piece{"needle\n", 1}),
		calls: []call{
			{tool: "grep", args: args{"pattern": "needle"}},
			{tool: "grep", args: args{"pattern": "[ab ]*needle"}},
			{tool: "grep", args: args{"pattern": "(a.*)+e"}},
			{tool: "grep", args: args{"pattern": "(?i)N.{0,900}[^x]E", "context": 1}},
			{tool: "grep", args: args{"pattern": "((?:.?){100}){10}dle"}},
			{tool: "grep", args: args{"pattern": "(?s)b.*a", "multiline": true}},
		},
	},
	{
		name:  "context of many short lines",
		build: fill("f", piece{"a\n", 9_000_000}),
		calls: []call{
			{tool: "grep", args: args{"pattern": "a", "context": 10_000}},
			{tool: "grep", args: args{"pattern": "a", "context": 10_000, "limit": int64(1 << 40), "offset": 4_000_000}},
			{tool: "grep", args: args{"pattern": "a", "context": int64(1 << 40), "limit": int64(1 << 40)}},
			{tool: "grep", args: args{"pattern": "b", "context": int64(1 << 40)}},
			{tool: "grep", args: args{"pattern": "a\na", "context": 10_000, "multiline": true, "offset": 4_000_000}},
		},
	},
}

var patterns = func() (list []hostile) {
	text := fill("f", piece{"abcdefghijklmnopqrstuvwxyz the quick brown fox\n", 200_000})
	for name, pattern := range map[string]func() string{
		"nested repetition":         func() string { return `((?:.?){100}){10}[^a-z ]` },
		"repetition too often":      func() string { return `((?:.?){1000}){100}[^a-z ]` },
		"repetition of classes":     func() string { return `(?i)(\pL{1,30}[^\pL]?){1,30}[0-9]` },
		"repetition side by side":   func() string { return strings.Repeat(`[^x]{0,900}`, 300) + "x" },
		"two million parentheses":   func() string { return strings.Repeat("(", 2_000_000) },
		"balanced parentheses":      func() string { return strings.Repeat("(", 900) + "a" + strings.Repeat(")", 900) },
		"a literal of 8 MB":         func() string { return strings.Repeat("abcdefgh", 1<<20) },
		"a literal of 8 MB, folded": func() string { return "(?i)" + strings.Repeat("abcdefgh", 1<<20) },
		"100,000 words":             func() string { return words(100_000) },
		"many classes":              func() string { return strings.Repeat(`[\pL\pN\p{Greek}\p{Han}]`, 5000) },
		"many stars":                func() string { return strings.Repeat(".*a", 200) + "[^a-z ]" },
		"brackets and lookahead":    func() string { return strings.Repeat("[", 30_000) + "(?!x)" },
		"bounded gap":               func() string { return `a.{0,900}b.{0,900}c.{0,900}[^a-z ]` },
	} {
		list = append(list, hostile{name: "pattern: " + name, build: text, more: func() (calls []call) {
			for _, options := range []args{{}, {"multiline": true}, {"ignore_case": true, "context": 1}, {"literal": true}} {
				all := args{"pattern": pattern(), "path": "f"}
				maps.Copy(all, options)
				calls = append(calls, call{tool: "grep", args: all})
			}
			return calls
		}})
	}
	return list
}()

var globs = func() (list []hostile) {
	build := manyFiles(3000, 250)
	for name, glob := range map[string]func() string{
		"a megabyte of brackets": func() string { return strings.Repeat("[", 1<<20) },
		"a megabyte of stars":    func() string { return strings.Repeat("*?", 1<<19) },
		"braces":                 func() string { return strings.Repeat("{a,b}", 40) },
		"nested braces":          func() string { return strings.Repeat("{a,", 5000) + "b" + strings.Repeat("}", 5000) },
		"stars":                  func() string { return strings.Repeat("*a", 120) + "b" },
		"double stars":           func() string { return strings.Repeat("**/a*/", 60) + "b" },
		"a megabyte of commas":   func() string { return strings.Repeat("a*,", 1<<18) },
	} {
		list = append(list, hostile{name: "glob: " + name, build: build, more: func() []call {
			return []call{
				{tool: "find", args: args{"pattern": glob()}},
				{tool: "grep", args: args{"pattern": "x", "glob": glob()}},
			}
		}})
	}
	return list
}()

// search are calls that read ignore files and git's configuration.
var search = []call{
	{tool: "find", args: args{"pattern": "*"}},
	{tool: "find", args: args{"pattern": "nothing*", "sort": "mtime"}},
	{tool: "grep", args: args{"pattern": "x"}},
	{tool: "ls", args: args{}},
	{tool: "read", args: args{"path": "nme"}},
	{tool: "read", args: args{"path": "sub/nme"}},
}

var ignoreFiles = []hostile{
	{name: ".gitignore: question marks", build: together(manyFiles(2000, 30), fill(".gitignore", piece{"?\n", 100_000})), calls: search},
	{name: ".gitignore: many globs", build: together(manyFiles(2000, 30), lines(".gitignore", 200_000, "[a-y]*%d?z")), calls: search},
	{name: ".gitignore: many paths", build: together(manyFiles(2000, 30), lines(".gitignore", 200_000, "**/a*/%d*/z")), calls: search},
	{name: ".gitignore: stars", build: together(manyFiles(5000, 254), fill(".gitignore", piece{strings.Repeat("*?", 200) + "\n", 40})), calls: search},
	{name: ".gitignore: stars with letters", build: together(manyFiles(5000, 254), fill(".gitignore", piece{strings.Repeat("*a", 100) + "*[b-c]\n", 40})), calls: search},
	{name: ".gitignore: double stars", build: together(deep(200), fill(".gitignore", piece{strings.Repeat("**/d*/", 50) + "x\n", 40})), calls: search},
	{name: ".gitignore: 90 MB", build: together(manyFiles(200, 30), lines(".gitignore", 9_000_000, "n%08d")), calls: search},
	{name: ".gitignore: one line of 90 MB", build: together(manyFiles(200, 30), fill(".gitignore", piece{"a*", 45 << 20})), calls: search},
	{name: ".gitignore: a hole of 1 TB", build: together(manyFiles(200, 30), fill(".gitignore", piece{hole, 1 << 40})), calls: search},
	{name: ".agentignore: question marks", build: together(manyFiles(2000, 30), fill(".agentignore", piece{"?\n", 32_000})), calls: search},
	{name: ".agentignore: stars", build: together(manyFiles(5000, 254), fill(".agentignore", piece{strings.Repeat("*?", 200) + "\n", 160})), calls: search},
	{name: ".agentignore: double stars", build: together(deep(200), fill(".agentignore", piece{strings.Repeat("**/d*/", 50) + "x\n", 200})), calls: search},
	{name: ".agentignore: a hole of 1 TB", build: together(manyFiles(200, 30), fill(".agentignore", piece{hole, 1 << 40})), calls: search},
	{name: ".agentignore: patterns of a command", build: together(manyFiles(5000, 30), fill(".agentignore", piece{"?\n", 1})), calls: []call{
		{tool: "bash", args: args{"command": "shopt -s globstar; : " + strings.Repeat("*/../", 800) + "x " + strings.Repeat("**/", 1000) + "x"}},
		{tool: "bash", args: args{"command": ": " + strings.Repeat("[a-z]*/?*/[!x]* ", 4000)}},
		{tool: "bash", args: args{"command": "git show " + strings.Repeat("a/:", 20_000)}},
	}},
	{name: ".agentignore: a FIFO", build: fifo(".agentignore"), calls: search},
	{name: ".gitignore: in each of many directories", build: ignoredEverywhere(400), calls: search},
	{name: ".clarvis/.gitignore: a hole of 1 TB", build: fill(".clarvis/.gitignore", piece{hole, 1 << 40}), calls: search},
	{name: ".clarvis/.gitignore: a FIFO", build: fifo(".clarvis/.gitignore"), calls: search},
	{name: ".clarvis/.gitignore: now a file, now a FIFO", build: fill(".clarvis/.gitignore", piece{"*\n", 1}), with: swapped(".clarvis/.gitignore"), calls: often(search, 300)},
	{name: ".gitignore: now a file, now a FIFO", build: together(manyFiles(20, 30), fill(".gitignore", piece{"*.o\n", 1})), with: swapped(".gitignore"), calls: often(search, 300)},
}

var gitConfigs = []hostile{
	{name: "git: a configuration that includes itself", build: together(repository, manyFiles(20, 30), fill(".git/config", piece{"[include]\n", 1}, piece{"\tpath = config\n", 10})), calls: search},
	{name: "git: a thousand that include each other", build: together(repository, manyFiles(20, 30), includes(1000)), calls: search},
	{name: "git: in each of many directories", build: repositories(300), calls: search},
	{name: "git: a configuration of 8 MB", build: together(repository, manyFiles(20, 30), fill(".git/config", piece{"[a \"b\"]\n\tc = \"d\\\n\\\"\"\n", 300_000})), calls: search},
	{name: "git: a configuration of one value", build: together(repository, manyFiles(20, 30), fill(".git/config", piece{"[a]\nb = ", 1}, piece{" \\\n", 2 << 20})), calls: search},
	{name: "git: now a file, now a FIFO", build: together(repository, manyFiles(20, 30), fill(".git/config", piece{"[core]\n", 1})), with: swapped(".git/config"), calls: often(search, 300)},
	{name: "git: an exclude file now a file, now a FIFO", build: together(repository, fill(".git/info/exclude", piece{"x\n", 1})), with: swapped(".git/info/exclude"), calls: often(search, 300)},
	{name: "git: .git is a FIFO", build: together(manyFiles(20, 30), fifo(".git"), fifo("sub/.git")), calls: search},
	{name: "git: .git is a hole of 1 TB", build: together(manyFiles(20, 30), fill(".git", piece{hole, 1 << 40})), calls: search},
}

var trees = []hostile{
	{name: "entries: 100,000", build: manyFiles(100_000, 60), calls: search},
	{name: "entries: a million", build: manyFiles(1_000_000, 60), calls: search},
	{name: "deeper than any path", build: deep(3000), calls: search},
	{name: "links in a circle", build: circles, calls: search},
}

var paths = func() (list []hostile) {
	for name, path := range map[string]func() string{
		"directories":  func() string { return strings.Repeat("a/", 4<<20) },
		"upwards":      func() string { return strings.Repeat("../", 3<<20) },
		"nowhere":      func() string { return strings.Repeat("sub/../", 1<<20) },
		"one name":     func() string { return strings.Repeat("a", 8<<20) },
		"quotes":       func() string { return strings.Repeat(`"`, 8<<20) },
		"quoted":       func() string { return `"` + strings.Repeat(`\141`, 2<<20) + `"` },
		"spaces":       func() string { return strings.Repeat(" ", 8<<20) + "f" },
		"a line range": func() string { return "f:" + strings.Repeat("1", 8<<20) },
		"accents":      func() string { return strings.Repeat("é́", 2<<20) },
	} {
		list = append(list, hostile{name: "path: " + name, build: manyFiles(3, 5), more: func() (calls []call) {
			path := path()
			for _, tool := range []string{"grep", "find"} {
				calls = append(calls, call{tool: tool, args: args{"path": path, "pattern": "x"}})
			}
			return append(calls,
				call{tool: "read", args: args{"path": path}},
				call{tool: "ls", args: args{"path": path}},
				call{tool: "bash", args: args{"command": "true", "cwd": path}},
				call{tool: "read", args: args{"paths": repeated(path[:1000], 5000)}})
		}})
	}
	return list
}()

var odd = []hostile{{name: "arguments of megabytes", more: func() (calls []call) {
	for _, text := range []string{
		strings.Repeat("[", 5<<20), strings.Repeat(`{"path":`, 1<<20), `{"path":` + strings.Repeat("[", 5<<20),
		`{` + strings.Repeat(`"a":1,`, 1<<20) + `"b":2}`, `{"` + strings.Repeat("k", 8<<20) + `":1}`,
		`{"limit":` + strings.Repeat("9", 8<<20) + `}`, `{"path":"` + strings.Repeat(`\u00e9`, 1<<20) + `"}`,
	} {
		raw := json.RawMessage(text)
		for _, tool := range []string{"read", "bash"} { // all are decoded alike
			calls = append(calls, call{tool: tool, args: raw})
		}
	}
	return calls
}}}

var files = []hostile{
	{
		name: "a FIFO that nobody writes to", build: fifo("f"),
		calls: []call{
			{tool: "read", args: args{"path": "f"}, code: tools.CodeNotAFile},
			{tool: "grep", args: args{"path": "f", "pattern": "x"}},
			{tool: "grep", args: args{"pattern": "x"}},
			{tool: "bash", args: args{"command": "true", "cwd": "f"}, code: tools.CodeNotADirectory},
		},
	},
	{
		name: "now a file, now a FIFO", build: fill("f", piece{"x\n", 10}), with: swapped("f"),
		calls: often([]call{{tool: "read", args: args{"path": "f"}}, {tool: "grep", args: args{"pattern": "x"}}, {tool: "grep", args: args{"pattern": "x", "path": "f"}}}, 500),
	},
	{
		name: "a file that grows", build: fill("f", piece{"a line of text\n", 600_000}), with: growing("f", strings.Repeat("one more line\n", 50_000)),
		calls: []call{
			{tool: "grep", args: args{"pattern": "none(?s).here", "multiline": true}},
			{tool: "grep", args: args{"pattern": "none.here", "multiline": true, "path": "f"}},
			{tool: "grep", args: args{"pattern": "none", "path": "f"}},
			{tool: "read", args: args{"path": "f", "offset": 5}},
			{tool: "read", args: args{"path": "f", "offset": -5}},
		},
	},
	{
		name: "files of the kernel that block or never end", opts: config.Config{AllowOutsideWorkspace: true},
		calls: []call{
			{tool: "grep", args: args{"pattern": "x", "path": "/proc/kmsg"}},
			{tool: "grep", args: args{"pattern": "x", "path": "/proc/kmsg", "multiline": true}},
			{tool: "read", args: args{"path": "/proc/kmsg"}},
			{tool: "read", args: args{"path": "/sys/kernel/debug/tracing/trace_pipe"}},
			{tool: "grep", args: args{"pattern": "x", "path": "/proc/self/mem"}},
			{tool: "read", args: args{"path": "/proc/self/pagemap", "offset": 1}},
			{tool: "grep", args: args{"pattern": "x", "path": "/proc/self/pagemap"}},
			{tool: "grep", args: args{"pattern": "x", "path": "/proc"}},
			{tool: "find", args: args{"pattern": "*x", "path": "/"}},
		},
	},
	{
		name: "UTF-16 of 300 MB", build: fill("f", piece{"\xff\xfe", 1}, piece{"a\x00b\x00", 75 << 20}, piece{"\n\x00", 1}),
		calls: []call{
			{tool: "read", args: args{"path": "f", "offset": 1}},
			{tool: "read", args: args{"path": "f", "offset": 1, "column": 100 << 20}},
			{tool: "grep", args: args{"pattern": "x", "path": "f", "context": 3}},
			{tool: "grep", args: args{"pattern": "b", "path": "f", "context": 3}},
		},
	},
	{
		name: "many paths at once", build: manyFiles(100, 20),
		calls: []call{{tool: "read", args: args{"paths": repeated("sub", 200_000)}}, {tool: "read", args: args{"paths": repeated("nme", 5000)}}},
	},
}

// sandboxes are about what Close finds in the private directory, where there is Landlock.
var sandboxes = func() (list []hostile) {
	opts := config.Config{Workspace: os.TempDir(), Bash: config.Bash{Sandbox: config.SandboxLandlock}}
	s, err := tools.New(opts, all.Parts()...)
	if err != nil {
		if os.Getenv("SANDBOX_TESTS") == "required" {
			panic(err)
		}
		return nil
	}
	s.Close()
	for name, script := range map[string]string{
		"many files":     `cd $TMPDIR; for i in $(seq 1000); do mkdir $i; (cd $i; seq 20000 | xargs touch); done`,
		"deep":           `cd $TMPDIR; while mkdir d; do cd d; done`,
		"not to be read": `cd $TMPDIR; for i in $(seq 10000); do mkdir -p $i/a/b; chmod 0 $i/a $i; done`,
	} {
		list = append(list, hostile{name: "sandbox: " + name, opts: opts, calls: []call{{tool: "bash", args: args{"command": script}}}})
	}
	return list
}()

// changes are files that are written over, whose difference is hard to find or to hold.
var changes = []hostile{
	{
		name: "a difference of 200,000 lines that are few", build: fill("f", piece{"a\nb\n", 99_000}),
		calls: []call{
			{tool: "write", args: args{"path": "f", "content": strings.Repeat("b\nc\na\n", 66_000)}},
			{tool: "write", args: args{"path": "f", "content": strings.Repeat("a\na\nb\n", 66_000)}},
		},
	},
	{
		name: "a difference of millions of lines", build: fill("f", piece{"a\n", 9_000_000}),
		calls: []call{
			{tool: "write", args: args{"path": "f", "content": long{"\n", 7_900_000}}},
			{tool: "write", args: args{"path": "f", "content": long{"\n", 9_000_000}}, code: tools.CodeTooLarge},
			{tool: "write", args: args{"path": "f", "content": "\ufeff" + strings.Repeat("b\n", 5_000_000)}},
		},
	},
	{
		name: "a file that grows while it is changed", build: fill("f", piece{"a line of text\n", 600_000}), with: growing("f", "."),
		calls: []call{{tool: "write", args: args{"path": "f", "content": "new\n"}, code: tools.CodeStale}},
	},
	{
		name: "a FIFO that is written to", build: fifo("f"),
		calls: []call{{tool: "write", args: args{"path": "f", "content": "new\n"}, code: tools.CodeNotAFile}},
	},
}

var commands = func() (list []hostile) {
	for name, script := range map[string]string{
		"yes":                    `yes`,
		"a line without an end":  `tr '\0' a </dev/zero`,
		"zeros":                  `cat /dev/zero`,
		"returns":                `yes "$(printf 'abc\r')"`,
		"returns without an end": `yes abc | tr '\n' '\r'`,
		"erasing":                `l=$(head -c 100000 /dev/zero | tr '\0' a); e=$(for i in $(seq 5000); do printf '\033[1K'; done); printf %s "$l"; while :; do printf %s "$e"; done`,
		"erasing to the end":     `e=$(for i in $(seq 5000); do printf 'a\033[9999999D\033[K'; done); while :; do printf %s "$e"; done`,
		"far cursors":            `e=$(for i in $(seq 5000); do printf '\033[99999999Ca'; done); while :; do printf %s "$e"; done`,
		"inserting":              `l=$(head -c 100000 /dev/zero | tr '\0' a); e=$(for i in $(seq 5000); do printf '\r\033[@\033[P'; done); printf %s "$l"; while :; do printf %s "$e"; done`,
		"a sequence without end": `printf '\033]0;'; tr '\0' a </dev/zero`,
		"deaf":                   `trap '' TERM INT HUP; while :; do :; done`,
		"many that got away":     `for i in $(seq 100); do (setsid sleep 300 &) ; env -i setsid sleep 300 & done; wait; sleep 300`,
		"starting anew for ever": `f() { trap '' TERM; sleep 0.01; f & }; f; sleep 300`,
	} {
		list = append(list, hostile{name: "command: " + name, calls: []call{
			{tool: "bash", args: args{"command": script, "timeout_ms": 700}, limit: 700 * time.Millisecond},
			{tool: "bash", args: args{"command": script}},
		}})
	}
	return append(list,
		hostile{name: "command: 300 in the background", calls: []call{{tool: "bash", args: args{"command": "sleep 300 & sleep 300 & sleep 300 &"}, times: 100}}},
		hostile{name: "command: what is left for the next one", opts: config.Config{Bash: config.Bash{KeepState: true}}, calls: []call{
			{tool: "bash", args: args{"command": "head -c 300000000 /dev/zero >&147 || echo refused"}, text: "refused"},
			{tool: "bash", args: args{"command": "yes >&147"}, text: "stay as they were"},
			{tool: "bash", args: args{"command": "export A=$(head -c 100000 /dev/zero | tr '\\0' a)"}, times: 10},
		}},
		hostile{name: "command: a setup that prints without an end", opts: config.Config{Bash: config.Bash{
			Setup: `export A=$(head -c 100000 /dev/zero | tr '\0' a); tr '\0' a </dev/zero`, MaxCaptureBytes: 1 << 20,
		}}, calls: []call{{tool: "bash", args: args{"command": "echo x"}, text: "printed more than 1MB"}}},
		hostile{name: "command: a setup that leaves much", opts: config.Config{Bash: config.Bash{
			Setup: `yes 'f () ' | head -c 262144 >&148; head -c 262144 /dev/zero | tr '\0' a >&147`,
		}}, calls: []call{{tool: "bash", args: args{"command": "echo x"}, text: "left no environment"}}},
		hostile{name: "command: 20 MB of script", more: func() []call {
			return []call{{tool: "bash", args: args{"command": strings.Repeat("true\n", 4<<20)}}}
		}},
	)
}()

// jobs print, and read nothing, whoever asks for it.
var jobs = func() (list []hostile) {
	start := func(script string) call {
		return call{tool: "bash", args: args{"command": "echo up; " + script, "background": true, "ready_when": "^up"}, text: "Job 1 is running"}
	}
	for name, script := range map[string]string{
		"a line without an end": `tr '\0' a </dev/zero`,
		"many lines":            `yes 'abcdefghijklmnopqrstuvwxyz the quick brown fox'`,
		"returns":               `yes abc | tr '\n' '\r'`,
		"erasing":               `e=$(for i in $(seq 5000); do printf 'a\033[9999999D\033[K'; done); while :; do printf %s "$e"; done`,
	} {
		list = append(list, hostile{name: "job: " + name, calls: []call{
			start(script),
			{tool: "job", args: args{"id": 1, "until": "none.here"}},
			{tool: "job", args: args{"id": 1, "until": "((?:.?){100}){10}[^a-z ]"}},
			{tool: "job", args: args{"id": 1, "until": `(?i)(\pL{1,30}[^\pL]?){1,30}[0-9]`}},
			{tool: "job", args: args{"id": 1, "until": strings.Repeat("(", 1<<20)}, code: tools.CodeInvalidInput},
			{tool: "job", args: args{"id": 1, "signal": "kill"}, text: "Job 1 "},
		}})
	}
	return append(list,
		hostile{name: "job: input that nobody reads", more: func() []call {
			return []call{start("sleep 300"),
				{tool: "job", args: args{"id": 1, "input": strings.Repeat("a", 4<<20)}, code: tools.CodeInvalidInput},
				{tool: "job", args: args{"id": 1, "input": strings.Repeat("a", 60<<10), "wait_ms": 1}, times: 100},
				{tool: "job", args: args{"id": 1, "input": "\x04", "signal": "kill"}},
			}
		}},
		hostile{name: "job: 32 that print without end, and nobody asks", opts: config.Config{Spill: config.Spill{MaxTotalBytes: 200 << 20}}, calls: []call{
			{tool: "bash", args: args{"command": "echo up; yes", "background": true, "ready_when": "^up"}, times: 32},
			{tool: "bash", args: args{"command": "sleep 300"}},
			{tool: "job", args: args{}, text: "32: "},
			{tool: "job", args: args{"id": 1}},
			{tool: "job", args: args{"id": 32, "until": "none.here"}},
			{tool: "bash", args: args{"command": "du -s .clarvis | awk '{ exit $1 > 220000 }' && echo small"}, text: "small"},
		}},
		hostile{name: "job: more than there may be", calls: []call{
			{tool: "bash", args: args{"command": "sleep 300 & sleep 300", "background": true, "ready_when": "never", "timeout_ms": 1}, times: 33, code: tools.CodeDenied},
		}},
	)
}()

var spills = []hostile{
	{
		name: "200,000 names in the spill directory", build: manyIn(".clarvis", 200_000, "n%d"),
		calls: []call{{tool: "bash", args: args{"command": "seq 100000"}, text: "Full output"}},
	},
	{
		name: "200,000 full outputs in the spill directory", build: manyIn(".clarvis", 200_000, "bash-AAAAAAAAAAAAAAAAAAAA%06d.log"),
		calls: []call{{tool: "bash", args: args{"command": "seq 100000"}}},
	},
	{
		name: "full outputs over the limit", opts: config.Config{Spill: config.Spill{MaxTotalBytes: 20 << 20}},
		calls: []call{
			{tool: "bash", args: args{"command": "head -c 15000000 /dev/zero | tr '\\0' a"}, times: 6},
			{tool: "bash", args: args{"command": "du -s .clarvis | awk '{ exit $1 > 40000 }' && echo small"}, text: "small"},
		},
	},
}

func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%dx|", i*7919)
	}
	return strings.TrimSuffix(b.String(), "|")
}

func repeated[T any](s T, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = s
	}
	return list
}

func often(calls []call, n int) (list []call) {
	for _, c := range calls {
		c.times = n
		list = append(list, c)
	}
	return list
}
