package main

import (
	"encoding/json"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/patch"
	"github.com/spillway-go/spillway/truncation"
	"github.com/tiktoken-go/tokenizer"
)

// counter counts tokens, as GPT-4o and later models of OpenAI do.
type counter struct{ codec tokenizer.Codec }

func newCounter() (counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	return counter{codec}, err
}

func (c counter) cost(what, text string) (cost, error) {
	n, err := c.codec.Count(text)
	return cost{what, len(text), estimate(text), n}, err
}

// estimate returns the least number of tokens within which text fits, as a program with Limits.Tokens meets it.
func estimate(text string) int {
	return sort.Search(len(text), func(n int) bool {
		p := truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Tokens: truncation.AtMost(n)}}
		return !p.Truncate(text).Truncated
	})
}

// newSuite returns a suite with these tools; without any, with those that it has by default.
func newSuite(dir string, names ...string) (*tools.Suite, error) {
	return tools.New(config.Config{Workspace: dir, Tools: names}, patch.Part())
}

// descriptions returns what the tools cost in each request, as JSON with the name, the description and the schema:
// those of a suite by default, all of them, and those that Tools has to name.
func (c counter) descriptions() (costs []cost, err error) {
	dir, err := os.MkdirTemp("", "spillway-tokens")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	standard, err := newSuite(dir)
	if err != nil {
		return nil, err
	}
	defer standard.Close()
	full, err := newSuite(dir, config.ToolNames()...)
	if err != nil {
		return nil, err
	}
	defer full.Close()
	all := cost{what: "together, as a suite has them by default"}
	var named []string
	add := func(t tools.Tool, more string) error {
		text, err := asJSON(map[string]any{"name": t.Name(), "description": t.Description(), "input_schema": t.Schema()})
		if err != nil {
			return err
		}
		one, err := c.cost("`"+t.Name()+"`"+more, text)
		costs = append(costs, one)
		return err
	}
	for _, t := range standard.Tools() {
		if err := add(t, ""); err != nil {
			return nil, err
		}
		named = append(named, t.Name())
		one := costs[len(costs)-1]
		all.bytes, all.estimate, all.tokens = all.bytes+one.bytes, all.estimate+one.estimate, all.tokens+one.tokens
	}
	costs = append(costs, all)
	for _, t := range full.Tools() {
		if slices.Contains(named, t.Name()) {
			continue
		}
		if err := add(t, ", if `Tools` names it"); err != nil {
			return nil, err
		}
	}
	return costs, nil
}

// asJSON is JSON as a request has it: < and > are not escaped.
func asJSON(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}
