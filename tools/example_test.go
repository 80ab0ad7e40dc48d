package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
)

func ExampleNew() {
	suite, err := tools.New(config.Config{Workspace: ".", ReadOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	for _, t := range suite.Tools() {
		fmt.Println(t.Name())
	}

	_, err = tools.New(config.Config{Grep: config.Grep{Limit: -1}})
	var refused *config.OptionError
	fmt.Println(errors.As(err, &refused), refused.Option, "must be", refused.Want)
	// Output:
	// read
	// grep
	// find
	// ls
	// true Grep.Limit must be at least 1
}

// An option that needs a part is refused without it.
func ExampleCheck() {
	cfg, err := tools.Check(config.Config{})
	fmt.Println(cfg.MaxLines, err)
	_, err = tools.Check(config.Config{Bash: config.Bash{Network: true}})
	fmt.Println(err)
	// Output:
	// 2000 <nil>
	// config: Bash.Network is true, but must be false without its part: import github.com/spillway-go/spillway/tools/sandbox and give tools.New sandbox.Part() too
}

// Descriptions and schemas are for the model. They have the numbers that are in force.
func ExampleSuite_Tools() {
	suite, done := project(config.Config{Tools: []string{"ls"}, Ls: config.Ls{Limit: 50, MaxBytes: 4096}}, "log.txt", 1)
	defer done()
	for _, t := range suite.Tools() {
		fmt.Println(t.Description())
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(t.Schema(), &schema); err != nil {
			log.Fatal(err)
		}
		fmt.Println(schema.Properties["limit"].Description)
	}
	// Output:
	// List a directory: one name per line, including dotfiles, sorted ignoring case; directories end in /. Shows at most 50 entries or 4KB; a notice says how to get more.
	// maximum number of entries to show; default 50
}

// What an agent's loop does with a call of its model.
func ExampleSuite_Call() {
	suite, done := project(config.Config{MaxLines: 3}, "log.txt", 5000)
	defer done()
	for _, args := range []string{`{"path": "log.txt", "offset": "100"}`, `{"path": "logs.txt"}`} {
		res, err := suite.Call(context.Background(), "read", json.RawMessage(args))
		if err != nil {
			log.Fatal(err) // the context ended
		}
		fmt.Println(res.IsError)
		fmt.Println(res.Text)
	}
	// Output:
	// false
	// line 100
	// line 101
	// line 102
	//
	// [Showing lines 100-102 of 5000. Use offset=103 to continue]
	// true
	// not_found: logs.txt does not exist. Did you mean log.txt?
}

// A guard sees every call before it is made.
func ExampleSuite_Call_guard() {
	suite, done := project(config.Config{Guard: func(_ context.Context, call config.Call) error {
		var args tools.BashParams
		if call.Tool == "bash" && json.Unmarshal(call.Args, &args) == nil && strings.Contains(args.Command, "rm ") {
			return errors.New("nothing is removed here; ask the user to")
		}
		return nil
	}}, "log.txt", 3)
	defer done()
	res, _ := suite.Call(context.Background(), "bash", json.RawMessage(`{"command": "rm log.txt"}`))
	fmt.Println(res.Text)
	// Output: denied: nothing is removed here; ask the user to
}

// A guard shows a person what a call would do before it is made.
func ExampleSuite_Call_preview() {
	suite, done := project(config.Config{Guard: func(ctx context.Context, call config.Call) error {
		text, err := call.Preview(ctx)
		if err != nil {
			return nil // so the call fails, and tells the model why
		}
		fmt.Println(call.Paths[0].Use, call.Paths[0].Name)
		fmt.Println(text)
		return errors.New("the user said no")
	}}, "log.txt", 3)
	defer done()
	args := `{"path": "log.txt", "old_string": "line 2", "new_string": "line two"}`
	res, _ := suite.Call(context.Background(), "edit", json.RawMessage(args))
	fmt.Println(res.Text)
	// Output:
	// change log.txt
	// diff --git a/log.txt b/log.txt
	// --- a/log.txt
	// +++ b/log.txt
	// @@ -1,3 +1,3 @@
	//  line 1
	// -line 2
	// +line two
	//  line 3
	// denied: the user said no
}

// Page by page, every line is read once.
func ExampleSuite_Read() {
	suite, done := project(config.Config{}, "log.txt", 5000)
	defer done()
	p := tools.ReadParams{Path: "log.txt"}
	for {
		page, err := suite.Read(context.Background(), p)
		if err != nil {
			log.Fatal(err)
		}
		first, _, _ := strings.Cut(page.Text, "\n")
		fmt.Println(first, "of", page.TotalLines)
		if p.Offset = page.NextOffset; p.Offset == 0 {
			break
		}
	}
	// Output:
	// line 1 of 5000
	// line 2001 of 5000
	// line 4001 of 5000
}

// The end of a long output is shown, and all of it is in a file. An exit code is no
// failure.
func ExampleSuite_Bash() {
	suite, done := project(config.Config{MaxLines: 2}, "log.txt", 5000)
	defer done()
	res, err := suite.Bash(context.Background(), tools.BashParams{Command: "cat log.txt"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(spillFile.ReplaceAllString(res.Text, "$1-X"))
	full, err := os.ReadFile(filepath.Join(suite.Workspace(), res.FullOutputPath))
	fmt.Println(res.ExitCode, len(full), err)
	// Output:
	// line 4999
	// line 5000
	//
	// [Showing lines 4999-5000 of 5000. Full output: .clarvis/bash-X.log]
	// 0 48893 <nil>
}

func ExampleSuite_Grep() {
	suite, done := project(config.Config{}, "log.txt", 5000)
	defer done()
	found, err := suite.Grep(context.Background(), tools.GrepParams{Pattern: "line [0-9]+00$", Limit: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Text)
	fmt.Println(found.Matches, found.NextOffset)
	// Output:
	// log.txt:100: line 100
	// log.txt:200: line 200
	//
	// [2 matches limit reached. Use limit=4 for more, or refine pattern. Use offset=2 to continue without repeating these]
	// 2 2
}

func ExampleSuite_Find() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	found, err := suite.Find(context.Background(), tools.FindParams{Pattern: "*.{txt,md}"})
	fmt.Println(found.Text, err)
	_, err = suite.Find(context.Background(), tools.FindParams{Pattern: "*.txt", Path: "/etc"})
	fmt.Println(err)
	// Output:
	// log.txt <nil>
	// path_escape: /etc is outside of the workspace. Use a path inside of it, relative to its root
}

func ExampleSuite_Ls() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	os.Mkdir(filepath.Join(suite.Workspace(), "src"), 0o755)
	list, err := suite.Ls(context.Background(), tools.LsParams{})
	fmt.Println(list.Text)
	fmt.Println(list.TotalEntries, err)
	// Output:
	// log.txt
	// src/
	// 2 <nil>
}

// How much of what the tools produced the model was shown.
func ExampleSuite_Stats() {
	suite, done := project(config.Config{MaxLines: 10}, "log.txt", 5000)
	defer done()
	for range 2 {
		suite.Bash(context.Background(), tools.BashParams{Command: "cat log.txt"})
	}
	suite.Read(context.Background(), tools.ReadParams{Path: "logs.txt"})
	stats := suite.Stats()
	bash := stats["bash"]
	fmt.Println("bash:", bash.Calls, "calls,", bash.Truncated, "truncated,", bash.BytesProduced, "bytes")
	fmt.Println("read:", stats["read"].Calls, "call,", stats["read"].Errors, "error")
	// Output:
	// bash: 2 calls, 2 truncated, 97786 bytes
	// read: 1 call, 1 error
}

// After Close there are no calls. Full outputs stay.
func ExampleSuite_Close() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	res, _ := suite.Bash(context.Background(), tools.BashParams{Command: "sleep 1000 >/dev/null &"})
	fmt.Println(len(res.BackgroundPids), "process runs on")
	fmt.Println(suite.Close()) // it is ended
	_, err := suite.Ls(context.Background(), tools.LsParams{})
	fmt.Println(err)
	// Output:
	// 1 process runs on
	// <nil>
	// denied: the suite is closed
}

// A tool that was added has the limits of the suite.
func ExampleSuite_Add() {
	fetch := says(countedLines(1000)) // a tool of an agent's own
	suite, done := project(config.Config{MaxLines: 5}, "log.txt", 1)
	defer done()
	if err := suite.Add(fetch); err != nil {
		log.Fatal(err)
	}
	res, _ := suite.Call(context.Background(), "fetch", nil)
	fmt.Println(spillFile.ReplaceAllString(res.Text, "$1-X"))
	fmt.Println(suite.Add(fetch))
	// Output:
	// line 1
	// line 2
	// [... 996 of 1000 lines left out. Full output: .clarvis/tool-X.log ...]
	// line 999
	// line 1000
	//
	// tools: there is a tool fetch already
}

// A tool that is wrapped first has limits of its own.
func ExampleTruncate_inSuite() {
	fetch := says(countedLines(1000)) // a tool of an agent's own
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	last := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 3}, Marker: "[{lines} lines before]\n"}
	if err := suite.Add(tools.Truncate(fetch, last)); err != nil {
		log.Fatal(err)
	}
	res, _ := suite.Call(context.Background(), "fetch", nil)
	fmt.Println(spillFile.ReplaceAllString(res.Text, "$1-X"))
	// Output:
	// [998 lines before]
	// line 999
	// line 1000
	//
	// [Full output: .clarvis/tool-X.log]
}

