// Package script is a tool that runs JavaScript which calls the tools of a suite. What they return stays in the script:
// a model pays for what the script prints and returns, and for nothing in between.
//
//	tool, err := script.New(suite, script.Options{})
//	err = suite.Add(tool)
//
// A call in a script is a call of the suite, or of the view that runs the script: rules, guard, redaction, sandbox and
// record hold for it as for any other. Only its limits are those of the script, and what a script reads does not count
// as shown to the model.
//
// The engine is QuickJS-NG as Go code, in internal/quickjs. It ends anywhere when its time is over or its context ends, and
// its memory has a limit. A program that does not import this package has none of it.
package script

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
)

// Name is the name of the tool.
const Name = "script"

// Options are the limits of a script. Zero fields are the defaults.
type Options struct {
	Parallel    int           // calls that run at once; 0 is 8
	MaxCalls    int           // calls of one script; 0 is 1000
	MaxBytes    int           // bytes of the text of one call's result; 0 is 1 MiB, the floor is 1024
	MaxAllBytes int64         // bytes of the results of all calls together; 0 is 64 MiB, the floor is 1024
	MaxMemory   int64         // bytes that the engine holds besides 1 MiB for calls; 0 is 64 MiB, the floor is 1 MiB
	MaxCPU      time.Duration // that the script computes itself; 0 is 10 s
	Timeout     time.Duration // of a script for which a call names none; 0 is 2 minutes
	MaxTimeout  time.Duration // the most that a call may name; 0 is 10 minutes

	// Strategy says which part is shown of what is printed and returned, if that is over the limits of the suite; ""
	// is truncation.Tail. JSON is cut as JSON, and a failure keeps both ends.
	Strategy truncation.Strategy
}

// filled returns the options with their defaults.
func (o Options) filled() (Options, error) {
	for _, limit := range []struct {
		name         string
		value, floor int64
	}{
		{"Parallel", int64(o.Parallel), 1}, {"MaxCalls", int64(o.MaxCalls), 1}, {"MaxBytes", int64(o.MaxBytes), 1024},
		{"MaxAllBytes", o.MaxAllBytes, 1024}, {"MaxMemory", o.MaxMemory, 1 << 20}, {"MaxCPU", int64(o.MaxCPU), 1},
		{"Timeout", int64(o.Timeout), 1}, {"MaxTimeout", int64(o.MaxTimeout), 1},
	} {
		if limit.value != 0 && limit.value < limit.floor {
			return o, fmt.Errorf("script: Options.%s is %d, but must be 0 or at least %d", limit.name, limit.value, limit.floor)
		}
	}
	o.Parallel = cmp.Or(o.Parallel, 8)
	o.MaxCalls = cmp.Or(o.MaxCalls, 1000)
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<20)
	o.MaxAllBytes = cmp.Or(o.MaxAllBytes, 64<<20)
	o.MaxMemory = cmp.Or(o.MaxMemory, 64<<20)
	o.MaxCPU = cmp.Or(o.MaxCPU, 10*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 2*time.Minute)
	o.Strategy = cmp.Or(o.Strategy, truncation.Tail)
	o.MaxTimeout = max(cmp.Or(o.MaxTimeout, 10*time.Minute), o.Timeout)
	return o, nil
}

// New returns a tool that runs scripts, for [tools.Suite.Add]. Its description names the tools that the suite has now,
// so add it last. A script calls the tools of the suite or view that runs it, but no script. The error names an option
// that is refused.
func New(suite *tools.Suite, o Options) (tools.Tool, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if err := (truncation.Policy{Strategy: o.Strategy}).Check(); err != nil {
		return nil, fmt.Errorf("script: Options.Strategy: %w", err)
	}
	return &tool{suite: suite, options: o, description: describe(suite.Tools(), o)}, nil
}

// params are the arguments of the tool.
type params struct {
	Code      string `json:"code" jsonschema:"the body of an async function in JavaScript" arg:"text"`
	TimeoutMs int    `json:"timeout_ms,omitempty" jsonschema:"time limit in milliseconds, {timeout} if it is left out, at most {most}"`
}

// maxCode is how many bytes the code of a script may have.
const maxCode = 256 << 10

type tool struct {
	suite       *tools.Suite
	options     Options
	description string
	scripts     atomic.Int64
}

func (t *tool) Name() string { return Name }

func (t *tool) Description() string { return t.description }

func (t *tool) Schema() json.RawMessage {
	return args.Schema(reflect.TypeFor[params](), strings.NewReplacer(
		"{timeout}", fmt.Sprint(t.options.Timeout.Milliseconds()), "{most}", fmt.Sprint(t.options.MaxTimeout.Milliseconds()),
	).Replace)
}

// Strategy says which part of a result is kept.
func (t *tool) Strategy(res tools.Result) truncation.Strategy {
	if res.IsError {
		return truncation.MiddleLines // the error is at the beginning, and at the end what was done
	}
	if d, ok := res.Details.(Details); ok && d.JSON {
		return truncation.JSON
	}
	return t.options.Strategy
}

// Notice says what the searches of a script left out.
func (t *tool) Notice(res tools.Result) string {
	d, _ := res.Details.(Details)
	return d.Skipped
}

// Effects says that the tool does nothing itself: each call in a script is judged on its own.
func (t *tool) Effects() config.Effects { return config.Effects{} }

// Call runs a script. It returns within a second of the end of ctx.
func (t *tool) Call(ctx context.Context, raw json.RawMessage) (tools.Result, error) {
	var p params
	missing, bad := args.Decode(Name, raw, &p, false)
	switch most := t.options.MaxTimeout; {
	case bad != nil:
		return refused(bad.Error()), nil
	case len(missing) > 0:
		return refused("code is required: the body of an async function in JavaScript"), nil
	case len(p.Code) > maxCode:
		return refused(fmt.Sprintf("code has %d bytes, over the limit of %d. Pass data in files, and read them in the script",
			len(p.Code), maxCode)), nil
	case p.TimeoutMs < 0 || int64(p.TimeoutMs) > most.Milliseconds(): // before it is a duration, which could overflow
		return refused(fmt.Sprintf("timeout_ms is %d, but must be between 1 and %d", p.TimeoutMs, most.Milliseconds())), nil
	}
	late := atTimeout(ctx, cmp.Or(time.Duration(p.TimeoutMs)*time.Millisecond, t.options.Timeout))
	suite := cmp.Or(tools.CallingSuite(ctx), t.suite)
	view, err := suite.With(tools.View{
		MaxLines: t.options.MaxBytes, MaxBytes: t.options.MaxBytes, MaxResults: maxResults, Apart: true,
	})
	if err != nil {
		return tools.Result{}, err
	}
	defer view.Close()
	limited, cancel := context.WithTimeoutCause(tools.WithAnswerBy(ctx, time.Time{}), late.after, late)
	defer cancel()
	name := fmt.Sprintf("script-%d", t.scripts.Add(1)) // what it reads of jobs is new to it alone
	defer view.Forget(name)
	r := &run{options: t.options, view: view, code: unfenced(p.Code)}
	return r.script(tools.WithConversation(limited, name)), nil
}

// maxResults is how many matches, results or entries a call in a script has if it gives no limit.
const maxResults = 100_000

// refused returns the result of a call that ran nothing.
func refused(why string) tools.Result {
	return failed(&tools.Error{Code: tools.CodeInvalidInput, Message: why})
}

// failed returns the result of a script that failed.
func failed(e *tools.Error) tools.Result {
	return tools.Result{Text: e.Error(), IsError: true, Code: e.Code, Details: e}
}
