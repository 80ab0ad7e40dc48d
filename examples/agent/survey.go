package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

// surveyPrompt is the question that survey answers.
const surveyPrompt = "Which file holds most of this project's functions, and which modules of others does the project need?"

// survey answers surveyPrompt of any project in Go.
type survey struct {
	script

	search    tools.GrepParams // the search that is going on
	functions map[string]int   // by file
	file      string           // the one with most of them
	lines     int              // of it, as they were read
	seen      int              // functions in these
	types     []string         // and types

	modules  int              // files go.mod
	own      string           // the path of the main module
	printed  string           // number of lines that the command printed
	log      string           // the file with all of them
	packages map[string][]int // lines of it on which packages of a module stand
	example  string           // a module
}

func newSurvey() *survey {
	s := &survey{functions: map[string]int{}, packages: map[string][]int{}}
	s.step = s.count
	return s
}

// more is the search that a notice asks for, if a result ends in one.
func (s *survey) more(result string) bool {
	if limit := number(`limit=(\d+) for more`, result); limit > 0 {
		s.search.Limit = limit
		return true
	}
	if offset := number(`Use offset=(\d+) to continue`, result); offset > 0 {
		s.search.Offset = offset
		return true
	}
	return false
}

// The turns, in order. Each is given the result of the call that the one before it
// made.

// count is the first turn.
func (s *survey) count(string) loop.Reply {
	s.search = tools.GrepParams{Pattern: "^func ", Glob: "*.go,!*_test.go", OutputMode: "count"}
	return s.call("I count the functions of each file.", "grep", s.search, s.counted)
}

var countLine = regexp.MustCompile(`(?m)^(.+):(\d+)$`)

func (s *survey) counted(result string) loop.Reply {
	for _, m := range countLine.FindAllStringSubmatch(result, -1) {
		s.functions[m[1]], _ = strconv.Atoi(m[2])
	}
	if s.more(result) {
		return s.call("There are more, and the notice says how to see them.", "grep", s.search, s.counted)
	}
	if len(s.functions) == 0 {
		return give("There are no functions in Go here, and I know nothing else:", result)
	}
	files := slices.Sorted(maps.Keys(s.functions))
	s.file = slices.MaxFunc(files, func(a, b string) int { return s.functions[a] - s.functions[b] })
	// A name as a model remembers it that has read too many others.
	wrong := strings.TrimSuffix(s.file, ".go") + "s.go"
	return s.call(fmt.Sprintf("Of %d files one stands out with %d functions. I have a look at it.", len(files), s.functions[s.file]),
		"read", tools.ReadParams{Path: wrong, Limit: 40}, s.corrected)
}

func (s *survey) corrected(result string) loop.Reply {
	path := first(`Did you mean (\S+?)(?: or|\?)`, result)
	if path == "" {
		return give("I cannot find the file again:", result)
	}
	s.file = path
	return s.call("I had the name wrong, and the error knows the right one.", "read", tools.ReadParams{Path: path, Limit: 40}, s.page)
}

// page takes in a page of the file and goes on where its notice says.
func (s *survey) page(result string) loop.Reply {
	next := number(`Use offset=(\d+) to continue`, result)
	text := strings.TrimSuffix(result, "\n")
	if next > 0 {
		text = result[:strings.LastIndex(result, "\n\n[")] // a newline at its end is an empty line
	}
	for _, m := range regexp.MustCompile(`(?m)^type (\w+)`).FindAllStringSubmatch(text, -1) {
		s.types = append(s.types, m[1])
	}
	s.lines += strings.Count(text, "\n") + 1
	s.seen += len(regexp.MustCompile(`(?m)^func `).FindAllString(text, -1))
	if next > 0 {
		return s.call(fmt.Sprintf("It goes on at line %d.", next), "read", tools.ReadParams{Path: s.file, Offset: next}, s.page)
	}
	verdict := "as many as grep counted: nothing is missing"
	if s.seen != s.functions[s.file] {
		verdict = fmt.Sprintf("but grep counted %d", s.functions[s.file])
	}
	return s.call(fmt.Sprintf("%d functions on these pages, %s. Now the modules.", s.seen, verdict), "find",
		tools.FindParams{Pattern: "go.mod"}, s.found)
}

