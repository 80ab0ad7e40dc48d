package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
)

// partialName is the argument with which a call takes what fits. It is the script's own: no tool sees it, unless it has
// one of that name.
const partialName = "partial"

// make makes a call.
func (r *run) make(ctx context.Context, q request) answer {
	a := answer{request: q}
	raw, err := r.arguments(&a)
	if err == nil {
		a.args = string(raw)
		a.result, err = r.view.Call(ctx, q.tool, raw)
	}
	if err != nil && !a.result.IsError {
		a.result = failed(failureOf(err))
	}
	return a
}

func failureOf(err error) *tools.Error {
	if e, ok := errors.AsType[*tools.Error](err); ok {
		return e
	}
	return &tools.Error{Code: tools.CodeAborted, Message: err.Error(), Err: err}
}

// arguments returns those of the tool of a call, and notes whether the call takes what fits.
func (r *run) arguments(a *answer) (json.RawMessage, error) {
	raw := json.RawMessage(a.args)
	var object map[string]json.RawMessage
	if !strings.Contains(a.args, `"`+partialName+`"`) || json.Unmarshal(raw, &object) != nil || object[partialName] == nil {
		return raw, nil
	}
	for _, t := range r.view.Tools() {
		if t.Name() == a.tool && slices.ContainsFunc(propertiesOf(t.Schema()), func(p property) bool { return p.name == partialName }) {
			return raw, nil
		}
	}
	switch value := object[partialName]; string(value) {
	case "true", `"true"`:
		a.partial = true
	case "false", `"false"`, "null":
	default:
		return nil, &tools.Error{Code: tools.CodeInvalidInput, Message: "partial must be true or false, but it is " + quote.Short(string(value), maxLine)}
	}
	delete(object, partialName)
	return json.Marshal(object)
}

// lack returns the error of a call whose result is not whole, although nothing in its arguments asked for a part; nil if
// there is none.
func (r *run) lack(a *answer) *tools.Error {
	most, said := inShort(r.options.MaxBytes), ""
	switch d := a.result.Details.(type) {
	case tools.ReadResult:
		said = lackOfRead(d, most)
	case tools.BashResult:
		said = lackOfOutput("The command has run", d.Shown, d.FullOutputPath, d.FullStderrPath, d.SpillError)
	case tools.JobResult:
		said = lackOfOutput("The job's output", d.Shown, d.OutputPath, "", "")
	case tools.GrepResult:
		said = lackOfList("matches", d.Matches, d.NextOffset, d.Shown, most)
	case tools.FindResult:
		said = lackOfList("results", len(d.Entries), d.NextOffset, d.Shown, most)
	case tools.LsResult:
		said = lackOfList("entries", len(d.Names), d.NextOffset, d.Shown, most)
	case tools.TruncatedDetails:
		if said = lackOfOutput("The call was made", d.Shown, d.FullOutputPath, "", d.SpillError); said == "" && isCut(d) {
			said = "the result is not whole, as its text says. Ask for less"
		}
	}
	if said == "" || a.partial || asksForPart(a.tool, a.args) {
		return nil
	}
	return &tools.Error{Code: tools.CodeTooLarge, Message: said + ". Calls with partial: true return what fits"}
}

func lackOfRead(d tools.ReadResult, most string) string {
	switch {
	case !d.Truncated:
		return ""
	case len(d.Files) > 0:
		return fmt.Sprintf("the files do not fit into the %s of a result. e.details.files has what does. "+
			"Read them one by one", most)
	case d.NextColumn > 0:
		return fmt.Sprintf("line %d is over the %s of a result. Read it in pieces, from "+
			"offset: %[1]d, column: %[3]d on, with nextColumn", d.NextOffset, most, d.NextColumn)
	case d.TotalLines > 0 && d.NextOffset > 0:
		return fmt.Sprintf("%d lines of %d fit into the %s of a result. e.details.text has them. "+
			"Go on with offset: %d, perhaps with a limit", d.NextOffset-1, d.TotalLines, most, d.NextOffset)
	}
	return fmt.Sprintf("the file does not fit into the %s of a result. e.details.text has what does. "+
		"Read parts, with offset and limit", most)
}

func lackOfList(what string, shown, next int, d tools.Shown, most string) string {
	switch {
	case !d.More:
		return ""
	case next == 0:
		return "some lines are too long, and cut (see cut of each). Read these lines, with offset and limit"
	}
	return fmt.Sprintf("there are more than the %d %s that a result of at most %s and %d %[2]s has. e.details has these. "+
		"Narrow the call, or go on with offset: %[5]d, perhaps with a limit", shown, what, most, maxResults, next)
}

func lackOfOutput(done string, d tools.Shown, path, stderr, lost string) string {
	if !d.Truncated {
		return ""
	}
	whole := done + ", and all of it is in " + path
	switch {
	case path != "" && stderr != "":
		whole += " and, of stderr, " + stderr
	case path == "" && stderr != "":
		whole += stderr
	case path == "":
		return fmt.Sprintf("%s is more than fits into a result. e.details.text has what does. %s, but not all is kept: %s",
			size.Format(int64(d.OriginalLength)), done, lost)
	}
	return fmt.Sprintf("%s is more than fits into a result. e.details.text has what does. %s: read or grep that",
		size.Format(int64(d.OriginalLength)), whole)
}

// isCut reports whether there is more than the result of an added tool has. One of a suite elsewhere says so of its own.
func isCut(d tools.TruncatedDetails) bool {
	far, _ := d.Details.(map[string]any)
	return d.More || far["truncated"] == true || far["more"] == true
}

// asksForPart reports whether the arguments of a call of a tool ask for a part of what there is, by whatever names the
// tool takes.
func asksForPart(tool, raw string) bool {
	var given struct{ Offset json.RawMessage }
	if json.Unmarshal([]byte(raw), &given) == nil && given.Offset != nil && !bytes.Equal(given.Offset, []byte("null")) {
		return true // 0 as well, which begins a loop
	}
	switch tool {
	case "read":
		p := decoded[tools.ReadParams](tool, raw)
		return p.Offset != 0 || p.Limit != 0 || p.Column != 0 || p.Show == "digest"
	case "bash":
		p := decoded[tools.BashParams](tool, raw)
		return p.Show != "" || p.ReadyWhen != ""
	case "grep":
		p := decoded[tools.GrepParams](tool, raw)
		return p.Limit != 0 || p.Offset != 0
	case "find":
		p := decoded[tools.FindParams](tool, raw)
		return p.Limit != 0 || p.Offset != 0
	case "ls":
		p := decoded[tools.LsParams](tool, raw)
		return p.Limit != 0 || p.Offset != 0
	case "job":
		return decoded[tools.JobParams](tool, raw).Until != ""
	}
	return false
}

// decoded returns the arguments of a call as its tool took them.
func decoded[P any](tool, raw string) (p P) {
	_, _ = args.Decode(tool, json.RawMessage(raw), &p, true) // the call has shown that they can be decoded
	return p
}