// A result that the conversation needs no longer becomes one line. The model finds the text by that.
func ExampleSuite_Shelve() {
	suite, done := project(config.Config{}, "log.txt", 412)
	defer done()
	res, _ := suite.Call(context.Background(), "bash", json.RawMessage(`{"command": "cat log.txt; exit 1"}`))
	line, err := suite.Shelve(context.Background(), res)
	fmt.Println(spillFile.ReplaceAllString(line, "$1-X"), err)

	file := line[strings.Index(line, ".clarvis") : len(line)-1]
	found, _ := suite.Grep(context.Background(), tools.GrepParams{Path: file, Pattern: "^line 77$"})
	fmt.Println(spillFile.ReplaceAllString(found.Text, "$1-X"))
	// Output:
	// [bash: 414 lines, 3.5KB, exit code 1. Full result: .clarvis/result-X.txt] <nil>
	// .clarvis/result-X.txt:77: line 77
}

// Without a suite, what is left out is kept in the current directory.
func ExampleTruncate() {
	dir, _ := os.MkdirTemp("", "spillway")
	defer os.RemoveAll(dir)
	before, _ := os.Getwd()
	os.Chdir(dir)
	defer os.Chdir(before)

	fetch := says(countedLines(1000)) // a tool of an agent's own
	tool := tools.Truncate(fetch, truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 50}, Marker: " [{count} characters] "})
	res, err := tool.Call(context.Background(), json.RawMessage(`{}`))
	cut, _, _ := strings.Cut(res.Text, "\n\n")
	fmt.Printf("%q %v\n", cut, err)
	details := res.Details.(tools.TruncatedDetails)
	full, err := os.ReadFile(details.FullOutputPath)
	fmt.Println(details.Truncated, details.OriginalLength, len(full), err)
	// Output:
	// "line 1\nline 2\nli [8862 characters]  999\nline 1000" <nil>
	// true 8893 8893 <nil>
}

