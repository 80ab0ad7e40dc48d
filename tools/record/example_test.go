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

// Every call in a file, read when the session is over.
func Example() {
	workspace, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(workspace)
	cfg := config.Config{Workspace: workspace}
	rec, err := record.Open(".clarvis/session.jsonl", cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg.Observe = rec.Observe
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
	for line, err := range record.Read(filepath.Join(workspace, ".clarvis", "session.jsonl")) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(line.Kind, line.Tool, string(line.Args), line.ShownBytes)
	}
	// Output:
	// session   0
	// call ls {} 9
	// call read {"path":"go.mod"} 65
}
