package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
)

// maxArguments is the number of bytes of a value that is read, or of a line with a call:
// tools refuse more.
const maxArguments = 16_000_000

// callCommand is spillway call.
func callCommand(flags *flag.FlagSet) runner { return callsOf(flags, defineScript(flags)) }

// callsOf makes the calls of a command line. withScript says whether the suite has the tool script.
func callsOf(flags *flag.FlagSet, withScript *bool) runner {
	var opts options
	opts.define(flags)
	opts.defineRecord(flags)
	opts.defineFilter(flags)
	opts.defineCheckpoint(flags) // tools/checkpoint
	asJSON := flags.Bool("json", false, "print a line of JSON for each call: text, isError, code, images and details")
	return func(args []string, out io.Writer) error {
		cfg, err := opts.config()
		if err != nil {
			return err
		}
		opts.filtered(&cfg)
		closeRecord, err := opts.openRecord(&cfg)
		if err != nil {
			return err
		}
		defer closeRecord()
		suite, err := newSuite(cfg, askerFor(args), opts.parts...)
		if err != nil {
			return err
		}
		defer suite.Close()
		if err := addScript(suite, cfg, *withScript || len(args) > 0 && args[0] == script.Name); err != nil {
			return err
		}
		// Before signals are watched, as they end the program while nothing comes from a
		// file or stdin.
		var object json.RawMessage
		var list []tools.Tool
		if len(args) > 0 {
			list, err = chosen(suite.Tools(), args[:1])
			if err != nil {
				return err
			}
			if object, err = argumentsFor(list[0], args[1:], os.Stdin); err != nil {
				return err
			}
		}
		ctx, stop := untilSignal()
		defer stop()
		c := &caller{suite: suite, json: *asJSON, out: out}
		if len(args) > 0 {
			err = c.call(ctx, args[0], object)
			if hint := taken(list[0], args[1:]); c.code == tools.CodeInvalidInput && hint != "" {
				fmt.Fprintln(os.Stderr, "spillway:", hint)
			}
		} else {
			err = c.lines(ctx, os.Stdin)
		}
		c.jobs(len(args) > 0)
		return errors.Join(err, suite.Close(), closeRecord(), context.Cause(ctx))
	}
}

// askerFor asks about a call at the terminal, if that has nothing else to read: the calls, or a value.
func askerFor(args []string) asker {
	if len(args) == 0 || !isTerminal(os.Stdin) || slices.ContainsFunc(args[1:], func(arg string) bool {
		return arg == fromStdin || strings.HasSuffix(arg, "="+fromStdin)
	}) {
		return unasked
	}
	at := sync.OnceValue(func() *question.Terminal {
		return question.NewTerminal(os.Stdin, os.Stderr, isTerminal(os.Stderr) && os.Getenv("NO_COLOR") == "")
	})
	return func(ctx context.Context, call config.Call) (config.Answer, error) { return at().Ask(ctx, call) }
}

// isTerminal reports whether somebody may sit there.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	null, missing := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && (missing != nil || !os.SameFile(info, null))
}

// caller makes calls and prints their results.
type caller struct {
	suite *tools.Suite
	json  bool
	out   io.Writer
	code  tools.Code // of the last result
}

// call makes a call, and prints what a model would see of it.
func (c *caller) call(ctx context.Context, tool string, args json.RawMessage) error {
	res, err := c.suite.Call(ctx, tool, args)
	if err != nil && ctx.Err() == nil {
		return err
	}
	return c.print(res)
}

// print prints a result.
func (c *caller) print(res tools.Result) (err error) {
	c.code = res.Code
	if c.json {
		err = json.NewEncoder(c.out).Encode(inJSON(res))
	} else {
		_, err = fmt.Fprintln(c.out, strings.TrimSuffix(res.Text, "\n"))
		for _, image := range res.Images {
			fmt.Fprintf(os.Stderr, "spillway: a model is shown a picture, too: %s, %s\n",
				image.MIMEType, size.File(int64(len(image.Data))))
		}
	}
	if err == nil && res.IsError {
		err = errSaid
	}
	return err
}

// jsonResult is a result as -json prints it.
type jsonResult struct {
	Format  int         `json:"format"`
	Text    string      `json:"text"`
	IsError bool        `json:"isError"`
	Code    tools.Code  `json:"code,omitempty"`
	Images  []jsonImage `json:"images,omitempty"`
	Details any         `json:"details,omitempty"`
}

type jsonImage struct {
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

func inJSON(r tools.Result) jsonResult {
	out := jsonResult{Format: jsonFormat, Text: r.Text, IsError: r.IsError, Code: r.Code, Details: r.Details}
	if r.Code != "" {
		out.Details = withoutError(r.Details)
	}
	for _, i := range r.Images {
		out.Images = append(out.Images, jsonImage(i))
	}
	return out
}

// withoutError leaves out of the details of a failed call what code and text say already; nil if that is all.
func withoutError(details any) any {
	text, err := json.Marshal(details)
	if err != nil {
		return details
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return details
	}
	delete(fields, "error")
	delete(fields, "message")
	if len(fields) == 0 {
		return nil
	}
	return fields
}

// lines makes the calls that a reader has, each a line with a tool and its arguments, in JSON or as words. Where
// nobody types them, it repeats the line before the result.
func (c *caller) lines(ctx context.Context, in *os.File) error {
	typed := isTerminal(in)
	if typed {
		fmt.Fprintln(os.Stderr, `One call a line, such as: grep TODO path=src. Ctrl-D ends.`)
	}
	next, failed := make(chan string), error(nil)
	var broken error
	go func() { // reading does not end with ctx
		defer close(next)
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxArguments)
		for lines.Scan() {
			next <- lines.Text()
		}
		broken = lines.Err()
	}()
	for n := 0; ; {
		var line string
		var more bool
		select {
		case <-ctx.Done():
			return errSaid
		case line, more = <-next:
		}
		if !more {
			if broken != nil {
				return refused{fmt.Errorf("reading calls from stdin: %w", broken)}
			}
			return failed
		}
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		if !c.json && !typed {
			if n > 1 {
				fmt.Fprintln(c.out)
			}
			if _, err := fmt.Fprintln(c.out, line); err != nil {
				return err
			}
		}
		switch err := c.line(ctx, line); {
		case errors.Is(err, errSaid):
			failed = err
		case err != nil:
			return err
		}
	}
}

// line makes the call of a line. One that is not understood fails as a call, as each line has a result.
func (c *caller) line(ctx context.Context, line string) error {
	tool, rest, _ := strings.Cut(line, " ")
	args := json.RawMessage(rest)
	if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '{' {
		list, err := chosen(c.suite.Tools(), []string{tool})
		var words []string
		if err == nil {
			words, err = split(rest)
		}
		if err == nil {
			args, err = argumentsFor(list[0], words, nil)
		}
		if err != nil {
			wrong := &tools.Error{Code: tools.CodeInvalidInput, Message: err.Error()}
			return c.print(tools.Result{Text: wrong.Error(), IsError: true, Code: wrong.Code, Tool: tool})
		}
	}
	return c.call(ctx, tool, args)
}

// jobs says which jobs end now.
func (c *caller) jobs(alone bool) {
	for _, job := range c.suite.Jobs() {
		state := job.State()
		if !state.Running {
			continue
		}
		how := ""
		if alone {
			how = ". Calls on stdin, one a line, share their jobs: see spillway help call"
		}
		fmt.Fprintf(os.Stderr, "spillway: job %d ends with this program%s\n", state.Job, how)
	}
}
