package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

// repairPrompt is the task that repair does.
const repairPrompt = "The test of this project fails: run test.sh, and mend the program."

//go:embed project
var projects embed.FS

// brokenProject copies the directory project to a temporary one, which the caller
// removes.
func brokenProject() (string, error) {
	dir, err := os.MkdirTemp("", "spillway-agent-")
	if err != nil {
		return "", err
	}
	project, err := fs.Sub(projects, "project")
	if err == nil {
		err = os.CopyFS(dir, project)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// repair mends the program in project, or says where it gave up.
type repair struct {
	script

	broken  string // the function that the test names
	file    string // where it is
	was, is string // the wrong line, and the right one
}

func newRepair() *repair {
	r := &repair{}
	r.step = r.test
	return r
}

const testCommand = "sh test.sh"

// The turns, in order, as those of survey.

func (r *repair) test(string) loop.Reply {
	return r.call("I run the test.", "bash", tools.BashParams{Command: testCommand}, r.failed)
}

// failed looks for a test that failed: in what is shown or, where only the notice names it, in the file with all of it.
func (r *repair) failed(result string) loop.Reply {
	file, line := first(`Full output: (\S+\.log)`, result), number(`\b(\d+) "FAIL `, result)
	if file != "" && line > 1 {
		return r.call("All of these passed. The notice names the line that did not, and the file that it is in.", "read",
			tools.ReadParams{Path: file, Offset: line - 1, Limit: 3}, r.failed)
	}
	r.broken = first(`(?m)^FAIL (\w+):`, result)
	if r.broken == "" {
		return give("No test fails here that I know how to mend:", result)
	}
	return r.call(fmt.Sprintf("%s is wrong. I look for it.", r.broken), "grep",
		tools.GrepParams{Pattern: "^" + r.broken + `\(\)`, Context: 2}, r.found)
}

func (r *repair) found(result string) loop.Reply {
	place := regexp.MustCompile(`(?m)^(.+):(\d+): `).FindStringSubmatch(result)
	if place == nil {
		return give("The test names what I cannot find:", result)
	}
	r.file = place[1]
	line, _ := strconv.Atoi(place[2])
	return r.call("Here it is.", "read", tools.ReadParams{Path: r.file, Offset: line, Limit: 3}, r.understood)
}

// understood edits as a model does that is in a hurry: one line, which may be anywhere.
func (r *repair) understood(result string) loop.Reply {
	r.was = first(`(?m)^\s*(.*\bcount \* cents.*)$`, result)
	if r.was == "" {
		return give("I do not understand this function:", result)
	}
	r.is = strings.Replace(r.was, "count", "(count - count / 3)", 1)
	return r.call("Every third thing has a price here, and should have none.", "edit",
		tools.EditParams{Path: r.file, OldString: r.was, NewString: r.is}, r.edited)
}

// shownPlace is a line of a listing, as an error of edit has them.
var shownPlace = regexp.MustCompile(`^ *\d+  (.*)$`)

// edited adds the line in front of the place where there are several places, as the
// error says to do, and copies it from there.
func (r *repair) edited(result string) loop.Reply {
	if !strings.Contains(result, "Add lines around it until it is unique") {
		return r.again(result)
	}
	var lines []string
	for text := range strings.Lines(result) {
		m := shownPlace.FindStringSubmatch(strings.TrimSuffix(text, "\n"))
		if m == nil {
			continue
		}
		lines = append(lines, strings.ReplaceAll(m[1], "→", "\t"))
		if n := len(lines); n > 1 && strings.Contains(lines[n-1], r.was) && strings.HasPrefix(lines[n-2], r.broken) {
			old := lines[n-2] + "\n" + lines[n-1]
			return r.call("There are two of these lines, and the error shows both. With the line in front it is only one.", "edit",
				tools.EditParams{Path: r.file, OldString: old, NewString: strings.Replace(old, r.was, r.is, 1)}, r.again)
		}
	}
	return give("I do not see which of these I want:", result)
}

func (r *repair) again(result string) loop.Reply {
	if !strings.HasPrefix(result, "Edited ") {
		return give("I cannot edit this:", result)
	}
	return r.call("I run the test again.", "bash", tools.BashParams{Command: testCommand}, r.answer)
}

func (r *repair) answer(result string) loop.Reply {
	if strings.Contains(result, "FAIL") || strings.Contains(result, "exited with code") {
		return give("It is still wrong:", result)
	}
	return loop.Reply{Text: fmt.Sprintf("The test passes: %s in %s counted a price for every third thing.", r.broken, r.file)}
}
