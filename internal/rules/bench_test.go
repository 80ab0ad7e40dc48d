package rules_test

import (
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/rules"
)

// BenchmarkJudge parses a usual command and judges it by twenty rules.
func BenchmarkJudge(b *testing.B) {
	set := rules.New(
		[]string{"bash(git status *)", "bash(git log *)", "bash(git diff *)", "bash(go test *)", "bash(go build *)",
			"bash(go vet *)", "bash(npm run *)", "bash(head *)", "bash(tail *)", "bash(wc *)",
			"edit(src/**)", "edit(docs/*.md)"},
		[]string{"bash(git commit *)", "edit(go.mod)"},
		[]string{"bash(git push *)", "bash(rm *)", "read(**/.env)", "read(~/.ssh/**)", "edit(.github/**)", "edit(**/*.lock)"})
	const text = "git status && go test ./... 2>&1 | tail -20"
	for name, f := range map[string]func(){
		"parse": func() { commandline.Parse(text) },
		"both": func() {
			line := commandline.Parse(text)
			v := set.Judge(rules.Call{Tool: "bash", Line: &line, Place: place})
			if v.Decision != rules.Allowed {
				b.Fatal(v.Why)
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
