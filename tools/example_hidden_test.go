package tools_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// Files that the tools do not see: the answer is the same whether such a file exists or not.
func Example_hiddenFiles() {
	dir, err := os.MkdirTemp("", "hidden")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{".env": "KEY=1\n", ".agentignore": "*.pem\n", "id.pem": "key\n", "main.go": "package main\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	suite, err := tools.New(config.Config{Workspace: dir, Hidden: []string{".env"}})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	ls, err := suite.Ls(context.Background(), tools.LsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ls.Text)
	_, err = suite.Read(context.Background(), tools.ReadParams{Path: ".env"})
	fmt.Println(err)
	// Output:
	// main.go
	//
	// [3 entries are hidden here (Hidden or HiddenFile)]
	// denied: .env is hidden from the tools, whether it exists or not (Hidden or HiddenFile). Do it without that file, or ask the user
}

// The host changes what the model reads, as the hooks of other agents do.
func Example_changedResults() {
	suite, done := project(config.Config{Filter: func(_ context.Context, e config.Event) (string, error) {
		return strings.ToUpper(e.Text), nil
	}}, "notes.txt", 1)
	defer done()
	res, err := suite.Read(context.Background(), tools.ReadParams{Path: "notes.txt"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(res.Text)
	// Output:
	// LINE 1
}
