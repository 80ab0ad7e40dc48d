package mcptools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/question"
)

const (
	askedLines = 40               // of a preview that a client's dialog shows
	patience   = 10 * time.Minute // for which a client may leave a question without an answer
)

// ErrNoElicitation is the error of [Ask] for a client that cannot ask its user.
var ErrNoElicitation = errors.New("mcptools: the client has no elicitation")

// Ask is a Config.Ask: it has the client that made the call ask its user, by elicitation with a form. The form shows why
// the question comes, the first 40 lines of the preview, and the choices: once, for the session with the rules that this
// adds, or no, with a reason that the model reads. Whatever is not one of these choices is a no, and so is no answer within ten
// minutes. "For the session" is until the suite is closed, for every client of its server.
//
// From protocol revision 2026-07-28, the client is asked by the result of its call, and sends the call again with the
// answer, which counts if the call would still do what was shown. Config.Observe is told of both calls; the first one is
// denied.
//
// The error is ErrNoElicitation if the client cannot be asked, and for calls that did not come through [Tool].
func Ask(ctx context.Context, call config.Call) (config.Answer, error) {
	a, _ := ctx.Value(askerKey{}).(*asker)
	if a == nil || !a.able() {
		return config.Answer{}, ErrNoElicitation
	}
	if call.Host != "" && a.version() >= sessionless {
		return config.Answer{}, ErrNoElicitation // the command runs: it cannot be repeated with an answer
	}
	form, state, err := a.form(ctx, call)
	if err != nil {
		return config.Answer{}, err // that of the call, which would fail
	}
	if a.version() >= sessionless {
		if a.req.Params.RequestState == state {
			if res, ok := a.req.Params.InputResponses[formID].(*mcp.ElicitResult); ok {
				return answerOf(res, call), nil
			}
		}
		a.pending = &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{formID: form}, RequestState: state}
		return config.Answer{}, errors.New("the client asks its user, and repeats the call with the answer")
	}
	waiting, cancel := context.WithTimeout(ctx, a.patience)
	defer cancel()
	res, err := a.req.Session.Elicit(waiting, form)
	switch {
	case err == nil:
		return answerOf(res, call), nil
	case ctx.Err() != nil:
		return config.Answer{}, ctx.Err()
	case waiting.Err() != nil:
		return config.Answer{}, fmt.Errorf("%s, and the user did not answer within %v", call.Why, a.patience)
	}
	return config.Answer{}, fmt.Errorf("%s, and the user could not be asked: %w", call.Why, err)
}

// Revisions of the protocol: from titledChoices on, choices have titles in oneOf, and in enumNames before; from sessionless
// on, a server asks in the result of a call, and there is no ping.
const (
	titledChoices = "2025-11-25"
	sessionless   = "2026-07-28"
)

// formID names the one question of a call.
const formID = "allow"

type askerKey struct{}

// asker is how Ask reaches the client of a call.
type asker struct {
	req      *mcp.CallToolRequest
	patience time.Duration
	pending  *mcp.CallToolResult // the result that asks; nil if the call needs none
}

// withAsker returns a context for a call in which Ask asks its client.
func withAsker(ctx context.Context, req *mcp.CallToolRequest) (context.Context, *asker) {
	a := &asker{req: req, patience: patience}
	return context.WithValue(ctx, askerKey{}, a), a
}

// able reports whether the client can show a form.
func (a *asker) able() bool {
	params := a.req.Session.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.Elicitation == nil {
		return false
	}
	modes := params.Capabilities.Elicitation
	return modes.Form != nil || modes.URL == nil // neither is a form, too
}

func (a *asker) version() string { return a.req.Session.InitializeParams().ProtocolVersion }

// form returns the question about a call, and what identifies it: what is asked, and all that the call would do.
func (a *asker) form(ctx context.Context, call config.Call) (form *mcp.ElicitParams, state string, err error) {
	lines, err := question.Preview(ctx, call)
	if err != nil {
		return nil, "", err
	}
	shown := lines[:min(len(lines), askedLines)]
	var text strings.Builder
	fmt.Fprintf(&text, "Allow %s? %s.\n\n%s\n", question.Plain(call.Tool), question.Plain(call.Why), strings.Join(shown, "\n"))
	if left := len(lines) - len(shown); left > 0 {
		fmt.Fprintf(&text, "… and %s not shown here\n", notice.Count(left, "more line"))
	}
	if len(call.Session) > 0 {
		fmt.Fprintf(&text, "\n\"For this session\" also allows, until the server ends: %s\n", question.Rules(call))
	}
	form = &mcp.ElicitParams{Mode: "form", Message: text.String(), RequestedSchema: a.schema(call)}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q", call.Tool, call.Args, form.Message, lines)
	return form, hex.EncodeToString(sum.Sum(nil)), nil
}

// The choices of a form, as the client sends them.
const (
	choiceOnce    = "once"
	choiceSession = "session"
	choiceNo      = "no"
)

// schema is that of the form.
func (a *asker) schema(call config.Call) map[string]any {
	values, titles := []any{choiceOnce}, []any{"Allow once"}
	if len(call.Session) > 0 {
		values, titles = append(values, choiceSession), append(titles, "Allow for this session: "+question.Rules(call))
	}
	values, titles = append(values, choiceNo), append(titles, "No")
	choice := map[string]any{"type": "string", "title": "Answer"}
	if a.version() >= titledChoices {
		var list []any
		for i := range values {
			list = append(list, map[string]any{"const": values[i], "title": titles[i]})
		}
		choice["oneOf"] = list
	} else {
		choice["enum"], choice["enumNames"] = values, titles
	}
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"answer": choice,
			"reason": map[string]any{"type": "string", "title": "Reason of a no", "description": "The model reads it."},
		},
		"required": []any{"answer"},
	}
}

// answerOf returns what the user has answered. A client that ignores the schema may accept without a choice, which is no yes.
func answerOf(res *mcp.ElicitResult, call config.Call) config.Answer {
	if res.Action != "accept" {
		return config.Answer{}
	}
	choice, _ := res.Content["answer"].(string)
	reason, _ := res.Content["reason"].(string)
	switch {
	case choice == choiceOnce:
		return config.Answer{Decision: config.DecisionOnce}
	case choice == choiceSession && len(call.Session) > 0:
		return config.Answer{Decision: config.DecisionSession}
	case choice != choiceNo && reason == "":
		reason = "the client accepted without one of the choices, which counts as a no"
	}
	return config.Answer{Reason: reason}
}
