package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
)

// An adapter tells its client more of the tools that are the library's.
func ExampleLibraryTool() {
	suite, done := project(config.Config{MaxBytes: 2048, Tools: []string{"ls", "write"}}, "log.txt", 1)
	defer done()
	for _, t := range suite.Tools() {
		if t, ok := t.(tools.LibraryTool); ok {
			fmt.Println(t.Name(), t.Title(), t.Idempotent(), t.MaxResult())
		}
	}
	// Output:
	// ls List directory true 3072
	// write Write file true 3072
}

// distant is a tool of a suite on another machine.
type distant struct{ tools.Tool }

func (distant) HasNotices() bool { return true }

// The text of a suite elsewhere has up to 1 KiB of notices, which this one leaves as they are.
func ExampleHasNotices() {
	suite, done := project(config.Config{MaxBytes: 1024}, "log.txt", 1)
	defer done()
	full := strings.Repeat("x", 1024) + "\n\n[Full output: .clarvis/bash-k3x9q2mf.log]"
	far := tools.Func("far", "Run elsewhere.", func(context.Context, struct{}) (string, error) { return full, nil })
	if err := suite.Add(distant{far}); err != nil {
		fmt.Println(err)
	}
	res, err := suite.Call(context.Background(), "far", nil)
	fmt.Println(res.Text == full, err)
	// Output: true <nil>
}

// query is a tool whose results are JSON, and whose errors begin with the most important line.
type query struct{ tools.Tool }

func (query) Strategy(res tools.Result) truncation.Strategy {
	if res.IsError {
		return truncation.Head
	}
	return truncation.JSON
}

func (query) Notice(tools.Result) string { return "The table has 3 other columns" }

func ExampleResultPolicy() {
	suite, done := project(config.Config{MaxBytes: 1024}, "log.txt", 1)
	defer done()
	rows := tools.Func("query", "Ask the database.", func(context.Context, struct{}) (string, error) {
		list, err := json.Marshal(make([]int, 1000))
		return string(list), err
	})
	if err := suite.Add(query{rows}); err != nil {
		fmt.Println(err)
	}
	res, err := suite.Call(context.Background(), "query", nil)
	fmt.Println(res.Shown().Strategy, strings.HasSuffix(res.Text, ". The table has 3 other columns]"), err)
	// Output: json true <nil>
}
