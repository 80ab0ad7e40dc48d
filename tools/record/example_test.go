package record_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
)

// Every call is a line of a file.
func ExampleRecorder() {
	workspace, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(workspace)
	cfg := config.Config{Workspace: workspace}
	rec, err := record.Open(".clarvis/session.jsonl", cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg.Observe = func(ctx context.Context, e config.Event) {
		rec.Observe(ctx, e)
		fmt.Println("observed:", e.Tool) // what a host does itself
	}
	suite, err := tools.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	suite.Call(context.Background(), "ls", nil)
	suite.Call(context.Background(), "read", []byte(`{"path": "go.mod"}`))
	suite.Close()
	if err := rec.Close(); err != nil {
		fmt.Println(err) // calls are missing in the record
	}
	for line := range record.Read(filepath.Join(workspace, ".clarvis", "session.jsonl")) {
		fmt.Println(line.Kind, line.Tool, string(line.Args), line.ShownBytes)
	}
	// Output:
	// observed: ls
	// observed: read
	// session   0
	// call ls {} 9
	// call read {"path":"go.mod"} 65
}

// A record is read when the session is over. A line that cannot be read is an error, and those behind it follow.
func ExampleRead() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "session.jsonl")
	os.WriteFile(path, []byte(`{"kind":"call","tool":"ls","shownBytes":9}
{"kind":"call","tool":"re
{"kind":"call","tool":"read","code":"not_found"}
`), 0o600)
	for line, err := range record.Read(path) {
		if err != nil {
			fmt.Println("a line is lost")
			continue
		}
		fmt.Printf("%s %d %q\n", line.Tool, line.ShownBytes, line.Code)
	}
	// Output:
	// ls 9 ""
	// a line is lost
	// read 0 "not_found"
}

// FactsOf has for a program what the text of a result says in words.
func ExampleFactsOf() {
	workspace, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(workspace)
	suite, err := tools.New(config.Config{Workspace: workspace, Observe: func(_ context.Context, e config.Event) {
		facts := record.FactsOf(e)
		fmt.Println(facts.Output, facts.Limit, facts.LimitBy, facts.Exit.How, facts.Exit.Code, facts.Exit.Failed())
	}, Bash: config.Bash{MaxLines: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer suite.Close()
	suite.Call(context.Background(), "bash", []byte(`{"command": "seq 9; exit 3"}`))
	// Output: [{1 2 0 }] 2 option exit 3 true
}

func ExampleExit_Failed() {
	failed := record.Exit{How: record.EndedExit, Code: 3}
	running := record.Exit{How: record.EndedJob, Code: -1}
	fmt.Println(failed.Failed(), running.Failed())
	// Output: true false
}
