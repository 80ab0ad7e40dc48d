package script

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/quickjs"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
)

// timeoutError says that the script took too long, waits included.
type timeoutError struct {
	after  time.Duration
	advice string
}

// least is how long a script may take however soon its call must be answered.
const least = time.Second

// atTimeout returns the error of a script that takes as long as it may: its timeout, or until its call must be answered.
func atTimeout(ctx context.Context, timeout time.Duration) timeoutError {
	if by := tools.AnswerBy(ctx); !by.IsZero() {
		if left := max(least, time.Until(by).Round(least/10)); left < timeout {
			return timeoutError{left, "The client waits no longer. Do less at a time, and start what takes long as a job: " +
				"bash with background"}
		}
	}
	return timeoutError{timeout, "Raise timeout_ms, or do less"}
}

func (e timeoutError) Error() string {
	return fmt.Sprintf("the script was ended after %s. %s", e.after, e.advice)
}

// failure returns why the script failed, or nil. err is what ended it from outside, or what the engine says.
func (r *run) failure(ctx context.Context, err error, refused bool) *tools.Error {
	var late timeoutError
	var thrown *quickjs.Thrown
	switch {
	case r.over != nil:
		return r.over
	case errors.As(err, &late):
		return &tools.Error{Code: tools.CodeTimeout, Message: late.Error(), Err: err}
	case ctx.Err() != nil:
		return &tools.Error{Code: tools.CodeAborted, Message: "the script was stopped", Err: ctx.Err()}
	case errors.Is(err, errCPU):
		return &tools.Error{Code: tools.CodeTimeout, Message: fmt.Sprintf("the script computed for %s, which is the most. "+
			"Look for a loop that does not end, or let bash compute", r.options.MaxCPU), Err: err}
	case errors.Is(err, quickjs.ErrMemory):
		return r.outOfMemory()
	case errors.Is(err, quickjs.ErrDepth):
		return &tools.Error{Code: tools.CodeTooLarge, Message: tooDeep, Err: err}
	case errors.As(err, &thrown) && thrown.Name == "SyntaxError" && r.calls == 0:
		line, column := positionOf(thrown.Stack)
		return r.at(line, column, tools.CodeInvalidInput, "SyntaxError: "+thrown.Message+". Nothing was run")
	case errors.As(err, &thrown):
		return r.exception(failure{name: thrown.Name, message: thrown.Message, stack: thrown.Stack}, refused)
	case err != nil:
		return &tools.Error{Code: tools.CodeInternal, Message: err.Error(), Err: err}
	case r.thrown != nil:
		return r.thrown
	case r.finished == "" && refused:
		return r.outOfMemory()
	case r.finished == "":
		return &tools.Error{Code: tools.CodeInvalidInput, Message: "the script waits for a promise that nothing settles. " +
			"Await calls of tools alone; there are no timers"}
	}
	return nil
}

// frame is where the script stands in a line of a stack. The engine puts two lines before the code.
var frame = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<input>:(\d+):(\d+)`) })

const linesBefore = 2

// lineOf returns the innermost line of the script in a stack, from 1, or 0.
func lineOf(stack string) int {
	line, _ := positionOf(stack)
	return line
}

func positionOf(stack string) (line, column int) {
	m := frame().FindStringSubmatch(stack)
	if m == nil {
		return 0, 0
	}
	line, _ = strconv.Atoi(m[1]) // no error: they are digits, too few to overflow
	column, _ = strconv.Atoi(m[2])
	return max(line-linesBefore, 1), column
}

// lineIn returns a line of the code, cut if it is long, or "".
func lineIn(code string, line int) string {
	for text := range strings.Lines(code) {
		if line--; line == 0 {
			return quote.Short(quote.Inline(strings.TrimSpace(text)), maxLine)
		}
	}
	return ""
}

// maxLine is how many characters of a line of code or of a command are shown.
const maxLine = 120

// exception returns the error for an error that the script threw.
func (r *run) exception(f failure, refused bool) *tools.Error {
	line, column := positionOf(f.stack)
	code, message := tools.CodeInvalidInput, f.String()
	switch {
	case f.code != "":
		code, message = tools.Code(f.code), strings.TrimPrefix(f.message, f.code+": ")
	case refused && f.name == "InternalError" && strings.Contains(f.message, "out of memory"):
		e := r.outOfMemory()
		code, message = e.Code, e.Message
	case f.name == "RangeError" && strings.Contains(f.message, "call stack size"):
		code, message = tools.CodeTooLarge, tooDeep
	}
	return r.at(line, column, code, message)
}

// threw returns the error for another value that the script threw. Without memory for an error, that is null.
func (r *run) threw(f failure, refused bool) *tools.Error {
	switch {
	case refused && (f.message == "null" || f.message == ""):
		return r.outOfMemory()
	case f.message == "":
		return &tools.Error{Code: tools.CodeInvalidInput, Message: "the script threw what cannot be shown"}
	}
	return &tools.Error{Code: tools.CodeInvalidInput, Message: "the script threw " + quote.Short(f.message, maxThrown)}
}

// maxThrown is how many characters of a value that was thrown are shown.
const maxThrown = 4000

const tooDeep = "the calls of functions are nested too deeply. Use a loop"

func (r *run) outOfMemory() *tools.Error {
	return &tools.Error{Code: tools.CodeTooLarge, Message: fmt.Sprintf("the script needs more than %s of memory. "+
		"Read less at a time, or let bash do it", size.Format(r.options.MaxMemory))}
}

// at returns an error with the line of the code where it happened.
func (r *run) at(line, column int, code tools.Code, message string) *tools.Error {
	if text := lineIn(r.code, line); text != "" {
		message = fmt.Sprintf("line %d, column %d (%s): %s", line, column, text, message)
	}
	return &tools.Error{Code: code, Message: message}
}

// failure is an error of JavaScript as the prelude tells it, or another value that was thrown.
type failure struct {
	name, message, stack string // only a message of what is no error
	code                 string // that of a call that failed, or ""
	id                   int    // that of the call
}

func (f failure) String() string {
	return strings.TrimPrefix(f.name+": "+f.message, ": ")
}
