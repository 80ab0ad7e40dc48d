package loop

import (
	"cmp"
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

	"golang.org/x/term"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/checkpoint"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/tools/script"
)

// The exit codes.
const (
	ExitFailure     = 1
	ExitUsage       = 2
	ExitInterrupted = 130 // as a shell says it of SIGINT
)

// Task is what a command line asks for.
type Task struct {
	Config config.Config // of the tools
	Prompt string
	Record string // the file to which calls are appended; "" records nothing
	Script bool   // there is the tool script
	Model  func(*tools.Suite) Provider
	// Workspace makes the directory that the tools work in where Config names none; it is
	// removed at the end. Nil is the repository around the current directory.
	Workspace func() (string, error)
	Context   int // tokens that the model has room for; 0 is DefaultContext
	// Rules are those of the tools where Config has none.
	Rules config.Rules
	// Chat goes on after an answer with what the user types, if somebody does.
	Chat bool
	// Typed is what somebody types. Nil is stdin, if that is a terminal.
	Typed io.Reader
}

// Main is an agent's program: parse makes a task of its arguments, and writes help to
// stderr.
func Main(parse func(args []string, stderr io.Writer) (Task, error)) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(Run(ctx, parse, os.Args[1:], os.Stdout, os.Stderr))
}

// Run is Main within a program. It returns the exit code.
func Run(ctx context.Context, parse func([]string, io.Writer) (Task, error), args []string, stdout, stderr io.Writer) int {
	task, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	code := ExitUsage
	if err == nil {
		code, err = converse(ctx, task, newTranscript(stdout))
	}
	if err != nil {
		fmt.Fprintln(stderr, "agent:", strings.ReplaceAll(err.Error(), "\n", "\nagent: "))
	}
	return code
}

// converse is the conversation, from the prompt to the summary.
func converse(ctx context.Context, task Task, out *transcript) (int, error) {
	user := typist(task.Typed, out)
	task.Chat = task.Chat && user != nil
	remove, err := task.place(out)
	defer remove()
	if err != nil {
		return ExitFailure, err
	}
	if !ruled(task.Config.Rules) {
		task.Config.Rules = task.Rules
	}
	if ruled(task.Config.Rules) {
		task.Config.Ask = asker(user)
	}
	parts, points := all.Parts(), (*checkpoint.Checkpoints)(nil)
	if task.Chat {
		points = checkpoint.New()
		parts = append(parts, points.Part())
	}
	closeRecord, err := task.observe(out, parts)
	if err != nil {
		return ExitUsage, err
	}
	defer closeRecord()
	suite, err := tools.New(task.Config, parts...)
	if err != nil {
		return ExitUsage, err
	}
	defer suite.Close() // ends what commands left running
	if task.Script {
		tool, err := script.New(suite, script.Options{Strategy: task.Config.Bash.Strategy})
		if err := cmp.Or(err, suite.Add(tool)); err != nil {
			return ExitFailure, err
		}
	}

	a := agent{model: task.Model(suite), suite: suite, out: out, mind: newMemory(suite, task.Context)}
	out.prompt(task.Prompt)
	if task.Chat {
		a.user, a.points = user, points
		err = a.chat(ctx, task.Prompt)
	} else {
		err = a.run(ctx, task.Prompt)
	}
	out.summary(suite, a.mind)
	err = errors.Join(err, suite.Close(), closeRecord()) // which says if calls are missing in the record
	switch {
	case ctx.Err() != nil:
		return ExitInterrupted, errors.New("interrupted")
	case err != nil:
		return ExitFailure, err
	}
	return 0, nil
}

// place finds or makes the workspace, and with one that it makes a place for its checkpoints. remove removes what it has
// made.
func (t *Task) place(out *transcript) (remove func(), err error) {
	var made []string
	remove = func() {
		for _, dir := range made {
			_ = os.RemoveAll(dir)
		}
	}
	switch {
	case t.Config.Workspace != "":
		return remove, nil
	case t.Workspace == nil:
		t.Config.Workspace, err = repository(".")
		return remove, err
	}
	if t.Config.Workspace, err = t.Workspace(); err != nil {
		return remove, err
	}
	made, out.passing = append(made, t.Config.Workspace), true
	if t.Chat && t.Config.Checkpoint.Dir == "" {
		t.Config.Checkpoint.Dir, err = os.MkdirTemp("", "spillway-agent-")
		made = append(made, t.Config.Checkpoint.Dir)
	}
	return remove, err
}

