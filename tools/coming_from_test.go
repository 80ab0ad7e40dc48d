package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/truncation"
)

// The examples of docs/coming-from.md.

// project is a directory with a file of numbered lines, and a suite on it.
func project(cfg config.Config, file string, lines int) (*tools.Suite, func()) {
	dir, err := os.MkdirTemp("", "spillway")
	if err != nil {
		panic(err)
	}
	cfg.Workspace = dir
	if err := os.WriteFile(filepath.Join(dir, file), []byte(countedLines(lines)), 0o600); err != nil {
		panic(err)
	}
	suite, err := tools.New(cfg, all.Parts()...)
	if err != nil {
		panic(err)
	}
	return suite, func() {
		suite.Close()
		os.RemoveAll(dir)
	}
}

var spillFile = regexp.MustCompile(`(bash|tool|result)-[b-z2-9]{8}`)

// end is the end of a text, from the last line that was shown on.
func end(text string) string {
	lines := strings.Split(spillFile.ReplaceAllString(text, "$1-X"), "\n")
	return strings.Join(lines[max(len(lines)-3, 0):], "\n")
}

func Example_linesAndBytesWithOffsets() {
	suite, done := project(config.Config{}, "log.txt", 5000)
	defer done()
	ctx := context.Background()
	page, _ := suite.Read(ctx, tools.ReadParams{Path: "log.txt"})
	fmt.Println(end(page.Text))
	page, _ = suite.Read(ctx, tools.ReadParams{Path: "log.txt", Offset: page.NextOffset, Limit: 10})
	fmt.Println(end(page.Text))
	out, _ := suite.Bash(ctx, tools.BashParams{Command: "cat log.txt"})
	fmt.Println(end(out.Text))
	// Output:
	// line 2000
	//
	// [Showing lines 1-2000 of 5000. Use offset=2001 to continue]
	// line 2010
	//
	// [2990 more lines in file. Use offset=2011 to continue]
	// line 5000
	//
	// [Showing lines 3001-5000 of 5000. Full output: .clarvis/bash-X.log]
}

func Example_charactersFromTheHead() {
	os.Setenv("SPILLWAY_READ_MAX_LINE_CHARS", "2000")
	defer os.Unsetenv("SPILLWAY_READ_MAX_LINE_CHARS")
	cfg, err := config.FromEnv(config.Config{MaxBytes: 128 << 10, Bash: config.Bash{
		Strategy: truncation.HeadChars,
		Policy:   truncation.Policy{Limits: truncation.Limits{Chars: 30_000}, Marker: "\n... (output truncated)"},
	}})
	if err != nil {
		panic(err)
	}
	suite, done := project(cfg, "log.txt", 5000)
	defer done()
	out, _ := suite.Bash(context.Background(), tools.BashParams{Command: "cat log.txt"})
	fmt.Println(end(out.Text))
	metadata, _ := json.Marshal(truncation.Metadata{Truncated: out.Truncated, OriginalLength: out.OriginalLength, MaxLength: out.MaxLength})
	fmt.Println(string(metadata))

	suite.Bash(context.Background(), tools.BashParams{Command: "printf '%03000d\\n' 0 >wide.txt"})
	page, _ := suite.Read(context.Background(), tools.ReadParams{Path: "wide.txt"})
	fmt.Println(page.Text[1998:])
	// Output:
	// ... (output truncated)
	//
	// [Full output: .clarvis/bash-X.log]
	// {"truncated":true,"original_length":48893,"max_length":30000}
	// 00...
	//
	// [1 line truncated to 2000 chars. Use offset=1 column=2001 to read on in line 1]
}

func Example_firstAndLastLines() {
	suite, done := project(config.Config{Bash: config.Bash{
		Strategy: truncation.HeadTailLines, Policy: truncation.Policy{First: 10, Last: 10, Threshold: 3000},
	}}, "log.txt", 1000)
	defer done()
	out, _ := suite.Bash(context.Background(), tools.BashParams{Command: "cat log.txt"})
	lines := strings.Split(spillFile.ReplaceAllString(out.Text, "$1-X"), "\n")
	fmt.Println(strings.Join(lines[9:12], "\n"))
	out, _ = suite.Bash(context.Background(), tools.BashParams{Command: "head -n 300 log.txt"}) // 2,592 characters
	fmt.Println(out.Truncated)

	agent := fake{"agent", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: countedLines(3000)}, nil }}
	suite.Add(tools.Truncate(agent, truncation.Policy{Strategy: truncation.HeadTailLines, Limits: truncation.Limits{Chars: 30_000}, Threshold: 24_000, Prefix: "[sub-agent tests]: "}))
	res, _ := suite.Call(context.Background(), "agent", nil)
	lines = strings.Split(spillFile.ReplaceAllString(res.Text, "$1-X"), "\n")
	fmt.Println(lines[0])
	fmt.Println(lines[10])
	// Output:
	// line 10
	// [... 1000 lines, over 3000 characters: showing the first 10 and the last 10. Full output: .clarvis/bash-X.log ...]
	// line 991
	// false
	// [sub-agent tests]: line 1
	// [... 3000 lines, over 24000 characters: showing the first 10 and the last 10. Full output: .clarvis/tool-X.log ...]
}

