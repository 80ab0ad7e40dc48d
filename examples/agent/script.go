package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/spillway-go/spillway/examples/agent/loop"
)

// script is a model without a network. It has a plan, and nothing else: every path,
// offset and limit it takes from the text of the results, as a model has to.
type script struct {
	step func(result string) loop.Reply // what to do with the next result
	n    int                            // calls made

	prompts []func(result string) loop.Reply // what was to be done at each prompt of the user
}

// Cut has the plan go on as before a prompt.
func (s *script) Cut(prompt int) {
	s.step, s.prompts = s.prompts[prompt], s.prompts[:prompt]
}

// Next answers nothing but the result of the last call.
func (s *script) Next(ctx context.Context, said loop.Input) (loop.Reply, error) {
	if err := ctx.Err(); err != nil {
		return loop.Reply{}, err
	}
	if said.Prompt != "" {
		s.prompts = append(s.prompts, s.step)
	}
	text := ""
	if len(said.Results) > 0 {
		text = said.Results[0].Result.Text
	}
	return s.step(text), nil
}

// call is a turn with one call, whose result goes to then.
func (s *script) call(say, tool string, params any, then func(string) loop.Reply) loop.Reply {
	args, err := json.Marshal(params)
	if err != nil {
		panic(err) // the params are structs of strings and numbers
	}
	s.n++
	s.step = then
	return loop.Reply{Text: say, Calls: []loop.Call{{ID: fmt.Sprint("call_", s.n), Name: tool, Args: args}}}
}

// give is the end, without what was looked for.
func give(up, result string) loop.Reply { return loop.Reply{Text: up + "\n" + result} }

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