// observe has the suite observed by the transcript, and by the record if there is one, which is to be closed after it.
func (t *Task) observe(out *transcript, parts []tools.Part) (closeRecord func() error, err error) {
	t.Config.Observe = out.observe
	if t.Record == "" {
		return func() error { return nil }, nil
	}
	rec, err := record.Open(t.Record, t.Config, parts...)
	if err != nil {
		return nil, err
	}
	t.Config.Observe = func(ctx context.Context, e config.Event) {
		rec.Observe(ctx, e)
		out.observe(ctx, e)
	}
	return rec.Close, nil
}

// ruled reports whether there are rules, without which nothing is asked about.
func ruled(r config.Rules) bool { return len(r.Allow)+len(r.Ask)+len(r.Deny) > 0 }

// typist is whoever types between the lines of the transcript; nil if that is nobody.
func typist(typed io.Reader, out *transcript) *question.Terminal {
	if typed == nil && out.terminal && term.IsTerminal(int(os.Stdin.Fd())) {
		typed = os.Stdin
	}
	if typed == nil {
		return nil
	}
	return question.NewTerminal(typed, out.out, out.color)
}

// asker asks the user about calls. Where that is nobody, it refuses them.
func asker(user *question.Terminal) func(context.Context, config.Call) (config.Answer, error) {
	if user == nil {
		return func(_ context.Context, call config.Call) (config.Answer, error) {
			return config.Answer{}, question.Refusal(call, "nobody can be asked here")
		}
	}
	return user.Ask
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

// Flags are those that every agent takes, -workspace, -config, -sandbox, -context, -record, -script, -chat, -allow,
// -ask and -deny, beside its own.
type Flags struct {
	*flag.FlagSet
	workspace, file, sandbox string
	rules                    [][3]string // option, value and flag

	Context int    // for the Task; 0 if it was not given
	Record  string // for the Task: from the flag, or from SPILLWAY_RECORD
	Script  bool   // for the Task
	Chat    bool   // for the Task
}

// NewFlags returns the common flags.
func NewFlags() *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet("agent", flag.ContinueOnError), Record: os.Getenv("SPILLWAY_RECORD")}
	f.SetOutput(io.Discard) // it would print the whole usage after an error
	f.StringVar(&f.workspace, "workspace", "", "`DIR` that the tools work in; default the repository around the current directory")
	f.StringVar(&f.sandbox, "sandbox", "", "`ENGINE` that confines commands: auto, landlock or bwrap")
	f.IntVar(&f.Context, "context", 0, "`TOKENS` that the model has room for; when half is used, old results are shelved")
	f.Func("record", "append every call, with its arguments and its text, to `FILE`", func(path string) (err error) {
		if f.Record = path; path != "" {
			f.Record, err = filepath.Abs(path)
		}
		return err
	})
	f.BoolVar(&f.Script, "script", false, "add the tool script, in which the model makes several calls in one, in JavaScript")
	f.BoolVar(&f.Chat, "chat", false, "go on with what you type after an answer; /rewind puts files and conversation back")
	f.StringVar(&f.file, "config", "", "JSON `FILE` with options of the tools")
	rule := func(name, option, usage string) {
		f.Func(name, usage, func(rule string) error {
			f.rules = append(f.rules, [3]string{option, rule, "-" + name})
			return nil
		})
	}
	rule("allow", "Rules.Allow", "make the calls of a `RULE`, as 'bash(git log *)', and ask about others that change or run something")
	rule("ask", "Rules.Ask", "ask about the calls of a `RULE`, even if -allow has them")
	rule("deny", "Rules.Deny", "refuse the calls of a `RULE`, as 'read(**/.env)', even if the others have them")
	return f
}

// Parse takes in the arguments and returns the prompt behind the flags. Help goes to stderr.
func (f *Flags) Parse(args []string, stderr io.Writer) (prompt string, err error) {
	err = f.FlagSet.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(stderr)
		f.Usage()
	} else if err != nil {
		err = fmt.Errorf("%w (see -help)", err)
	}
	return strings.Join(f.Args(), " "), err
}

// Config is the configuration that file, environment and flags make together.
func (f *Flags) Config() (c config.Config, err error) {
	if f.file != "" {
		if c, err = config.Load(f.file); err != nil {
			return c, err
		}
	}
	if c, err = config.FromEnv(c); err != nil {
		return c, err
	}
	if f.workspace != "" {
		c.Workspace = f.workspace
	}
	for _, rule := range f.rules {
		if c, err = c.Set(rule[0], "+"+rule[1], rule[2]); err != nil {
			return c, err
		}
	}
	if f.sandbox != "" {
		return c.Set("Bash.Sandbox", f.sandbox, "-sandbox")
	}
	return c, nil
}