// The last lines of a command that is still running. It ends when they were seen.
func ExampleWithProgress() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	var once sync.Once
	ctx := tools.WithProgress(context.Background(), func(u tools.Update) {
		once.Do(func() {
			fmt.Println(u.Tool, u.Lines, u.Tail)
			os.Remove(filepath.Join(suite.Workspace(), "log.txt"))
		})
	})
	_, err := suite.Bash(ctx, tools.BashParams{Command: "echo building; while [ -e log.txt ]; do sleep 0.01; done"})
	fmt.Println(err)
	// Output:
	// bash 1 building
	//
	// <nil>
}

// Two sub-agents that share a suite wait for the same job.
func ExampleWithConversation() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	wait := tools.JobParams{ID: 1}
	for _, agent := range []string{"tester", "reviewer"} {
		ctx := tools.WithConversation(context.Background(), agent)
		if agent == "tester" {
			if _, err := suite.Bash(ctx, tools.BashParams{Command: "echo built; read go; echo tested", Background: true, ReadyWhen: "built"}); err != nil {
				fmt.Println(err)
			}
			wait.Input = "\n"
		}
		res, err := suite.Job(ctx, wait)
		shown, _, _ := strings.Cut(res.Text, "\n\n[")
		fmt.Printf("%s: %q %v\n", agent, shown, err)
		wait.Input = ""
	}
	// Output:
	// tester: "tested" <nil>
	// reviewer: "built\ntested" <nil>
}

