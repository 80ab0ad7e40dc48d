package main

// pictures are those of the manual. What their programs print depends on files that are made for it, and not on the
// rest of the repository or on the machine.
var pictures = []picture{
	{
		name: "agent", cols: 100,
		command: []string{"go", "-C", "examples/agent", "run", ".", "-provider", "repair"},
		parts:   []part{{"> The test", 17}, {"Every third", 16}, {"The test passes", 1}},
	},
	{
		name: "quickstart", cols: 80, title: "go run ./examples/quickstart examples/manual",
		command: []string{"sh", "-c", fresh},
	},
	{
		name: "standout", cols: 64, title: "a failing test run of 4,006 lines",
		command: []string{"internal/docs/picture/standout.sh"},
	},
	{
		name: "permissions", cols: 100, title: "go -C examples/agent run . -provider ask -allow 'bash(git status)'",
		command: []string{"go", "-C", "examples/agent", "run", ".", "-provider", "ask", "-allow", "bash(git status)"},
		typed:   []answer{{"why >", "s"}, {"why >", "r x is my draft"}},
	},
}

// fresh runs the quickstart in a copy of its workspace without full outputs, which ls would show.
const fresh = `set -e
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cp -R examples/manual "$dir"
rm -rf "$dir/manual/.clarvis"
go run ./examples/quickstart "$dir/manual"`
