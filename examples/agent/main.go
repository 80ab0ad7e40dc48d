// Command agent is a complete agent: a model, the tools of a suite, and the loop between
// them. It prints what the model says and what the tools answer.
//
//	go run . [-workspace DIR] [-provider script|repair|serve|recall|ask|rewind] [-config FILE] [-sandbox ENGINE]
//		[-context N] [-script] [-chat] [-allow RULE] [-ask RULE] [-deny RULE]
//
// Its models are scripts, which need no network and no key. Without flags one answers a
// question on the repository that the current directory is in. With -provider repair
// another one fixes a program whose test fails, in a copy of the directory project; with
// -provider serve a third one starts a server and tests it; with -provider recall a fourth one reads
// more than it has room for; with -provider ask a fifth one has to ask before most of what it does; with -provider
// rewind a sixth one does too much, which the user rewinds.
//
// The same loop with a real model is in the directory anthropic, a module of its own:
// nothing here waits for a provider's SDK to compile.
package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

func main() { loop.Main(parse) }

// providers have a question each, a model that answers it, and where it needs one a workspace.
var providers = map[string]loop.Task{
	"script": {Prompt: surveyPrompt, Model: func(*tools.Suite) loop.Provider { return newSurvey() }},
	"repair": {Prompt: repairPrompt, Model: func(*tools.Suite) loop.Provider { return newRepair() }, Workspace: brokenProject},
	"recall": {Prompt: recallPrompt, Model: func(*tools.Suite) loop.Provider { return newRecall() }, Workspace: logs, Context: recallContext},
	"ask":    {Prompt: askPrompt, Model: func(*tools.Suite) loop.Provider { return newCareful() }, Workspace: untidy, Rules: askRules},
	"rewind": {Prompt: rewindPrompt, Model: func(*tools.Suite) loop.Provider { return newHasty() }, Workspace: brokenProject, Chat: true},
	"serve":  {Prompt: servePrompt, Model: func(*tools.Suite) loop.Provider { return newServe() }, Workspace: serveWorkspace},
}

const realModel = "with a real model: go -C examples/agent/anthropic run . PROMPT"

func parse(args []string, stderr io.Writer) (loop.Task, error) {
	flags := loop.NewFlags()
	provider := flags.String("provider", "script", "`script`, repair, serve, recall, ask or rewind; all but the first work in a directory that is made and removed")
	prompt, err := flags.Parse(args, stderr)
	if err != nil {
		return loop.Task{}, err
	}
	task, ok := providers[*provider]
	switch {
	case !ok:
		return task, fmt.Errorf("-provider %q is not known: use script, repair, serve, recall, ask or rewind; %s", *provider, realModel)
	case prompt != "":
		return task, errors.New("a scripted model knows one question: leave the prompt out; " + realModel)
	}
	if flags.Context > 0 {
		task.Context = flags.Context
	}
	task.Record, task.Script, task.Chat = flags.Record, flags.Script, task.Chat || flags.Chat
	task.Config, err = flags.Config()
	return task, err
}
