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
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
)

// maxArguments is the number of bytes of a value that is read, or of a line with a call:
// tools refuse more.
const maxArguments = 16_000_000

// callCommand is spillway call.
func callCommand(flags *flag.FlagSet) runner {
	var opts options
	opts.define(flags)
	opts.defineRecord(flags)
	asJSON := flags.Bool("json", false, "print a line of JSON for each call: text, isError, code, images and details")
	return func(args []string, out io.Writer) error {
		suite, err := opts.suite(askerFor(args))
		if err != nil {
			return err
		}
		defer suite.Close()
		// Before signals are watched, as they end the program while nothing comes from a
		// file or stdin.
		var object json.RawMessage
		if len(args) > 0 {
			if _, err := chosen(suite.Tools(), args[:1]); err != nil {
				return err
			}
			if object, err = arguments(args[0], args[1:], os.Stdin); err != nil {
				return err
			}
		}
		ctx, stop := untilSignal()
		defer stop()
		c := &caller{suite: suite, json: *asJSON, out: out}
		if len(args) > 0 {
			err = c.call(ctx, args[0], object)
		} else {
			err = c.lines(ctx, os.Stdin)
		}
		c.jobs(len(args) > 0)
		return errors.Join(err, suite.Close(), context.Cause(ctx))
	}
}

// askerFor asks about a call at the terminal, if that has nothing else to read: the calls, or a value.
func askerFor(args []string) asker {
	if len(args) == 0 || !isTerminal(os.Stdin) || slices.ContainsFunc(args[1:], func(arg string) bool {
		return arg == "@-" || strings.HasSuffix(arg, "=@-")
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
}

// call makes a call, and prints what a model would see of it.
func (c *caller) call(ctx context.Context, tool string, args json.RawMessage) error {
	res, err := c.suite.Call(ctx, tool, args)
	if err != nil && ctx.Err() == nil {
		return err
	}
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
	out := jsonResult{Text: r.Text, IsError: r.IsError, Code: r.Code, Details: r.Details}
	for _, i := range r.Images {
		out.Images = append(out.Images, jsonImage(i))
	}
	return out
}

// lines makes the calls that a reader has, each a line with a tool and its arguments in JSON. Where
// nobody types them, it repeats the line before the result.
func (c *caller) lines(ctx context.Context, in *os.File) error {
	typed := isTerminal(in)
	if typed {
		fmt.Fprintln(os.Stderr, `One call a line, such as: grep {"pattern": "TODO"}. Ctrl-D ends.`)
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
		tool, args, _ := strings.Cut(line, " ")
		switch err := c.call(ctx, tool, json.RawMessage(args)); {
		case errors.Is(err, errSaid):
			failed = err
		case err != nil:
			return err
		}
	}
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

// arguments makes a JSON object of what follows a tool's name.
func arguments(tool string, args []string, stdin io.Reader) (json.RawMessage, error) {
	read := reader{stdin: stdin}
	if len(args) == 1 && (strings.HasPrefix(strings.TrimSpace(args[0]), "{") || strings.HasPrefix(args[0], "@")) {
		text, err := read.value(args[0])
		if err != nil {
			return nil, err
		}
		return jsonObject(tool, text)
	}
	object := map[string]any{}
	for _, arg := range args {
		key, text, ok := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "-") && !ok:
			return nil, usage("flags go before the tool: spillway call %s %s", arg, tool)
		case !ok || key == "":
			return nil, usage("%q is neither KEY=VALUE nor a JSON object (spillway tools %s lists the keys)", arg, tool)
		}
		value, err := read.value(text)
		if err != nil {
			return nil, err
		}
		if !utf8.ValidString(value) || !utf8.ValidString(key) {
			return nil, usage(`%q is not valid UTF-8. A file name that is not is written in C quotes, such as "a\377b"`, key)
		}
		switch before := object[key].(type) {
		case nil:
			object[key] = value
		case string:
			object[key] = []string{before, value}
		case []string:
			object[key] = append(before, value)
		}
	}
	return json.Marshal(object)
}

// jsonObject is the arguments that a text holds. The tool says what else is wrong with them, and
// that they are too large: then their end is missing here.
func jsonObject(tool, text string) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &object)
	if err == nil || len(text) > maxArguments || strings.TrimSpace(text) == "" {
		return json.RawMessage(text), nil
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return nil, usage("the arguments of %s must be one JSON object, but at byte %d: %w", tool, syntax.Offset, err)
	}
	return nil, usage(`the arguments of %s must be one JSON object, such as {"path": "go.mod"}`, tool)
}

// reader reads values that are not on the command line.
type reader struct {
	stdin io.Reader
	used  bool // stdin was read
}

// value is what is written on the command line: a text, @FILE, @- for stdin, or @@ and a
// text that begins with @.
func (r *reader) value(text string) (string, error) {
	name, from := strings.CutPrefix(text, "@")
	if !from || strings.HasPrefix(name, "@") {
		return name, nil
	}
	in := r.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", refused{err}
		}
		defer file.Close()
		in = file
	} else if r.used {
		return "", usage("stdin is there for one value only")
	} else {
		r.used = true
	}
	data, err := io.ReadAll(io.LimitReader(in, maxArguments+1)) // one more is too many, as the tool says
	if err != nil {
		return "", refused{fmt.Errorf("reading %s: %w", text, err)}
	}
	return string(data), nil
}
