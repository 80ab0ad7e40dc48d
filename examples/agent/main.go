// Command agent is a complete agent: a model, the five tools, and the loop between
// them. It prints what the model says and what the tools answer.
//
//	go run . [-workspace DIR] [-provider script|repair|serve|anthropic] [-model M] [-config FILE] [PROMPT]
//
// Without flags a scripted model answers one question on the repository that the
// current directory is in. With -provider repair another one mends a program whose
// test fails, in a copy of the directory project; with -provider serve a third one
// starts a server and tests it. None needs a network or a key.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// The exit codes.
const (
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130 // as a shell says it of SIGINT
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	code := exitUsage
	if err == nil {
		code, err = converse(ctx, opts, newTranscript(stdout))
	}
	if err != nil {
		fmt.Fprintln(stderr, "agent:", strings.ReplaceAll(err.Error(), "\n", "\nagent: "))
	}
	return code
}

// converse is the conversation, from the prompt to the summary.
func converse(ctx context.Context, opts options, out *transcript) (int, error) {
	if opts.config.Workspace == "" { // repair has a project of its own, serve needs none
		newDir := brokenProject
		if opts.provider == "serve" {
			newDir = serveWorkspace
		}
		dir, err := newDir()
		if err != nil {
			return exitFailure, err
		}
		defer os.RemoveAll(dir)
		opts.config.Workspace = dir
	}
	opts.config.Observe = out.observe
	suite, err := tools.New(opts.config)
	if err != nil {
		return exitUsage, err
	}
	defer suite.Close() // ends what commands left running

	a := agent{suite: suite, out: out}
	prompt := opts.prompt
	switch opts.provider {
	case "script":
		a.model, prompt = newSurvey(), surveyPrompt
	case "repair":
		a.model, prompt = newRepair(), repairPrompt
	case "serve":
		a.model, prompt = newServe(), servePrompt
	case "anthropic":
		a.model = newClaude(opts.model, suite)
	}
	err = a.run(ctx, prompt)
	out.summary(suite)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, errors.New("interrupted")
	case err != nil:
		return exitFailure, err
	}
	return 0, nil
}

type options struct {
	provider, model, prompt string
	config                  config.Config
}

// parse reads the flags, and what they name.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var workspace, file, sandbox string
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // it would print the whole usage after an error
	flags.StringVar(&workspace, "workspace", "", "`DIR` that the tools work in; default the repository around the current directory, for repair and serve one that is made and removed")
	flags.StringVar(&o.provider, "provider", "script", "`script`, repair, serve, or anthropic, which takes the key from ANTHROPIC_API_KEY")
	flags.StringVar(&o.model, "model", defaultModel, "`MODEL` of the provider anthropic")
	flags.StringVar(&sandbox, "sandbox", "", "`ENGINE` that confines commands: auto, landlock or bwrap")
	flags.StringVar(&file, "config", "", "JSON `FILE` with options of the tools")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.Usage()
		return o, err
	}
	if err != nil {
		return o, fmt.Errorf("%w (see -help)", err)
	}
	if err := o.check(strings.Join(flags.Args(), " ")); err != nil {
		return o, err
	}
	if file != "" {
		if o.config, err = config.Load(file); err != nil {
			return o, err
		}
	}
	if o.config, err = config.FromEnv(o.config); err != nil {
		return o, err
	}
	if workspace != "" {
		o.config.Workspace = workspace
	}
	if sandbox != "" {
		o.config.Bash.Sandbox = sandbox
	}
	if o.config.Workspace == "" && (o.provider == "script" || o.provider == "anthropic") {
		o.config.Workspace, err = repository(".")
	}
	return o, err
}

// check refuses what the provider cannot do.
func (o *options) check(prompt string) error {
	switch o.provider {
	case "script", "repair", "serve":
		if prompt != "" {
			return errors.New("a scripted model knows one question: leave the prompt out, or use -provider anthropic")
		}
	case "anthropic":
		if os.Getenv("ANTHROPIC_API_KEY") == "" {
			return errors.New("ANTHROPIC_API_KEY is not set: set it to a key of the API, or leave -provider out for the scripted model")
		}
		if o.prompt = prompt; prompt == "" {
			o.prompt = surveyPrompt
		}
	default:
		return fmt.Errorf("-provider %q is not known: use script, repair, serve or anthropic", o.provider)
	}
	return nil
}

// repository is the nearest directory from dir upwards with a .git, or dir.
func repository(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			return up, nil
		}
		if up == filepath.Dir(up) {
			return dir, nil
		}
	}
}