func Example_bytesWithACeiling() {
	cfg := config.Config{
		MaxBytes: 128 << 10, MaxFileBytes: 20_000_000, MaxLines: 1_000_000,
		Bash: config.Bash{MaxBytes: 16 << 10, Strategy: truncation.TailChars, Policy: truncation.Policy{Marker: "[output truncated]\n"}, MaxCaptureBytes: 8 << 20},
	}
	suite, done := project(cfg, "log.txt", 5000)
	defer done()
	ctx := context.Background()
	out, _ := suite.Bash(ctx, tools.BashParams{Command: "yes 世界 | head -n 5000; echo done"})
	fmt.Println(len(out.Output) <= 16<<10, strings.HasPrefix(out.Output, "[output truncated]\n"), strings.HasSuffix(out.Output, "世界\ndone\n"))
	fmt.Println(end(out.Text))
	_, err := suite.Bash(ctx, tools.BashParams{Command: "yes"})
	fmt.Println(tools.CodeOf(err))
	suite.Bash(ctx, tools.BashParams{Command: "head -c 20000001 /dev/zero | tr '\\0' 'a' >big.txt"})
	_, err = suite.Read(ctx, tools.ReadParams{Path: "big.txt"})
	fmt.Println(tools.CodeOf(err))
	_, err = tools.New(config.Config{MaxBytes: 512}, all.Parts()...)
	fmt.Println(err)
	// Output:
	// true true true
	// done
	//
	// [Full output: .clarvis/bash-X.log]
	// output_limit
	// too_large
	// config: MaxBytes is 512, but must be at least 1KB (1024 bytes)
}

func Example_strategiesByCharacters() {
	text := "The quick brown fox jumps over the lazy dog.\nAnd then it does so again.\nAnd again."
	for _, p := range []truncation.Policy{
		{Strategy: truncation.HeadChars, Limits: truncation.Limits{Chars: 40}, Marker: "... {count} more"},
		{Strategy: truncation.TailChars, Limits: truncation.Limits{Chars: 40}, Marker: "{count} before ..."},
		{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 40}, Marker: " [{count} chars] "},
	} {
		fmt.Println(p.Cut(text))
	}
	lines := truncation.Policy{Strategy: truncation.MiddleLines, Limits: truncation.Limits{Chars: 48}, Marker: "\n[{lines} of {total} lines]\n"}
	fmt.Println(lines.Cut("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven"))
	// Output:
	// The quick brown fox jumps ove... 53 more
	// 55 before ...t does so again.
	// And again.
	// The quick brow [54 chars] in.
	// And again.
	// one
	// two
	// three
	// [5 of 11 lines]
	// nine
	// ten
	// eleven
}

func Example_patches() {
	suite, done := project(config.Config{Tools: []string{"read", "bash", "grep", "find", "ls", "apply_patch"}}, "log.txt", 2)
	defer done()
	res, _ := suite.Call(context.Background(), "apply_patch", json.RawMessage(`{"input": "*** Begin Patch\n*** Update File: log.txt\n@@\n-line 2\n+the end\n*** End Patch"}`))
	fmt.Println(res.Text)
	// Output:
	// Updated log.txt: 1 line added, 1 removed.
	// @@ -1,2 +1,2 @@
	//  line 1
	// -line 2
	// +the end
}

func Example_environmentAndAgents() {
	suite, done := project(config.Config{Bash: config.Bash{Setup: ". ./env.sh", SetupFiles: []string{"env.sh"}}}, "log.txt", 2)
	defer done()
	for _, line := range []string{"exit 3", "export STAGE=test", "export STAGE=production"} {
		suite.Write(context.Background(), tools.WriteParams{Path: "env.sh", Content: line + "\n"})
		out, _ := suite.Bash(context.Background(), tools.BashParams{Command: "echo ${STAGE-none}"})
		fmt.Print(strings.TrimSuffix(out.Text, "\n"), "\n")
	}
	// Output:
	// none
	//
	// [Bash.Setup, which prepares the environment of commands, exited with code 3. Commands run without what it sets. Correct what it reports, or tell the user; it runs again when env.sh changes (touch is enough)]
	// test
	// production
}
