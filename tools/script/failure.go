package script

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
	"modernc.org/quickjs"
)

// timeoutError says that the script took too long, waits included.
type timeoutError time.Duration

func (e timeoutError) Error() string {
	return fmt.Sprintf("the script was ended after %s", time.Duration(e))
}

// failure returns why the script failed, or nil. err is what ended it from outside, or what the engine says.
func (r *run) failure(ctx context.Context, err error) *tools.Error {
	var late timeoutError
	var thrown *quickjs.Error
	switch {
	case r.over != nil:
		return r.over
	case errors.As(err, &late):
		return &tools.Error{Code: tools.CodeTimeout, Message: late.Error() + ". Raise timeout_ms, or do less", Err: err}
	case ctx.Err() != nil:
		return &tools.Error{Code: tools.CodeAborted, Message: "the script was stopped", Err: ctx.Err()}
	case errors.Is(err, errCPU):
		return &tools.Error{Code: tools.CodeTimeout, Message: fmt.Sprintf("the script computed for %s, which is the most. "+
			"Look for a loop that does not end, or let bash compute", r.options.MaxCPU), Err: err}
	case errors.As(err, &thrown) && thrown.Name == "SyntaxError" && r.calls == 0:
		return r.at(lineOf(fmt.Sprintf(" at <input>:%d:%d", thrown.LineNumber, thrown.ColumnNumber)), thrown.ColumnNumber,
			tools.CodeInvalidInput, "SyntaxError: "+thrown.Message+". Nothing was run")
	case errors.As(err, &thrown):
		return r.exception(thrown.Name, thrown.Message, thrown.Stack, "")
	case err != nil:
		return &tools.Error{Code: tools.CodeInternal, Message: err.Error(), Err: err}
	case r.thrown != nil:
		return r.thrown
	case r.finished == "":
		return &tools.Error{Code: tools.CodeInvalidInput, Message: fmt.Sprintf("the script waits for a promise that nothing "+
			"settles, or needs more than %s of memory. Await calls of tools alone; there are no timers",
			size.Format(r.options.MaxMemory))}
	}
	return nil
}

// frame is where the script stands in a line of a stack. The engine puts two lines before the code.
var frame = regexp.MustCompile(`<input>:(\d+):(\d+)`)

const linesBefore = 2

// lineOf returns the innermost line of the script in a stack, from 1, or 0.
func lineOf(stack string) int {
	line, _ := positionOf(stack)
	return line
}

func positionOf(stack string) (line, column int) {
	m := frame.FindStringSubmatch(stack)
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

// exception returns the error for what the script threw. code is that of a call that failed, or "".
func (r *run) exception(name, message, stack string, code tools.Code) *tools.Error {
	line, column := positionOf(stack)
	switch {
	case code != "":
		message = strings.TrimPrefix(message, string(code)+": ")
	case name == "InternalError" && strings.Contains(message, "out of memory"),
		name == "Error" && message == "null" && stack == "": // there is no memory for more than null then
		code, message = tools.CodeTooLarge, fmt.Sprintf("the script needs more than %s of memory, or threw null. Read less at a "+
			"time, or let bash do it", size.Format(r.options.MaxMemory))
	case name == "InternalError" && strings.Contains(message, "stack overflow"):
		code, message = tools.CodeTooLarge, "the calls of functions are nested too deeply. Use a loop"
	case name+message == "":
		code, message = tools.CodeInvalidInput, "what the script threw cannot be read"
	default:
		code, message = tools.CodeInvalidInput, strings.TrimPrefix(name+": "+message, ": ")
	}
	return r.at(line, column, code, message)
}

// at returns an error with the line of the code where it happened.
func (r *run) at(line, column int, code tools.Code, message string) *tools.Error {
	if text := lineIn(r.code, line); text != "" {
		message = fmt.Sprintf("line %d, column %d (%s): %s", line, column, text, message)
	}
	return &tools.Error{Code: code, Message: message}
}
