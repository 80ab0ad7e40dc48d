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
		own := func(p property) bool { return p.name == partialName }
		if t.Name() == a.tool && slices.ContainsFunc(propertiesOf(t.Schema()), own) {
			return raw, nil
		}
	}
	switch value := object[partialName]; string(value) {
	case "true", `"true"`:
		a.partial = true
	case "false", `"false"`, "null":
	default:
		return nil, &tools.Error{
			Code: tools.CodeInvalidInput, Message: "partial must be true or false, but it is " + quote.Short(string(value), maxLine),
		}
	}
	delete(object, partialName)
	return json.Marshal(object)
}

// lack returns the error of a call whose result is not whole, although nothing in its arguments asked for a part; nil if
// there is none.
func (r *run) lack(a *answer) *tools.Error {
	most, said, part := inShort(r.options.MaxBytes), "", ""
	switch d := a.result.Details.(type) {
	case tools.ReadResult:
		said, part = lackOfRead(d, most), "offset, limit or "
	case tools.BashResult:
		said, part = lackOfOutput("The command has run", d.Shown, d.FullOutputPath, d.FullStderrPath, d.SpillError), "show or "
	case tools.JobResult:
		said, part = lackOfOutput("What was new has been read", d.Shown, d.OutputPath, "", ""), "until or "
	case tools.GrepResult:
		said, part = lackOfList("matches", d.NextOffset, d.Shown, most), "offset, limit or "
	case tools.FindResult:
		said, part = lackOfList("results", d.NextOffset, d.Shown, most), "offset, limit or "
	case tools.LsResult:
		said, part = lackOfList("entries", d.NextOffset, d.Shown, most), "offset, limit or "
	case tools.TruncatedDetails:
		if said = lackOfOutput("The call was made", d.Shown, d.FullOutputPath, "", d.SpillError); said == "" && isCut(d) {
			said = "the result is not whole, as its text says. Ask for less"
		}
	}
	if said == "" || a.partial || asksForPart(a.tool, a.args) {
		return nil
	}
	return &tools.Error{
		Code: tools.CodeTooLarge, Message: fmt.Sprintf("%s. A call with %spartial: true returns what fits", said, part),
	}
}

func lackOfRead(d tools.ReadResult, most string) string {
	switch {
	case !d.Truncated:
		return ""
	case len(d.Files) > 0:
		return fmt.Sprintf("the files do not fit into the %s of a result. e.details.files has what does. "+
			"Read them one by one", most)
	case d.NextColumn > 0:
		return fmt.Sprintf("line %d is over the %s of a result. Read it in pieces, from offset: %[1]d, column: %[3]d on, "+
			"with nextColumn", d.NextOffset, most, d.NextColumn)
	case d.TotalLines > 0 && d.NextOffset > 0:
		return fmt.Sprintf("%d lines of %d fit into the %s of a result. e.details has them. Go on with offset: %d",
			d.NextOffset-1, d.TotalLines, most, d.NextOffset)
	}
	return fmt.Sprintf("the file does not fit into the %s of a result. e.details has what does. "+
		"Read parts, with offset and limit", most)
}

func lackOfList(what string, next int, d tools.Shown, most string) string {
	switch {
	case !d.More:
		return ""
	case next == 0:
		return "some lines are too long, and cut (see cut of each). Read these lines, with offset and limit"
	}
	return fmt.Sprintf("there are more than the %d %s that fit into a result (at most %s, and %d %[2]s). e.details has "+
		"these. Narrow the call, or go on with offset: %[1]d", next, what, most, maxResults)
}

func lackOfOutput(done string, d tools.Shown, path, stderr, lost string) string {
	if !d.Truncated {
		return ""
	}
	said := fmt.Sprintf("%s is more than fits into a result. e.details has what does. %s, ",
		size.Format(int64(d.OriginalLength)), done)
	switch {
	case path != "" && stderr != "":
		return said + "and all of it is in " + path + " and, of stderr, " + stderr + ": read or grep these"
	case path+stderr != "":
		return said + "and all of it is in " + path + stderr + ": read or grep that"
	}
	return said + "but the rest is lost: " + lost
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
