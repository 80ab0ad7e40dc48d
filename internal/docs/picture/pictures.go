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
		name: "quickstart", cols: 100,
		command: []string{"go", "run", "./examples/quickstart", "examples/manual"},
	},
	{
		name: "standout", cols: 80, title: "the same output, without and with what stands out",
		command: []string{"internal/docs/picture/standout.sh"},
	},
	{
		name: "permissions", cols: 100, title: "go -C examples/agent run . -provider ask -allow 'bash(git status)'",
		command: []string{"go", "-C", "examples/agent", "run", ".", "-provider", "ask", "-allow", "bash(git status)"},
		typed:   []answer{{"why >", "s"}, {"why >", "r x is my draft"}},
	},
}
