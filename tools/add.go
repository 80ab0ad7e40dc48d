package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// An added tool may come from an untrusted server. A useful tool needs far less: the APIs of most models take names of
// up to 64 bytes.
const (
	maxToolName        = 128       // bytes
	maxToolDescription = 32 << 10  // bytes
	maxToolSchema      = 128 << 10 // bytes
)

// Add adds tools of your own to the suite. Tools lists them, and Call runs them through the same rules, guard, observer
// and limits: MaxLines and MaxBytes keep both ends of a text ([truncation.MiddleLines]), which is spilled in full. A
// panic becomes a Result with IsError, and so does a Go error unless ctx ended. Wrap a tool in [Truncate] first for
// smaller limits or another strategy. Add looks for [HasNotices] and [ResultPolicy].
//
// A suite has at most 1000 tools. A name has at most 128 bytes, all printable; a description has at most 32 KiB, and a
// schema 128 KiB. If a tool exceeds that, if a name is missing or taken, or if a schema is not a JSON object, Add returns
// an error that names the tool, and adds none of the tools. The name of a built-in tool that the suite leaves out is
// free: with Config.Tools set to [config.NoTools], tools of another machine can have all the names.
func (s *Suite) Add(tools ...Tool) error {
	var added []*suiteTool
	for _, t := range tools { // before the lock, because a tool may call the suite while it describes itself
		if err := checkTool(t); err != nil {
			return err
		}
		added = append(added, s.added(t))
	}
	return s.tools.add(added)
}

func (s *Suite) added(t Tool) *suiteTool {
	if outside, ok := t.(truncated); ok {
		t = outside.policyTool
	}
	if b, ok := t.(*policyTool); ok {
		t = s.withPolicy(b.Tool, b.policy)
	}
	limits := truncation.Limits{Lines: truncation.Limit(s.cfg.MaxLines), Bytes: truncation.Limit(s.cfg.MaxBytes)}
	if far, ok := t.(HasNotices); ok && far.HasNotices() {
		limits.Lines, limits.Bytes = limits.Lines+noticeLines, limits.Bytes+notice.Allowance
	}
	return bindAdded(s.call, s.withPolicy(t, truncation.Policy{Strategy: truncation.MiddleLines, Limits: limits}))
}

func (s *Suite) withPolicy(tool Tool, policy truncation.Policy) *policyTool {
	return &policyTool{
		Tool: tool, policy: policy, spill: s.spill, shown: s.ws.Shown, sweep: func() {},
		imageBytes: s.cfg.Read.MaxImageBytes, redact: s.redact,
	}
}

// bindAdded makes a tool of the suite from an added one. It asks for name, description and schema once, so that models
// always see the same.
func bindAdded(way handler, b *policyTool) *suiteTool {
	schema := b.Schema()
	t := &suiteTool{wraps: b, call: way, schema: func() json.RawMessage { return schema }}
	t.name, t.description = b.Name(), b.Description()
	t.prepare = func(c *call) error {
		c.params = c.raw
		return nil
	}
	t.invoke = func(ctx context.Context, params any) reply {
		res, err := b.Call(ctx, bytes.Clone(params.(json.RawMessage))) // a copy, because the tool may change it
		switch {
		case err != nil && ctx.Err() != nil:
			err = ctx.Err()
		case err != nil: // as for built-in tools: the caller acts only on the end of the context
			err = errorf(CodeIOError, "%s failed: %w", t.name, err)
		}
		if res.IsError {
			res.Code = cmp.Or(res.Code, CodeIOError)
		}
		shown := res.Shown()
		shown.Text = res.Text
		return reply{rest: res, shown: &shown, err: failure(err, "")}
	}
	return t
}

func checkTool(t Tool) error {
	if t == nil || t.Name() == "" {
		return fmt.Errorf("tools: a tool needs a name")
	}
	name, schema := show(t.Name()), t.Schema()
	for _, part := range []struct {
		what       string
		size, most int
	}{
		{"name", len(t.Name()), maxToolName},
		{"description", len(t.Description()), maxToolDescription},
		{"schema", len(schema), maxToolSchema},
	} {
		if part.size > part.most {
			return fmt.Errorf("tools: the %s of the tool %s has %d bytes, over the limit of %d",
				part.what, name, part.size, part.most)
		}
	}
	if !utf8.ValidString(t.Name()) || strings.ContainsFunc(t.Name(), func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("tools: the name of the tool %s has characters that cannot be printed", name)
	}
	var object map[string]any
	if err := json.Unmarshal(schema, &object); err != nil || object == nil {
		return fmt.Errorf("tools: the schema of %s must be a JSON object, but it is %s", name, show(string(schema)))
	}
	return nil
}
