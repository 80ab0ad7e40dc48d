package mcptools_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// A server with the tools that only look, and a client in the same process.
func Example() {
	dir, err := os.MkdirTemp("", "project")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\n// TODO: all of it.\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	suite, err := tools.New(config.Config{Workspace: dir, ReadOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	server := mcp.NewServer(&mcp.Implementation{Name: "my-agent", Version: "1.0"}, nil)
	mcptools.Add(server, suite, nil)

	ctx := context.Background()
	clientEnd, serverEnd := mcp.NewInMemoryTransports() // or mcp.StdioTransport
	if _, err := server.Connect(ctx, serverEnd, nil); err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "my-client", Version: "1.0"}, nil)
	session, err := client.Connect(ctx, clientEnd, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "grep", Arguments: map[string]any{"pattern": "TODO"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.IsError, res.Content[0].(*mcp.TextContent).Text)
	// Output: false main.go:3: // TODO: all of it.
}

// work calls a tool on another machine. The files, the limits and the commands are there;
// a guard and an observer of the suite would be here.
func work(ctx context.Context) error {
	far := exec.Command("ssh", "host", "spillway", "mcp", "-workspace", "/src")
	list, session, err := mcptools.Connect(ctx, &mcp.CommandTransport{Command: far})
	if err != nil {
		return err
	}
	defer session.Close()
	suite, err := tools.New(config.Config{Workspace: ".", Tools: []string{config.NoTools}})
	if err != nil {
		return err
	}
	defer suite.Close()
	err = suite.Add(list...)
	if err != nil {
		return err
	}
	res, err := suite.Call(ctx, "bash", []byte(`{"command": "hostname"}`))
	fmt.Println(res.Text)
	return err
}

func ExampleConnect() {
	if err := work(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// What clients are told of a tool can be changed before it is added.
func ExampleTool() {
	suite, err := tools.New(config.Config{Workspace: "."})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	server := mcp.NewServer(&mcp.Implementation{Name: "my-agent", Version: "1.0"}, nil)
	for _, t := range suite.Tools() {
		tool, handler := mcptools.Tool(t, nil)
		tool.Name = "project_" + tool.Name
		server.AddTool(tool, handler)
		fmt.Println(tool.Name, "-", tool.Title)
	}
	// Output:
	// project_read - Read file
	// project_bash - Run command
	// project_grep - Search in files
	// project_find - Find files
	// project_ls - List directory
	// project_write - Write file
	// project_edit - Edit file
	// project_job - Control job
}