// A server has the suite forget a session that has ended.
func ExampleSuite_Forget_conversation() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	session := "4711"
	ctx := tools.WithConversation(context.Background(), session)
	res, err := suite.Job(ctx, tools.JobParams{})
	fmt.Println(res.Text, err)
	suite.Forget(session)
	// Output: (no jobs) <nil>
}

// An agent whose conversation was cut has the suite forget what was shown in it.
func ExampleSuite_Forget() {
	suite, done := project(config.Config{Read: config.Read{Repeat: config.RepeatReceipt}}, "log.txt", 100)
	defer done()
	for range 3 {
		res, err := suite.Read(context.Background(), tools.ReadParams{Path: "log.txt"})
		first, _, _ := strings.Cut(res.Text, "\n")
		fmt.Println(first, err)
		if res.Receipt != nil {
			suite.Forget()
		}
	}
	// Output:
	// line 1 <nil>
	// [Lines 1-100 of log.txt have not changed since they were shown. Use again=true to see them] <nil>
	// line 1 <nil>
}

// A tool of an agent's own that tells how far it is.
func ExampleProgress() {
	deploy := tools.Func("deploy", "Deploy the program.", func(ctx context.Context, _ struct{}) (string, error) {
		for _, step := range []string{"build", "upload"} {
			if report := tools.Progress(ctx); report != nil {
				report(tools.Update{Tool: "deploy", Tail: step + "\n"})
			}
		}
		return "deployed", nil
	})
	ctx := tools.WithProgress(context.Background(), func(u tools.Update) { fmt.Print(u.Tail) })
	res, err := deploy.Call(ctx, nil)
	fmt.Println(res.Text, err)
	// Output:
	// build
	// upload
	// deployed <nil>
}

func ExampleCodeOf() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	_, err := suite.Read(context.Background(), tools.ReadParams{Path: "gone.txt"})
	if tools.CodeOf(err) == tools.CodeNotFound {
		fmt.Println("make it first;", errors.Is(err, os.ErrNotExist))
	}
	// Output: make it first; true
}

// Write replaces what a file holds, and Restore puts it back.
func ExampleSuite_Write() {
	suite, done := project(config.Config{}, "log.txt", 2)
	defer done()
	ctx := context.Background()
	if _, err := suite.Read(ctx, tools.ReadParams{Path: "log.txt"}); err != nil {
		panic(err)
	}
	res, err := suite.Write(ctx, tools.WriteParams{Path: "log.txt", Content: "line 1\nthe last line\n"})
	if err != nil {
		panic(err)
	}
	fmt.Println(res.Text)
	undone, err := suite.Restore(ctx, res.Before)
	fmt.Println(undone.LinesRemoved, err)
	// Output:
	// Wrote log.txt: 1 line added, 1 removed (2 lines, 21B).
	// @@ -1,2 +1,2 @@
	//  line 1
	// -line 2
	// +the last line
	// 1 <nil>
}

func ExampleSuite_Edit() {
	suite, done := project(config.Config{}, "log.txt", 3)
	defer done()
	res, err := suite.Edit(context.Background(), tools.EditParams{Path: "log.txt", Edits: []tools.Replacement{
		{OldString: "line 1\n", NewString: ""},
		{OldString: "line 3", NewString: "the end"},
	}})
	fmt.Println(res.Text, err)
	_, err = suite.Edit(context.Background(), tools.EditParams{Path: "log.txt", OldString: "line 1", NewString: "x"})
	fmt.Println(tools.CodeOf(err))
	// Output:
	// Edited log.txt in 2 places: 1 line added, 2 removed.
	// @@ -1,3 +1,2 @@
	// -line 1
	//  line 2
	// -line 3
	// +the end <nil>
	// not_found
}