func (s *survey) found(result string) loop.Reply {
	list := regexp.MustCompile(`(?m)^(?:.*/)?go\.mod$`).FindAllString(result, -1)
	if len(list) == 0 {
		return give("There is no module here:", result)
	}
	s.modules = len(list)
	dir := strings.TrimSuffix(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }), "go.mod")
	return s.call(fmt.Sprintf("%d of them; %sgo.mod is the main one. The go command knows what it needs.", s.modules, dir),
		"bash", tools.BashParams{Command: "go list -deps -json ./...", Cwd: dir}, s.listed)
}

func (s *survey) listed(result string) loop.Reply {
	// What is needed is listed before what needs it: the last is of the project.
	paths := modulePath.FindAllStringSubmatch(result, -1)
	s.log = first(`Full output: (\S+?)(?:[\].]*$|\. )`, strings.TrimSpace(result))
	if len(paths) == 0 || s.log == "" {
		return give("I do not know what to make of this:", result)
	}
	s.own = paths[len(paths)-1][2]
	from, to := first(`Showing lines (\d+)-`, result), first(`-(\d+) of`, result)
	s.printed = to
	s.search = tools.GrepParams{Pattern: `^\t\t"Path": "`, Path: s.log}
	return s.call(fmt.Sprintf("I see nothing before line %s of %s, but the notice names a file with all of it. I search that.", from, to),
		"grep", s.search, s.searched)
}

var modulePath = regexp.MustCompile(`(?m)^(?:.*:(\d+): )?\t\t"Path": "(.*)"`)

// searched takes in the modules of packages, and looks at the first that is of
// others where it stands in the full output.
func (s *survey) searched(result string) loop.Reply {
	for _, m := range modulePath.FindAllStringSubmatch(result, -1) {
		line, _ := strconv.Atoi(m[1])
		if m[2] == s.own || slices.Contains(s.packages[m[2]], line) {
			continue // with a larger limit a search begins anew
		}
		s.packages[m[2]] = append(s.packages[m[2]], line)
		if s.example == "" {
			s.example = m[2]
		}
	}
	if s.more(result) {
		return s.call("There are more.", "grep", s.search, s.searched)
	}
	if s.example == "" {
		return s.answer("")
	}
	line := s.packages[s.example][0]
	return s.call(fmt.Sprintf("%s stands at line %d, where the cut had left it out. I read the lines around it.", s.example, line),
		"read", tools.ReadParams{Path: s.log, Offset: line - 1, Limit: 4}, s.answer)
}

// answer is the last turn.
func (s *survey) answer(result string) loop.Reply {
	needs := "It needs no modules of others"
	holds := fmt.Sprintf("%s holds most: %d functions in %d lines", s.file, s.seen, s.lines)
	if len(s.types) > 0 {
		holds += ", around " + strings.Join(s.types, ", ")
	}
	if len(s.packages) > 0 {
		var list []string
		for _, module := range slices.Sorted(maps.Keys(s.packages)) {
			name := module
			if version := first(`"Version": "(.*)"`, result); module == s.example {
				name = strings.TrimSpace(name + " " + version)
			}
			list = append(list, fmt.Sprintf("%s (%d %s)", name, len(s.packages[module]), loop.Plural(len(s.packages[module]), "package")))
		}
		needs = fmt.Sprintf("It needs %d %s of others: %s", len(list), loop.Plural(len(list), "module"), strings.Join(list, ", "))
	}
	return loop.Reply{Text: fmt.Sprintf("%s.\n%s. The project has %d go.mod in all.", holds, needs, s.modules)}
}
