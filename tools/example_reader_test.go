package tools_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// A server over HTTP that has no sessions.
func ExampleWithConversation_unknown() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	ctx := tools.WithConversation(context.Background(), "", "Send the header X-Client")
	if _, err := suite.Bash(ctx, tools.BashParams{Command: "echo up; read x", Background: true, ReadyWhen: "up"}); err != nil {
		fmt.Println(err)
	}
	_, err := suite.Job(ctx, tools.JobParams{ID: 1})
	text, _, _ := strings.Cut(err.Error(), ". ")
	fmt.Println(text)
	// Output: denied: job shows what is new since your last call, and your calls cannot be told from others
}

// An event has the trace of the request that led to the call.
func ExampleWithTrace() {
	suite, done := project(config.Config{Observe: func(_ context.Context, e config.Event) { fmt.Println(e.Tool, e.TraceParent) }}, "log.txt", 1)
	defer done()
	ctx := tools.WithTrace(context.Background(), "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "")
	if _, err := suite.Ls(ctx, tools.LsParams{}); err != nil {
		fmt.Println(err)
	}
	// Output: ls 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01
}

// A program that tells a person where the whole output is.
func ExampleResult_FullOutputPath() {
	suite, done := project(config.Config{MaxLines: 3}, "log.txt", 1)
	defer done()
	for _, args := range []string{`{"command": "seq 2"}`, `{"command": "seq 100"}`} {
		res, err := suite.Call(context.Background(), "bash", []byte(args))
		fmt.Println(filepath.Ext(res.FullOutputPath()), err)
	}
	// Output:
	//  <nil>
	// .log <nil>
}

// A program that sends the whole output elsewhere.
func ExampleSuite_OpenOutput() {
	suite, done := project(config.Config{MaxLines: 3}, "log.txt", 1)
	defer done()
	res, err := suite.Call(context.Background(), "bash", []byte(`{"command": "seq 100"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := suite.OpenOutput(res.FullOutputPath())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	n, err := io.Copy(io.Discard, f)
	fmt.Println(n, err)
	// Output: 292 <nil>
}
