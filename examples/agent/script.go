package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/spillway-go/spillway/tools"
)

// scriptPrompt is the one question that the scripted model can answer.
const scriptPrompt = "Which file holds most of this project's functions, and which modules of others does the project need?"

// script answers scriptPrompt of any project in Go, without a network. It has a
// plan, and nothing else: every path, offset and limit it takes from the text of the
// results, as a model has to.
type script struct {
	step func(result string) Reply // what to do with the next result
	n    int                       // calls made

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

func newScript() *script {
	s := &script{functions: map[string]int{}, packages: map[string][]int{}}
	s.step = s.count
	return s
}

// Next answers nothing but the result of the last call.
func (s *script) Next(ctx context.Context, said Input) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	text := ""
	if len(said.Results) > 0 {
		text = said.Results[0].Result.Text
	}
	return s.step(text), nil
}

// call is a turn with one call, whose result goes to then.
func (s *script) call(say, tool string, params any, then func(string) Reply) Reply {
	args, err := json.Marshal(params)
	if err != nil {
		panic(err) // the params are structs of strings and numbers
	}
	s.n++
	s.step = then
	return Reply{Text: say, Calls: []Call{{ID: fmt.Sprint("call_", s.n), Name: tool, Args: args}}}
}

// give is the end, without what was looked for.
func give(up, result string) Reply { return Reply{Text: up + "\n" + result} }

// first is what an expression finds in a text, or "".
func first(expr, text string) string {
	if m := regexp.MustCompile(expr).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

func number(expr, text string) int {
	n, _ := strconv.Atoi(first(expr, text))
	return n
}

// more is the search that a notice asks for, if a result ends in one.
func (s *script) more(result string) bool {
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
