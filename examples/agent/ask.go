package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

// askPrompt is the task that careful does.
const askPrompt = "Of three teas, one should be free. Mend bill.sh, and tidy up."

// askRules allow one command. All else that changes or runs something is asked about.
var askRules = config.Rules{Allow: []string{"bash(git status)"}}

// untidy is a repository with the program to mend, and with a directory that is somebody's work.
func untidy() (string, error) {
	dir, err := brokenProject()
	if err != nil {
		return "", err
	}
	err = os.Mkdir(filepath.Join(dir, "x"), 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "x", "draft.txt"), []byte("Not finished.\n"), 0o644)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "bill.sh", "test.sh"},
		{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "The program"},
	} {
		if err == nil {
			err = exec.Command("git", append([]string{"-C", dir}, args...)...).Run()
		}
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// careful changes a file twice, and tries to do more with a command than it was allowed to.
type careful struct{ script }

func newCareful() *careful {
	c := &careful{}
	c.step = c.mend
	return c
}

// The turns, in order, as those of survey.

func (c *careful) mend(string) loop.Reply {
	return c.call("Every third thing gets a price here. I mend that.", "edit", tools.EditParams{Path: "bill.sh",
		OldString: "three_for_two() {\n\tsum=$((sum + count * cents))",
		NewString: "three_for_two() {\n\tsum=$((sum + (count - count / 3) * cents))"}, c.mended)
}

func (c *careful) mended(result string) loop.Reply {
	if refusal := first(`^(denied: .*)`, result); refusal != "" {
		return give("I was not allowed to change bill.sh:", refusal)
	}
	return c.call("The comment should say so.", "edit", tools.EditParams{Path: "bill.sh",
		OldString: "# Of three, one is free.", NewString: "# Of three things, one is free."}, c.explained)
}

func (c *careful) explained(string) loop.Reply {
	return c.call("What is there besides?", "bash", tools.BashParams{Command: "git status"}, c.looked)
}

func (c *careful) looked(string) loop.Reply {
	return c.call("I tidy up.", "bash", tools.BashParams{Command: "git status; rm -rf x"}, c.done)
}

func (c *careful) done(result string) loop.Reply {
	answer := "bill.sh is mended"
	if reason := first(`(?m)^denied: the user said no: (.*)`, result); reason != "" {
		return loop.Reply{Text: fmt.Sprintf("%s. I left x as it is, as you said: %s.", answer, reason)}
	}
	if refusal := first(`(?m)^(denied: .*)`, result); refusal != "" {
		return give(answer+", but I was not allowed to tidy up:", refusal)
	}
	return loop.Reply{Text: answer + ", and x is gone."}
}