// Restore leaves a file alone that has changed since.
func ExampleSuite_Restore() {
	suite, done := project(config.Config{}, "log.txt", 2)
	defer done()
	ctx := context.Background()
	res, _ := suite.Write(ctx, tools.WriteParams{Path: "log.txt", Content: ""})
	os.WriteFile(filepath.Join(suite.Workspace(), "log.txt"), []byte("mine\n"), 0o600)
	_, err := suite.Restore(ctx, res.Before)
	fmt.Println(err)
	// Output: stale: log.txt has changed since, and was left alone
}

// A server is started, and used once it is ready; then it is stopped.
func ExampleSuite_Job() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	ctx := context.Background()
	started, err := suite.Bash(ctx, tools.BashParams{Command: "echo ready; exec cat", Background: true, ReadyWhen: "^ready"})
	if err != nil {
		panic(err)
	}
	fmt.Println(started.State)
	answer, _ := suite.Job(ctx, tools.JobParams{ID: started.Job, Input: "hello\n", Until: "hello"})
	fmt.Println(answer.NewBytes, answer.Match.Text)
	ended, err := suite.Job(ctx, tools.JobParams{ID: started.Job, Input: "\u0004"})
	fmt.Println(ended.State, err)
	fmt.Println(len(suite.Jobs()), "job")
	// Output:
	// running
	// 6 hello
	// exited with code 0 <nil>
	// 1 job
}

// A program waits for what the model has started, or stops it.
func ExampleJob() {
	suite, done := project(config.Config{}, "log.txt", 1)
	defer done()
	ctx := context.Background()
	suite.Bash(ctx, tools.BashParams{Command: "echo up; sleep 300", Background: true, ReadyWhen: "up"})
	suite.Bash(ctx, tools.BashParams{Command: "echo up; until [ -e go ]; do sleep 0.01; done", Background: true, ReadyWhen: "up"})
	os.WriteFile(filepath.Join(suite.Workspace(), "go"), nil, 0o600)
	jobs := suite.Jobs()
	fmt.Println(jobs[0].Stop(ctx), jobs[1].Wait(ctx))
	for _, job := range jobs {
		s := job.State()
		fmt.Println(s.Job, s.State)
	}
	// Output:
	// <nil> <nil>
	// 1 ended by signal SIGTERM (sent by the program)
	// 2 exited with code 0
}

// A sub-agent that plans gets the tools that change nothing; the suite's jobs and memory are its own too.
func ExampleSuite_With() {
	suite, done := project(config.Config{}, "server.key", 1)
	defer done()
	plan, err := suite.With(tools.View{ReadOnly: true, Rules: config.Rules{Deny: []string{"read(**/*.key)"}}})
	if err != nil {
		panic(err)
	}
	for _, t := range plan.Tools() {
		fmt.Println(t.Name())
	}
	_, err = plan.Read(context.Background(), tools.ReadParams{Path: "server.key"})
	fmt.Println(err)
	// Output:
	// read
	// grep
	// find
	// ls
	// denied: the rule deny read(**/*.key) refuses read of server.key. Do it without that, or ask the user
}

// A tool of your own calls others of whichever suite or view calls it, under that one's rules.
func ExampleCallingSuite() {
	suite, done := project(config.Config{}, "notes.txt", 3)
	defer done()
	err := suite.Add(tools.Func("notes", "Shows the notes.", func(ctx context.Context, _ struct{}) (string, error) {
		res, err := tools.CallingSuite(ctx).Read(ctx, tools.ReadParams{Path: "notes.txt", Limit: 1})
		return res.Page, err
	}))
	if err != nil {
		panic(err)
	}
	res, _ := suite.Call(context.Background(), "notes", nil)
	fmt.Print(res.Text)
	// Output:
	// line 1
}
