package main

import (
	"github.com/spillway-go/spillway/truncation"
)

// strategy is a way to show a text that is too long.
type strategy struct {
	name  string
	names bool // it names the lines that stand out
	// show returns what the model gets at first, notices included, and the lines in it that are there because they stand
	// out: whole, or shortened at their ends.
	show func(text []byte) (shown string, standout []string)
}

// everything is the strategy of tools that do not cut.
const everything = "everything"

// strategies are the rows of the table. What names the lines that stand out goes to the end, with names set.
var strategies = []strategy{
	{name: everything, show: func(text []byte) (string, []string) { return string(text), nil }},
	{name: "`tail`, 2000 lines or 30 KB", show: cut(truncation.Policy{Strategy: truncation.Tail, Limits: limits(2000, 30)})},
	{name: "`head`, 30 KB", show: cut(truncation.Policy{Strategy: truncation.Head, Limits: limits(0, 30)})},
	{name: "`tail`, 2000 lines or 30 KB, and what stands out", names: true, show: sentence(30)},
	{name: "`digest`, 4 KiB", names: true, show: digest(0)},
}

func limits(lines, kilobytes int) truncation.Limits {
	return truncation.Limits{Lines: truncation.Limit(lines), Bytes: truncation.Limit(kilobytes << 10)}
}

// cut shows a text as the policy cuts it, without a marker: what a tool says about a cut differs.
func cut(p truncation.Policy) func([]byte) (string, []string) {
	p.Unmarked = true
	return func(text []byte) (string, []string) { return p.Cut(string(text)), nil }
}
